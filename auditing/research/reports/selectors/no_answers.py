"""Which language models were asked about an audit and gave no verdict, and why, once their round is counted.

Reads Seat, SeatAttempt, Vote. The text of an audit went to these servers, so its provider is told their names. A model
that abstained has a vote under a pseudonym: its name is for admins, or it would name all the others of that pseudonym.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import F, Q

from auditing.core.stages import RoundStage
from auditing.core.values import Choice, Tier
from auditing.models import Audit, Seat
from auditing.research.reports.selectors.lines import SegmentLine
from hdag.chat.errors import Failure

ABSTAINED = "it abstained"
UNKNOWN = "it gave no vote"
WHY: dict[str, str] = {
    Failure.REFUSED_ADDRESS: "its address is not one that this server may call",
    Failure.MISCONFIGURED: "its key or its settings could not be used",
    Failure.RATE_LIMITED: "its server asked to wait, and went on asking",
    Failure.SERVER_ERROR: "its server failed",
    Failure.REJECTED: "its server refused the request",
    Failure.FILTERED: "a content filter of its server refused the text",
    Failure.REDIRECTED: "its server sent the call elsewhere, which is never followed",
    Failure.TIMED_OUT: "it did not answer in time",
    Failure.UNREACHABLE: "its server could not be reached",
    Failure.GARBAGE: "the answer of its server could not be read",
    Failure.TOO_LARGE: "its answer was too long",
    Failure.WRONG_MODEL: "another model answered in its place",
    Failure.INVALID_ANSWER: "it answered out of format",
    Failure.CAP_REACHED: "the money set for it was spent",
    Failure.BUSY: "all its places were taken",
    Failure.CIRCUIT_OPEN: "its server had failed so often that it was left alone",
    Failure.BATCHED: "its batch was not answered in time",
    "declined": "it declined to answer",
    "no_consent": "nobody agreed any more that this text goes to its server",
    "may_not_see": "it may not see as much as this question needs",
    "too_many_turns": "it came to no vote within its turns",
    "too_late": "its vote came when the window had closed",
    "interrupted": "the attempt was interrupted",
    "empty": "there was nothing to judge",
    "": "it was not asked before the window closed",
}


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """A model without a verdict on one segment: why, and after how many attempts."""

    label: str
    model: str  # "" where it is for admins alone
    why: str
    attempts: int

    @property
    def who(self) -> str:
        """The model by name, as far as the reader may know it."""
        return self.model or "A language model"


@dataclass(frozen=True, slots=True)
class ModelSilence:
    """All that one model did not answer for one reason."""

    who: str
    why: str
    labels: tuple[str, ...]


def no_answers(*, audit: Audit, lines: Iterable[SegmentLine], names_all: bool) -> tuple[NoAnswer, ...]:
    """In reading order; one query, none where no model was asked. names_all: for admins."""
    places = {line.row.pk: (number, line.value.id) for number, line in enumerate(lines) if _asked_models(line)}
    if not places:
        return ()
    seats = Seat.objects.filter(round__audit=audit, round__tier=Tier.LLM, round__stage=RoundStage.TALLIED)
    rows: Any = (
        seats.filter(Q(vote__isnull=True) | Q(vote__choice=Choice.ABSTAIN))
        .annotate(
            failures=ArrayAgg("attempts_made__failure", order_by="attempts_made__number"), choice=F("vote__choice")
        )
        .values_list("round__segment", "auditor__endpoint__name", "failures", "choice", named=True)
    )
    told = [(places[row.round__segment], _told(row, places[row.round__segment][1], names_all)) for row in rows]
    return tuple(answer for _, answer in sorted(told, key=lambda pair: (pair[0], pair[1].model, pair[1].why)))


def by_model(*, answers: Sequence[NoAnswer]) -> tuple[ModelSilence, ...]:
    """The same, one line a model and reason, in the order of their first segments."""
    labels: dict[tuple[str, str], dict[str, None]] = {}
    for answer in answers:
        labels.setdefault((answer.who, answer.why), {})[answer.label] = None
    return tuple(ModelSilence(who, why, tuple(names)) for (who, why), names in labels.items())


def _asked_models(line: SegmentLine) -> bool:
    return any(round.tier == Tier.LLM and round.stage == RoundStage.TALLIED for round in line.rounds)


def _told(row: Any, label: str, names_all: bool) -> NoAnswer:
    if row.choice == Choice.ABSTAIN:
        return NoAnswer(label, row.auditor__endpoint__name if names_all else "", ABSTAINED, 1)
    failures = [failure or "" for failure in row.failures]
    # Each reason once: a server that fails twice is left alone the third time, and the first reason is the cause.
    reasons = dict.fromkeys(WHY.get(failure, UNKNOWN) for failure in failures)
    return NoAnswer(label, row.auditor__endpoint__name, "; then ".join(reasons), len(failures))
