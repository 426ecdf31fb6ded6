"""The RADO loop read back: samples as values, the queue of people, training rows, PROOF scores."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import fmean
from typing import Any
from uuid import UUID

from django.db.models import Avg, Count, Exists, OuterRef, Q, QuerySet

from auditing.research.models import Correction, Evaluation, Iteration, ProofScore, TrainingLoop
from auditing.research.rado.core import (
    Audited,
    Provenance,
    Task,
    accumulate,
    balance_classes,
    check_row,
    dialogue_row,
    format_reward,
    group_rows,
    parse_dialogue,
    parse_evaluation,
    preference_pairs,
    reward_row,
    split_of,
    total_reward,
    write_dialogue,
)
from auditing.research.rado.core import Evaluation as EvaluationValue
from auditing.research.rado.core.evaluations import Correction as CorrectionValue
from auditing.research.rado.core.evaluations import CorrectionTag, wrong_results
from auditing.research.rado.core.proof import Alignment, Proof, Scores, compare_with_experts, proof_score
from hdag.store import content

SYSTEM = "You audit a judgement. Check it with your tools, think, and answer 1 if it is right and 0 if it is not."
REWARD_SYSTEM = (
    "You judge a response to a problem. Write two scores of 0 or 1, of its reasoning and of its answer, "
    "as [1, 0], then the reason."
)
SPLITS = ("train", "validation", "test")


def newest_loops() -> QuerySet[TrainingLoop]:
    """Everybody's loops, newest first."""
    return TrainingLoop.objects.order_by("-created")


def find_loop(*, loop_id: UUID) -> TrainingLoop | None:
    """One loop, None when there is none of this id."""
    return TrainingLoop.objects.filter(pk=loop_id).first()


def find_iteration(*, iteration_id: str) -> Iteration | None:
    """An iteration for its worker, with its endpoints and the responses to evaluate."""
    return Iteration.objects.select_related("endpoint", "reward_endpoint", "items").filter(pk=iteration_id).first()


def find_audited(*, evaluation_id: UUID) -> Evaluation | None:
    """An evaluation that has an audit, with both texts; None for any other."""
    audited = Evaluation.objects.select_related("iteration__loop", "given", "audit").filter(audit__isnull=False)
    return audited.filter(pk=evaluation_id).first()


def value_of(evaluation: Evaluation, correction: Correction | None = None) -> Audited:
    """One audited evaluation with its texts opened."""
    texts = content.read_json(evaluation.given)
    # Callers select audited evaluations only.
    assert evaluation.audit is not None
    return Audited(
        id=evaluation.key,
        problem=evaluation.problem,
        prompt=texts["prompt"],
        evaluation=EvaluationValue(evaluation.reason, evaluation.answer, texts["rationale"]),
        audit=parse_dialogue(content.read(evaluation.audit)),
        audit_confidence=evaluation.audit_confidence,
        iteration=evaluation.iteration.number,
        correction=_correction(correction) if correction else None,
    )


def _correction(row: Correction) -> CorrectionValue:
    texts = content.read_json(row.block)
    return CorrectionValue(
        label=row.label,
        corrector=row.corrector.pseudonym,
        dialogue=parse_dialogue(texts["audit"]) if texts.get("audit") else None,
        evaluation=parse_evaluation(texts["evaluation"]) if texts.get("evaluation") else None,
        tags=frozenset(CorrectionTag(tag) for tag in row.tags),
    )


def samples_of(*, iteration: Iteration) -> list[Audited]:
    """All audited evaluations of one iteration, each with its newest correction."""
    # In order of id, so the last one of each evaluation stays.
    newest = {row.evaluation_id: row for row in _corrections(iteration)}
    audited = iteration.evaluations.filter(audit__isnull=False).select_related("iteration", "given", "audit")
    return [value_of(row, newest.get(row.pk)) for row in audited.order_by("key")]


def _corrections(iteration: Iteration) -> QuerySet[Correction]:
    corrections = Correction.objects.filter(evaluation__iteration=iteration).order_by("id")
    return corrections.select_related("block", "corrector")


def queue_of(*, loop: TrainingLoop) -> QuerySet[Evaluation]:
    """Hard samples that no person has looked at: disagreements and doubtful ones first, then the other high scores."""
    seen = Correction.objects.filter(evaluation=OuterRef("pk"))
    # "disagreement", "doubtful_high_score", "high_score": ordering by the alphabet is ordering by urgency.
    hard = Evaluation.objects.filter(iteration__loop=loop).exclude(hard="").filter(~Exists(seen))
    return hard.select_related("iteration", "given", "audit").order_by("hard", "iteration__number", "key")


def training_rows(
    *, loop: TrainingLoop, task: Task, upto: int | None = None, is_balanced: bool = False
) -> Iterator[dict[str, Any]]:
    """Rows of all iterations up to `upto`, deduplicated, split by problem.

    is_balanced: pairs (DPO) of rarer score classes are repeated until each class has equally many.
    Each row has passed check_row for its trainer. meta holds split, provenance and the iteration.
    """
    iterations = list(loop.iterations.filter(Q() if upto is None else Q(number__lte=upto)).order_by("number"))
    if not iterations:
        return
    samples = accumulate(iterations=[samples_of(iteration=iteration) for iteration in iterations])
    # The set is cumulative, so its name is that of the last iteration.
    last = iterations[-1]
    source = Provenance(last.reward_model, last.audit_model or "people", f"{loop.pk}-k{last.number}")
    rows = _ROWS[task](samples, source)
    for row in _balanced(rows) if is_balanced and task is Task.DPO else rows:
        row["meta"]["split"] = split_of(problem=row["meta"]["problem"], seed=str(loop.pk))
        check_row(row=row, task=task)
        yield row


def _pairs(samples: list[Audited], source: Provenance) -> list[dict[str, Any]]:
    return preference_pairs(samples=samples, provenance=source)


def _balanced(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return balance_classes(
        items=rows,
        key=lambda row: row["prompt"] + row["chosen"] + row["rejected"],
        of=lambda row: tuple(row["meta"]["score_class"]),
    )


def _dialogues(samples: list[Audited], source: Provenance) -> list[dict[str, Any]]:
    """Dialogues that end in the label that stands: an audit overruled without a better one is left out."""
    consistent = [sample for sample in samples if sample.final_audit.score == sample.label]
    return [dialogue_row(audited=sample, provenance=source, system=SYSTEM) for sample in consistent]


def _groups(samples: list[Audited], source: Provenance) -> list[dict[str, Any]]:
    """GRPO: the audits of one evaluation, machine's and person's; r = format, no wrong tool result, label met."""
    rows = []
    for sample in samples:
        # The same audit twice, when nobody corrected it, is one response.
        audits = list(dict.fromkeys([sample.audit, sample.final_audit]))
        texts = [write_dialogue(audit) for audit in audits]
        rewards = [
            total_reward(
                format=format_reward(text),
                reason=int(not wrong_results(audit)),
                answer=int(audit.score == sample.label),
            )
            for audit, text in zip(audits, texts, strict=True)
        ]
        prompt = f"{sample.prompt}\n\nEvaluation to audit:\n{sample.evaluation.text}"
        meta = {
            "problem": sample.problem,
            "iteration": sample.iteration,
            "id": sample.id,
            "reward_model": source.reward_model,
            "audit_model": source.audit_model,
            "version": source.version,
        }
        rows += group_rows(prompt=prompt, responses=texts, rewards=rewards, meta=meta)
    return rows


def _evaluations(samples: list[Audited], source: Provenance) -> list[dict[str, Any]]:
    """Right evaluations, for the reward model itself; several of one response may say the same."""
    rows = [reward_row(audited=sample, provenance=source, system=REWARD_SYSTEM) for sample in samples]
    distinct = {tuple(turn["content"] for turn in row["messages"]): row for row in rows if row is not None}
    return list(distinct.values())


_ROWS = {Task.DPO: _pairs, Task.SFT: _dialogues, Task.GRPO: _groups, Task.REWARD: _evaluations}


@dataclass(frozen=True, slots=True)
class IterationFigures:
    """One iteration in numbers."""

    iteration: Iteration
    evaluations: int
    audited: int
    hard: dict[str, int]
    corrected: int
    confirmed: int


def figures_of(*, loop: TrainingLoop) -> list[IterationFigures]:
    """A line an iteration, by aggregates."""
    figures = []
    for iteration in loop.iterations.order_by("number"):
        rows = iteration.evaluations
        # Reason -> number of samples.
        hard = dict(rows.exclude(hard="").values_list("hard").annotate(n=Count("pk")).order_by("hard"))
        looked = Correction.objects.filter(evaluation__iteration=iteration)
        figures.append(
            IterationFigures(
                iteration,
                rows.count(),
                rows.filter(audit__isnull=False).count(),
                hard,
                looked.values("evaluation").distinct().count(),
                looked.filter(confirms=True).values("evaluation").distinct().count(),
            )
        )
    return figures


@dataclass(frozen=True, slots=True)
class ProofFigures:
    """PROOF of each item over its model judges (and its audits), and models beside experts; None without both."""

    items: dict[str, Proof]
    alignment: Alignment | None
    beside: list[tuple[str, str, float, float]]  # item, dimension, mean of the experts, mean of the models


def proof_of(*, loop: TrainingLoop) -> ProofFigures:
    """Scores by item; the audits of a problem join as a judge of 1 + 6 a, a their share that found it right."""
    judges: dict[str, dict[str, Scores]] = defaultdict(dict)
    experts: dict[tuple[str, str], dict[str, int]] = defaultdict(dict)
    models: dict[tuple[str, str], list[float]] = defaultdict(list)
    for row in ProofScore.objects.filter(loop=loop).order_by("item", "judge"):
        for name in ("rc", "ds", "fa"):
            if row.is_expert:
                experts[row.item, name][row.judge] = getattr(row, name)
            else:
                models[row.item, name].append(float(getattr(row, name)))
        # Experts are compared with the models, they are no judges of the score.
        if not row.is_expert:
            judges[row.item][row.judge] = Scores(row.rc, row.ds, row.fa)
    audits = _audit_scores(loop)
    items = {
        evaluation: proof_score(judges=by, audit_score=audits.get(evaluation)) for evaluation, by in judges.items()
    }
    shared = sorted(experts.keys() & models.keys())
    alignment = (
        compare_with_experts(
            experts=[experts[key] for key in shared], models=[sum(models[key]) / len(models[key]) for key in shared]
        )
        if shared
        else None
    )
    beside = [
        (evaluation, name, fmean(experts[evaluation, name].values()), fmean(models[evaluation, name]))
        for evaluation, name in shared
    ]
    return ProofFigures(items, alignment, beside)


def _audit_scores(loop: TrainingLoop) -> dict[str, float]:
    rows = Evaluation.objects.filter(iteration__loop=loop, audit_score__isnull=False)
    return dict(rows.values_list("problem").annotate(a=Avg("audit_score")))
