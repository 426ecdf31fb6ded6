"""The RADO loop: evaluations come in, the audit model audits them, hard ones go to people, whose word counts.

Reads and writes TrainingLoop, Iteration, Evaluation, Correction, ProofScore, Block.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Max

from auditing.core.events import EventKind
from auditing.core.values import Choice
from auditing.research.models import Correction, Evaluation, Iteration, ProofScore, TrainingLoop
from auditing.research.rado.core import (
    Dialogue,
    Part,
    PartKind,
    find_hard_reason,
    parse_dialogue,
    parse_evaluation,
    write_dialogue,
)
from auditing.research.rado.core import Evaluation as EvaluationValue
from auditing.research.rado.core.evaluations import CorrectionTag, EvaluationRefusedError
from auditing.research.rado.core.tags import TagsRefusedError
from auditing.research.rado.evaluation_audit import EvaluationAudit
from auditing.research.rado.rewards import MOST_SAMPLES, Item, evaluate_missing
from auditing.research.rado.selectors import value_of
from auditing.services import jobs
from auditing.services.events import record_event
from auditing.services.model_tier.judges.answer import NoVote
from auditing.services.model_tier.judges.audit_model import AuditAnswer, audit_with_tools
from auditing.services.model_tier.judges.tools import Toolbox
from hdag.chat.address import Origin
from hdag.models import Endpoint
from hdag.services.call_book import client_for
from hdag.store import content

NO_MODEL = "No endpoint was chosen, and the file brought no audit."
MOST = 20_000
_MARKS = re.compile(r"</?(?:think|answer|search|doc|function|result)>")


class EvaluationsRefusedError(ValueError):
    """These evaluations cannot be taken in; each one that is wrong is named."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("; ".join(problems[:20]))
        self.problems = problems


class CorrectionRefusedError(ValueError):
    """This correction cannot be kept."""


@dataclass(frozen=True, slots=True)
class Given:
    """One evaluation as it came in."""

    key: str
    problem: str
    prompt: str
    evaluation: EvaluationValue
    audit: Dialogue | None = None
    confidence: float | None = None


def open_loop(*, owner: Any, title: str) -> TrainingLoop:
    """A new loop, without iterations."""
    return TrainingLoop.objects.create(owner=owner, title=title[:120])


def read_evaluations(*, records: Iterable[Mapping[str, Any]]) -> list[Given]:
    """Records {id, problem, prompt, evaluation, audit?, audit_confidence?}.

    Raises EvaluationsRefusedError naming each.
    """
    found: dict[str, Given] = {}
    problems: list[str] = []
    for number, record in enumerate(records, start=1):
        try:
            one = _read(record)
            if one.key in found:
                raise ValueError(f"id {one.key} came before")
            found[one.key] = one
        except ValueError as error:
            problems.append(f"record {number}: {error}")
        if len(problems) >= 20 or number > MOST:
            problems += [f"more than {MOST} records"] if number > MOST else []
            break
    if problems or not found:
        raise EvaluationsRefusedError(problems or ["there is no evaluation"])
    return list(found.values())


def start_iteration(
    *,
    loop: TrainingLoop,
    owner: Any,
    given: Sequence[Given],
    reward_model: str,
    audit_model: str = "",
    endpoint: Endpoint | None = None,
) -> Iteration:
    """Iteration k + 1 with all its evaluations, in one transaction; its job audits them and mines the hard ones."""
    with transaction.atomic():
        iteration = _next(
            loop,
            owner=owner,
            reward_model=reward_model[:120],
            endpoint=endpoint,
            total=len(given),
            audit_model=(endpoint.model if endpoint else audit_model)[:120],
        )
        _store(iteration, given)
        record_event(
            audit=None, kind=EventKind.RADO_ITERATION, actor=owner, job=str(iteration.pk), evaluations=len(given)
        )
        jobs.enqueue(job=iteration)
    return iteration


def start_sampling(
    *,
    loop: TrainingLoop,
    owner: Any,
    items: Sequence[Item],
    reward: Endpoint,
    samples: int,
    endpoint: Endpoint | None = None,
) -> Iteration:
    """Iteration k + 1 whose evaluations a reward model at `reward` makes, `samples` of each response."""
    samples = max(1, min(samples, MOST_SAMPLES))
    with transaction.atomic():
        iteration = _next(
            loop,
            owner=owner,
            reward_model=reward.model[:120],
            audit_model=(endpoint.model if endpoint else "")[:120],
            endpoint=endpoint,
            reward_endpoint=reward,
            samples=samples,
            total=2 * len(items) * samples,
            items=content.store_json([item.as_json() for item in items]),
        )
        record_event(audit=None, kind=EventKind.RADO_SAMPLING, actor=owner, job=str(iteration.pk), responses=len(items))
        jobs.enqueue(job=iteration)
    return iteration


def _next(loop: TrainingLoop, **said: Any) -> Iteration:
    """The next iteration of a loop, numbered under the loop's lock."""
    TrainingLoop.objects.select_for_update().get(pk=loop.pk)
    last = loop.iterations.aggregate(last=Max("number"))["last"]
    return Iteration.objects.create(loop=loop, number=0 if last is None else last + 1, **said)


def run(*, iteration: Iteration, now: datetime, allowed: frozenset[Origin] = frozenset()) -> str:
    """Evaluate and audit what is missing, then mine. A run that was cut off goes on where it stopped."""

    def work() -> None:
        evaluate_missing(
            iteration=iteration,
            allowed=allowed,
            step=lambda done: jobs.step(job=iteration, done=done, says=f"{done} evaluations asked for"),
        )
        _audit_missing(iteration, allowed)
        _mine(iteration)
        jobs.finish(job=iteration, done=iteration.total)

    return jobs.run(job=iteration, now=now, work=work)


def correct(
    *, evaluation: Evaluation, corrector: Any, label: int, tags: Iterable[str] = (), audit: str = "", better: str = ""
) -> Correction:
    """A person's word: the label, and where needed a corrected audit (tag format) and a better evaluation.

    Raises CorrectionRefusedError in words for people.
    """
    if evaluation.audit is None:
        raise CorrectionRefusedError("This evaluation has no audit to confirm or correct.")
    before = content.read(evaluation.audit)
    try:
        known = sorted({str(CorrectionTag(tag)) for tag in tags})
        dialogue = parse_dialogue(audit) if audit.strip() else parse_dialogue(before)
        value = parse_evaluation(better) if better.strip() else None
    except TagsRefusedError as error:
        raise CorrectionRefusedError(f"The corrected audit cannot be read, {error}.") from None
    except EvaluationRefusedError as error:
        raise CorrectionRefusedError(f"The better evaluation cannot be read: {error}.") from None
    except ValueError as error:
        raise CorrectionRefusedError(f"There is no such tag: {error}.") from None
    if dialogue.score != label and audit.strip():
        raise CorrectionRefusedError(f"The corrected audit answers {dialogue.score}, but the label is {label}.")
    changed = write_dialogue(dialogue) != write_dialogue(parse_dialogue(before))
    said = {"audit": write_dialogue(dialogue) if changed else "", "evaluation": value.text if value else ""}
    with transaction.atomic():
        made = Correction.objects.create(
            evaluation=evaluation,
            corrector=corrector,
            label=label,
            tags=known,
            block=content.store_json(said),
            confirms=not changed and value is None and label == evaluation.audit_score,
        )
        record_event(
            audit=None,
            kind=EventKind.RADO_CORRECTED,
            actor=corrector,
            evaluation=str(evaluation.pk),
            confirms=made.confirms,
        )
    return made


def take_proof_scores(*, loop: TrainingLoop, records: Iterable[Mapping[str, Any]]) -> int:
    """PROOF scores {item, judge, expert, rc, ds, fa}: all or none; a judge's newer scores replace the earlier."""
    rows, problems = [], []
    for number, record in enumerate(records, start=1):
        try:
            marks = {name: int(record[name]) for name in ("rc", "ds", "fa")}
            item, judge = str(record["item"])[:120], str(record["judge"])[:60]
            if not item or not judge or not all(1 <= mark <= 7 for mark in marks.values()):
                raise ValueError
        except (KeyError, TypeError, ValueError):
            problems.append(f"record {number}: needs item, judge, and rc, ds, fa from 1 to 7")
        else:
            is_expert = str(record.get("expert", "")).lower() in ("1", "true", "yes")
            rows.append(ProofScore(loop=loop, item=item, judge=judge, is_expert=is_expert, **marks))
    if problems or not rows:
        raise EvaluationsRefusedError(problems or ["there is no score"])
    fields = ["is_expert", "rc", "ds", "fa"]
    ProofScore.objects.bulk_create(
        {(row.item, row.judge): row for row in rows}.values(),
        update_conflicts=True,
        update_fields=fields,
        unique_fields=["loop", "item", "judge"],
    )
    return len(rows)


def _read(record: Mapping[str, Any]) -> Given:
    def text(name: str, longest: int) -> str:
        value = record.get(name)
        if not isinstance(value, str | int) or not str(value).strip() or len(str(value)) > longest:
            raise ValueError(f"{name} must be a text of 1 to {longest} characters")
        return str(value)

    audit, sure = record.get("audit"), record.get("audit_confidence")
    if sure is not None and (not isinstance(sure, int | float) or not 0 <= sure <= 1):
        raise ValueError("audit_confidence must lie between 0 and 1")
    return Given(
        text("id", 120),
        text("problem", 120),
        text("prompt", 100_000),
        parse_evaluation(text("evaluation", 50_000)),
        None if audit is None else parse_dialogue(text("audit", 100_000)),
        None if sure is None else float(sure),
    )


def _store(iteration: Iteration, given: Sequence[Given]) -> None:
    texts = [content.store_json({"prompt": one.prompt, "rationale": one.evaluation.rationale}) for one in given]
    audits = iter(content.store([write_dialogue(one.audit) for one in given if one.audit]))
    Evaluation.objects.bulk_create(
        Evaluation(
            iteration=iteration,
            key=one.key,
            problem=one.problem,
            reason=one.evaluation.reason,
            answer=one.evaluation.answer,
            given=block,
            audit=next(audits) if one.audit else None,
            audit_score=one.audit.score if one.audit else None,
            audit_confidence=one.confidence,
        )
        for one, block in zip(given, texts, strict=True)
    )


def _audit_missing(iteration: Iteration, allowed: frozenset[Origin]) -> None:
    waiting = iteration.evaluations.filter(audit__isnull=True, no_audit_because="").select_related("given")
    if iteration.endpoint is None:
        waiting.update(no_audit_because=NO_MODEL)
        return
    done = iteration.total - waiting.count()  # evaluations that were asked for count before
    with client_for(row=iteration.endpoint, allowed=allowed) as client:
        for place, row in enumerate(list(waiting.order_by("key")), start=1):
            given = content.read_json(row.given)
            value = EvaluationValue(row.reason, row.answer, given["rationale"])
            shown = EvaluationAudit(question=given["prompt"], response="", evaluation=value)
            _keep(row, audit_with_tools(client=client, shown=shown, account=f"rado:{iteration.pk}", toolbox=Toolbox()))
            jobs.step(job=iteration, done=done + place, says=f"{done + place} of {iteration.total} audited")


def _keep(row: Evaluation, answer: AuditAnswer | NoVote) -> None:
    if isinstance(answer, NoVote):
        row.no_audit_because = answer.reason[:200] or "The audit model gave no usable answer."
    elif answer.vote is Choice.ABSTAIN:
        row.no_audit_because = "The audit model abstained."
    else:
        row.audit_score, row.audit_confidence = int(answer.vote is Choice.PASS), answer.confidence
        row.audit = content.store_one(write_dialogue(dialogue_of(answer)))
    row.save(update_fields=["no_audit_because", "audit", "audit_score", "audit_confidence"])


def dialogue_of(answer: AuditAnswer) -> Dialogue:
    """The tool turns of an audit in the tag format: functions and searches as calls, other tools as text."""
    parts: list[Part] = []
    for turn in answer.calls:
        tool, _, said = turn.tool.partition(": ")
        call, reply = _plain(said), _plain(turn.text)
        if tool == "function" and turn.ok:
            parts += [Part(PartKind.FUNCTION, call), Part(PartKind.RESULT, reply)]
        elif tool == "search":
            parts += [Part(PartKind.SEARCH, call), Part(PartKind.DOC, reply)]
        else:
            parts.append(Part(PartKind.TEXT, f"{tool} {call}: {reply}\n"))
    parts.append(Part(PartKind.TEXT, _plain(answer.reason) or "No reason was given."))
    return Dialogue(tuple(parts), int(answer.vote is Choice.PASS))


def _plain(text: str) -> str:
    """Text without the tags of the format, so that a trace cannot write an answer of its own."""
    return _MARKS.sub("", text)


def _mine(iteration: Iteration) -> None:
    found = iteration.evaluations.filter(audit__isnull=False).select_related("iteration", "given", "audit")
    rows = list(found)
    for row in rows:
        row.hard = str(find_hard_reason(audited=value_of(row)) or "")
    Evaluation.objects.bulk_update(rows, ["hard"], batch_size=500)
