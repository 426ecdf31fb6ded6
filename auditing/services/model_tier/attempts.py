"""Attempts of models as rows, and their answers as rationales. Writes SeatAttempt."""

from django.db.models.functions import Now

from auditing.checker.findings import Evidence, Finding, Verdict
from auditing.core.values import Choice
from auditing.core.voting.rationale import ErrorType, Rationale
from auditing.models import SeatAttempt
from auditing.services.model_tier.judges.answer import JudgeAnswer, NoVote, Turn
from auditing.services.model_tier.judges.audit_model import AuditAnswer
from hdag.chat.errors import Failure

LONGEST = 1_500  # characters of one tool's answer that are kept: a sealed vote has 64 kB


def end_attempt(*, attempt: SeatAttempt, found: JudgeAnswer | AuditAnswer | NoVote) -> bool:
    """Write how an attempt ended, once; its words and its vote are nowhere in the row."""
    tools = tools_of(found)
    fields = {
        "state": SeatAttempt.State.NO_VOTE if isinstance(found, NoVote) else SeatAttempt.State.SEALED,
        "failure": found.failure[:40] if isinstance(found, NoVote) else "",
        "signs": [sign.kind for sign in found.signs],
        "is_suspect": found.injection_suspected,
        "tool_calls": len(tools),
        "refused_calls": sum(not turn.ok for turn in tools),
        "corrections": _unusable(found),
        "is_conflict": isinstance(found, AuditAnswer) and found.conflict,
        "calls": found.spent.calls,
        "bytes_sent": found.spent.bytes_sent,
        "cost": found.spent.cost,
    }
    still = SeatAttempt.objects.filter(pk=attempt.pk, state=SeatAttempt.State.ASKED)
    return bool(still.update(ended=Now(), **fields))


def _unusable(found: JudgeAnswer | AuditAnswer | NoVote) -> int:
    """Answers that could not be used; where none ever could, every call brought one."""
    if isinstance(found, NoVote):
        return found.spent.calls if found.failure == Failure.INVALID_ANSWER else 0
    return found.corrections


def failed(found: JudgeAnswer | AuditAnswer, failure: str, reason: str) -> NoVote:
    """An answer that came to nothing: what it cost and what it saw stay."""
    return NoVote(reason, failure, found.spent, found.signs)


def rationale_of(*, found: JudgeAnswer | AuditAnswer, reasoning: str) -> Rationale:
    """The rationale to seal. A vote with tools carries every call and its result as evidence."""
    if isinstance(found, JudgeAnswer):
        return found.rationale(reasoning=reasoning)
    wrong = found.vote is Choice.FAIL
    return Rationale(
        reason=found.reason,
        error_type=ErrorType.INVALID_DERIVATION if wrong else None,
        evidence=evidence_of(tools_of(found)),
    )


def evidence_of(turns: tuple[Turn, ...]) -> tuple[Finding, ...]:
    """Tool calls as findings: what was asked and what came back; a refused call says so."""
    return tuple(
        Finding(
            Verdict.NOT_APPLICABLE,
            Evidence(
                checker="tool" if turn.ok else "refused tool call",
                rule=turn.tool.partition(":")[0],
                read=turn.tool.partition(": ")[2],
                sentence=f"{turn.tool} → {turn.text[:LONGEST]}",
            ),
        )
        for turn in turns
    )


def tools_of(found: JudgeAnswer | AuditAnswer | NoVote) -> tuple[Turn, ...]:
    """The tool turns of an answer."""
    return found.calls if isinstance(found, AuditAnswer) else ()
