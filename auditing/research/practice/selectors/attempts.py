"""How far calibrations are, and the gold that is left for them: a segment measures only whom nobody told its truth.

Whoever answered a segment, in whatever attempt, was shown its truth at once; who wrote or reviewed it knew it before.
Asked again it would measure memory, so that an attempt without enough other segments waits for more gold.

Reads GoldSegment, GoldAnswer, Qualification.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import QuerySet
from django.db.models.functions import Coalesce

from accounts.models import Role
from auditing.models import Auditor, GoldAnswer, GoldSegment, Qualification
from auditing.selectors.seating.eligible import CALIBRATION_SIZE

ASKED = 10  # segments of one attempt, or all that are left where fewer are


@dataclass(frozen=True, slots=True)
class Question:
    """A segment of a calibration set in use. since: when it came into use; knowers: who wrote and who reviewed it."""

    gold: UUID
    domain: str
    since: datetime
    knowers: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """What one reviewer answered on a segment, also on one that was retired since."""

    auditor: UUID
    gold: UUID
    domain: str
    attempt: int
    is_right: bool
    at: datetime


@dataclass(frozen=True, slots=True)
class Attempt:
    """How far one reviewer's newest calibration in a field is. size: of its set; untold: keys never told to them.

    left: those of the untold that this attempt may still ask. What came into use after its first answer waits for the
    next one: an attempt that ended would otherwise use new segments up one by one.
    """

    domain: str
    state: str
    attempt: int
    right: int
    answered: int
    size: int
    untold: frozenset[UUID]
    left: frozenset[UUID]

    @property
    def total(self) -> int:
        """Segments of this attempt. Some may be retired on the way: what was answered stays answered."""
        return max(self.answered, min(ASKED, self.answered + len(self.left)))

    @property
    def is_over(self) -> bool:
        """Every question of this attempt is answered."""
        return self.answered >= self.total > 0

    @property
    def missing(self) -> int:
        """Segments that must come into use before an attempt can begin: 0 where enough are there, or one goes on."""
        goes_on = self.answered and not self.is_over
        if goes_on or self.state == Qualification.State.PASSED:
            return 0
        return max(0, CALIBRATION_SIZE - len(self.untold))

    @property
    def askable(self) -> frozenset[UUID]:
        """What may be asked next."""
        return frozenset() if self.is_over or self.missing else self.left


def attempt_in(*, row: Qualification) -> Attempt:
    """The newest calibration of one reviewer in one field."""
    answers = _answers(row.auditor.gold_answers.filter(gold__domain=row.domain))
    return _attempt(row, _questions(domains=[row.domain])[row.domain], answers)


def attempts_of(*, auditor: Auditor, domains: Sequence[str]) -> list[Attempt]:
    """Those in several fields, in the given order, also where none was begun. Three statements."""
    rows = {row.domain: row for row in auditor.qualifications.filter(domain__in=domains).select_related("auditor")}
    questions, answers = _questions(domains=domains), defaultdict[str, list[Answer]](list)
    for answer in _answers(auditor.gold_answers.filter(gold__domain__in=domains)):
        answers[answer.domain].append(answer)
    return [
        _attempt(rows.get(domain) or Qualification(auditor=auditor, domain=domain), questions[domain], answers[domain])
        for domain in domains
    ]


def attempts_that_wait() -> list[Attempt]:
    """Calibrations that were begun or lapsed, of fields that ask for them, and wait for gold. Three statements."""
    rows = Qualification.objects.exclude(state=Qualification.State.PASSED).filter(
        auditor__user__is_active=True, auditor__user__grants__role=Role.REVIEWER
    )
    standing = list(rows.select_related("auditor").distinct())
    questions = _questions(domains={row.domain for row in standing})
    answers = defaultdict[tuple[UUID, str], list[Answer]](list)
    given = GoldAnswer.objects.filter(auditor__in=[row.auditor_id for row in standing])
    for answer in _answers(given):
        answers[answer.auditor, answer.domain].append(answer)
    attempts = [_attempt(row, questions[row.domain], answers[row.auditor_id, row.domain]) for row in standing]
    return [attempt for attempt in attempts if attempt.size >= CALIBRATION_SIZE and attempt.missing]


def lacking_gold() -> list[tuple[str, int, int]]:
    """Fields in which calibrations wait: how many reviewers, and what the one of them who lacks most lacks."""
    missing = defaultdict[str, list[int]](list)
    for attempt in attempts_that_wait():
        missing[attempt.domain].append(attempt.missing)
    return [(domain, len(lacks), max(lacks)) for domain, lacks in sorted(missing.items())]


def _questions(*, domains: Iterable[str]) -> dict[str, list[Question]]:
    """The calibration sets of fields, as far as they are in use."""
    purpose = GoldSegment.Purpose.CALIBRATION
    rows = GoldSegment.objects.filter(domain__in=list(domains), purpose=purpose, is_active=True)
    questions = defaultdict[str, list[Question]](list)
    since = Coalesce("reviewed_at", "created")
    for gold, domain, at, *knowers in rows.values_list("pk", "domain", since, "author", "reviewed_by"):
        questions[domain].append(Question(gold, domain, at, tuple(knowers)))
    return questions


def _answers(rows: QuerySet[GoldAnswer]) -> list[Answer]:
    return [Answer(*row) for row in rows.values_list("auditor", "gold", "gold__domain", "attempt", "is_right", "at")]


def _attempt(row: Qualification, questions: Sequence[Question], answers: Sequence[Answer]) -> Attempt:
    told, current = {answer.gold for answer in answers}, [one for one in answers if one.attempt == row.attempt]
    began = min((answer.at for answer in current), default=None)
    untold = [one for one in questions if one.gold not in told and row.auditor.user_id not in one.knowers]
    return Attempt(
        domain=row.domain,
        state=row.state,
        attempt=row.attempt,
        right=sum(answer.is_right for answer in current),
        answered=len(current),
        size=len(questions),
        untold=frozenset(one.gold for one in untold),
        left=frozenset(one.gold for one in untold if began is None or one.since <= began),
    )
