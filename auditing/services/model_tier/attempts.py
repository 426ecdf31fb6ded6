"""Attempts of models as rows, and their answers as rationales to be sealed. Writes SeatAttempt.

The row says how an attempt went and what it cost; the words of the answer and its vote are sealed and nowhere else.
"""

from django.db.models.functions import Now

from auditing.checker.findings import Evidence, Finding, Verdict
from auditing.core.values import Choice
from auditing.core.voting.rationale import ErrorType, Rationale
from auditing.models import SeatAttempt
from auditing.services.model_tier.judges.answer import JudgeAnswer, NoVote, Turn
from auditing.services.model_tier.judges.audit_model import AuditAnswer
from hdag.chat.errors import Failure

LONGEST = 1_500  # characters of one tool's answer that are sealed: a sealed vote has 64 kB


def end_attempt(*, attempt: SeatAttempt, answer: JudgeAnswer | AuditAnswer | NoVote) -> bool:
    """Write how an attempt ended, once; False when it was ended already."""
    tool_turns = tool_turns_of(answer)
    is_refusal = isinstance(answer, NoVote) and answer.reason.startswith("you declined to answer")
    fields = {
        "state": SeatAttempt.State.NO_VOTE if isinstance(answer, NoVote) else SeatAttempt.State.SEALED,
        "failure": "declined" if is_refusal else answer.failure[:40] if isinstance(answer, NoVote) else "",
        "signs": [sign.kind for sign in answer.signs],
        "is_suspect": answer.injection_suspected,
        "tool_calls": len(tool_turns),
        "refused_calls": sum(not turn.ok for turn in tool_turns),
        "corrections": _unusable_answers(answer),
        "is_conflict": isinstance(answer, AuditAnswer) and answer.conflict,
        "calls": answer.spent.calls,
        "bytes_sent": answer.spent.bytes_sent,
        "cost": answer.spent.cost,
    }
    still_open = SeatAttempt.objects.filter(pk=attempt.pk, state=SeatAttempt.State.ASKED)
    return bool(still_open.update(ended=Now(), **fields))


def _unusable_answers(answer: JudgeAnswer | AuditAnswer | NoVote) -> int:
    """Answers that could not be used; where none ever could, every call brought one."""
    if isinstance(answer, NoVote):
        return answer.spent.calls if answer.failure == Failure.INVALID_ANSWER else 0
    return answer.corrections


def failed(answer: JudgeAnswer | AuditAnswer, failure: str, reason: str) -> NoVote:
    """An answer that could not be sealed: what it cost, and the signs of injection that it saw, stay on record."""
    return NoVote(reason, failure, answer.spent, answer.signs)


def rationale_of(*, answer: JudgeAnswer | AuditAnswer, reasoning: str) -> Rationale:
    """The rationale to seal. A vote with tools carries every call and its result as evidence."""
    if isinstance(answer, JudgeAnswer):
        return answer.rationale(reasoning=reasoning)
    return Rationale(
        reason=answer.reason,
        error_type=ErrorType.INVALID_DERIVATION if answer.vote is Choice.FAIL else None,
        evidence=evidence_of(tool_turns_of(answer)),
    )


def evidence_of(turns: tuple[Turn, ...]) -> tuple[Finding, ...]:
    """Tool calls as findings: what was asked and what came back; a refused call says so."""
    findings = []
    for turn in turns:
        tool, _, call = turn.tool.partition(": ")  # "calculate: 17 + 25 * 3"
        evidence = Evidence(
            checker="tool" if turn.ok else "refused tool call",
            rule=tool.partition(":")[0],
            read=call,
            sentence=f"{turn.tool} → {turn.text[:LONGEST]}",
        )
        findings.append(Finding(Verdict.NOT_APPLICABLE, evidence))
    return tuple(findings)


def tool_turns_of(answer: JudgeAnswer | AuditAnswer | NoVote) -> tuple[Turn, ...]:
    """The turns of an answer in which a tool was called."""
    return answer.calls if isinstance(answer, AuditAnswer) else ()
