"""Whether a campaign can be done by its deadline, before it opens: passages, seats, people at hand, in one sentence.

Reads Audit, Route, Round, User, Profile, Commitment. What was not measured here is said to be
assumed.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Q, Sum

from auditing.core.stages import AuditStage, RoundStage
from auditing.core.values import Tier
from auditing.models import Campaign, PolicyVersion, Round, Route
from auditing.research.policy_lab.selectors.people import Minutes, at_hand, minutes_a_verdict
from auditing.selectors.gold.decoys import ordinary_audits
from auditing.selectors.policy.versions import load_policy
from hdag.rendering.numbers import counted

ENOUGH_AUDITS, LAST_AUDITS = 5, 100
ASSUMED_PASSAGES = 8.0  # a trace, before the site has recorded ENOUGH_AUDITS
HOURS_A_DAY = 1.0  # of one reviewer beside other work; more is called too much


@dataclass(frozen=True, slots=True, kw_only=True)
class Feasibility:
    """What `traces` traces take, and who is there for it."""

    traces: int
    passages: float
    seats: float  # of people
    minutes: Minutes
    is_measured: bool  # passages and seats, on recorded audits of this site
    people: int
    needed: int  # at least, because nobody sits twice on a passage
    days: float | None  # until the deadline; None without one

    @property
    def hours(self) -> float:
        """Work of all people together."""
        return self.seats * self.minutes.each / 60

    @property
    def hours_a_day(self) -> float | None:
        """Of each person until the deadline."""
        if self.days is None or self.days <= 0 or not self.people:
            return None
        return self.hours / self.people / self.days

    @property
    def days_at_ease(self) -> int:
        """Days that the work takes when each gives HOURS_A_DAY."""
        return max(1, round(self.hours / max(1, self.people) / HOURS_A_DAY + 0.5))

    @property
    def trouble(self) -> str:
        """What stands in the way, "" where nothing does."""
        if not round(self.seats):
            return ""
        if self.people < self.needed:
            asks = "somebody" if self.needed == 1 else f"{self.needed} different people"
            there = counted(self.people, "is|are") if self.people else "nobody is"
            return f"a passage asks {asks}, and {there} at hand"
        if self.days is not None and self.days <= 0:
            return "the deadline has passed"
        if self.hours_a_day is not None and self.hours_a_day > HOURS_A_DAY:
            return (
                f"that is {_duration(self.hours_a_day)} a day of each; with an hour a day it takes "
                f"{counted(self.days_at_ease, 'day|days')}"
            )
        return ""

    @property
    def is_feasible(self) -> bool:
        """Whether nothing stands in the way."""
        return not self.trouble

    @property
    def sentence(self) -> str:
        """All of it in one sentence."""
        basis = "measured here" if self.is_measured else "assumed: too little was audited here"
        traces = counted(self.traces, "trace is|traces are")
        passages = counted(round(self.passages), "passage|passages")
        if not round(self.seats):
            return f"{traces} about {passages} ({basis}), of which people are asked about none."
        work = (
            f"{traces} about {passages} and {counted(round(self.seats), 'seat|seats')} of people ({basis}), "
            f"{_duration(self.hours)} of work at {counted(self.minutes.each, 'minute|minutes')} a verdict "
            f"({'measured' if self.minutes.is_measured else 'assumed'}), for "
            f"{counted(self.people, 'reviewer|reviewers')} at hand"
        )
        if self.trouble:
            return f"{work}: {self.trouble}."
        if self.hours_a_day is None:
            return f"{work}: with an hour a day of each it takes {counted(self.days_at_ease, 'day|days')}."
        return f"{work}: {_duration(self.hours_a_day)} a day of each until the deadline, which can be done."


def feasibility_of(
    *, traces: int, policy: PolicyVersion, domain: str, language: str, deadline: datetime | None, now: datetime
) -> Feasibility:
    """The figures for a campaign that is not open yet, open to every reviewer of its field."""
    rules = load_policy(version=policy, domain=domain)
    passages, seats, count = _measured(policy)
    is_measured = count >= ENOUGH_AUDITS
    if not is_measured:
        passages, seats = ASSUMED_PASSAGES, ASSUMED_PASSAGES * rules.human.k
    planned = Campaign(policy=policy, domain=domain, language=language, open_to_all=True)
    return Feasibility(
        traces=traces,
        passages=traces * passages,
        seats=traces * seats,
        minutes=minutes_a_verdict(),
        is_measured=is_measured,
        people=at_hand(campaign=planned, domain=domain).reviewers,
        needed=rules.human.k,
        days=None if deadline is None else (deadline - now) / timedelta(days=1),
    )


def _measured(policy: PolicyVersion) -> tuple[float, float, int]:
    """(passages, seats of people, audits): means over the newest recorded audits under this policy."""
    recorded = ordinary_audits().filter(stage=AuditStage.RECORDED, policy=policy)
    audits = list(recorded.order_by("-recorded_at").values_list("pk", flat=True)[:LAST_AUDITS])
    if not audits:
        return 0.0, 0.0, 0
    routed = Route.objects.filter(audit__in=audits).aggregate(count=Count("pk"))["count"]
    counted = Q(tier=Tier.HUMAN, adjudicates=False, stage=RoundStage.TALLIED)
    seats = Round.objects.filter(counted, audit__in=audits).aggregate(seats=Sum("k"))["seats"] or 0
    return routed / len(audits), seats / len(audits), len(audits)


def _duration(hours: float) -> str:
    """Minutes up to two hours: "1.0 hours" for 61 minutes would say that an hour is too much.

    >>> _duration(0.001), _duration(1.02), _duration(7)
    ('less than a minute', '61 minutes', '7 hours')
    """
    minutes = round(hours * 60)
    if minutes < 1:
        return "less than a minute"
    return counted(minutes, "minute|minutes") if minutes < 120 else counted(hours, "hour|hours")
