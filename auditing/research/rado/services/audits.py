"""The audit model audits the evaluations of an iteration, one by one.

Reads Iteration, Evaluation; writes Evaluation, Block, and the calls in the book of the endpoint.
"""

import re

from auditing.core.values import Choice
from auditing.research.models import Evaluation, Iteration
from auditing.research.rado.core import Dialogue, Part, PartKind, write_dialogue
from auditing.research.rado.core import Evaluation as EvaluationValue
from auditing.research.rado.core.evaluations import REFUSED
from auditing.research.rado.evaluation_audit import EvaluationAudit
from auditing.services import jobs
from auditing.services.model_tier.documents import DocumentSearch
from auditing.services.model_tier.judges.answer import NoVote
from auditing.services.model_tier.judges.audit_model import AuditAnswer, audit_with_tools
from auditing.services.model_tier.judges.tools import Toolbox
from hdag.chat.address import Origin
from hdag.services.call_book import client_for
from hdag.store import content

NO_MODEL = "No endpoint was chosen, and the file brought no audit."
_MARKS = re.compile(r"</?(?:think|answer|search|doc|function|result)>")


def audit_missing(iteration: Iteration, allowed: frozenset[Origin]) -> None:
    waiting = iteration.evaluations.filter(audit__isnull=True, no_audit_because="").select_related("given")
    if iteration.endpoint is None:
        waiting.update(no_audit_because=NO_MODEL)
        return
    # Progress goes on from where a worker before this one stopped.
    done = iteration.total - waiting.count()  # evaluations that were asked for count before
    toolbox = Toolbox(search=DocumentSearch() if iteration.endpoint.searches else None)
    with client_for(row=iteration.endpoint, allowed=allowed) as client:
        for number, row in enumerate(list(waiting.order_by("key")), start=1):
            texts = content.read_json(row.given)
            value = EvaluationValue(row.reason, row.answer, texts["rationale"])
            audited = EvaluationAudit(question=texts["prompt"], response="", evaluation=value)
            _store_audit(
                row, audit_with_tools(client=client, shown=audited, account=f"rado:{iteration.pk}", toolbox=toolbox)
            )
            jobs.step(job=iteration, done=done + number, says=f"{done + number} of {iteration.total} audited")


def _store_audit(row: Evaluation, answer: AuditAnswer | NoVote) -> None:
    if isinstance(answer, NoVote):
        # Written down, so that the row is not asked about again and again.
        row.no_audit_because = answer.reason[:200] or "The audit model gave no usable answer."
    elif answer.vote is Choice.ABSTAIN:
        row.no_audit_because = "The audit model abstained."
    else:
        row.audit_score, row.audit_confidence = int(answer.vote is Choice.PASS), answer.confidence
        row.audit = content.store_one(write_dialogue(dialogue_of(answer)))
        row.tool_calls, row.refused_calls = len(answer.calls), sum(not call.ok for call in answer.calls)
        row.corrected_answers, row.is_conflict = answer.corrections, answer.conflict
    row.save()


def dialogue_of(answer: AuditAnswer) -> Dialogue:
    """The tool turns of an audit in the tag format: each call is a part, and each answer, a refusal too, its reply.

    A result that stood in the auditor's own text would teach a model to invent results.
    """
    parts: list[Part] = []
    for turn in answer.calls:
        tool, _, call_text = turn.tool.partition(": ")
        call, reply = _plain(call_text), _plain(turn.text)
        if tool == "search":
            parts += [Part(PartKind.SEARCH, call), Part(PartKind.DOC, reply)]
        else:
            written = call if tool == "function" else f"{tool}({call})"
            parts += [
                Part(PartKind.FUNCTION, written),
                Part(PartKind.RESULT, reply if turn.ok else REFUSED + reply),
            ]
    parts.append(Part(PartKind.TEXT, _plain(answer.reason) or "No reason was given."))
    return Dialogue(tuple(parts), int(answer.vote is Choice.PASS))


def _plain(text: str) -> str:
    """Text without the tags of the format, so that a trace cannot write an answer of its own."""
    return _MARKS.sub("", text)
