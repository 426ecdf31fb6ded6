"""Signs of conduct in the votes of reviewers, beside what is known of the passages; rings. A flag decides nothing.

Reads Vote, Commitment, GoldTruth, AuditEvent.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from math import exp
from typing import Any
from uuid import UUID

from auditing.core.consensus.ballots import ballots_from_votes
from auditing.core.consensus.posterior import posterior_valid
from auditing.core.consensus.skills import Skill
from auditing.core.consensus.two_coin import Priors, gold_initialised_em
from auditing.core.events import EventKind
from auditing.core.policy import DEFAULT, Policy
from auditing.core.stages import AuditStage
from auditing.core.values import Choice, Tier
from auditing.core.values import Vote as VoteValue
from auditing.models import AuditEvent, Auditor, Vote
from auditing.research.conduct.core import (
    DECIDING,
    JudgedPassage,
    Pair,
    Sign,
    Suspicion,
    clustered,
    fitted_skills,
    order_effect,
    pairs_beyond_chance,
    suspicion,
    two_sided,
)
from auditing.selectors.consensus.skills import skills_for
from auditing.selectors.gold.truths import standing_truth
from auditing.selectors.policy.versions import latest_policy, load_policy

OPENED = (AuditStage.SETTLED, AuditStage.RECORDED)
MOST = 20_000  # votes that the page of all reviewers looks at, the newest
LEAST = 10  # votes before anything is said


@dataclass(frozen=True, slots=True)
class SignLine:
    """One bet in words: how often an honest reviewer would ever stand so high, at most."""

    sign: Sign
    false_alarm: float
    decides: bool


@dataclass(frozen=True, slots=True)
class Conduct:
    """What the votes of one reviewer show."""

    auditor: Auditor
    suspicion: Suspicion
    order_alarm: float | None  # share of honest reviewers whose votes follow each other so much; None: too few votes
    decided: str  # what an admin decided last, or ""
    decided_at: datetime | None

    @property
    def is_flagged(self) -> bool:
        """Whether the bets have ever stood so high that an admin should look."""
        return self.suspicion.flagged_at is not None

    @property
    def signs(self) -> list[SignLine]:
        """Every bet, the loudest first."""
        lines = [
            SignLine(sign, alarm_of(wealth=self.suspicion.wealth[sign]), sign in DECIDING)
            for sign in Sign
            if sign in DECIDING or self.suspicion.wealth[sign]
        ]
        return sorted(lines, key=lambda line: line.false_alarm)


@dataclass(frozen=True, slots=True)
class Ring:
    """Reviewers who are linked by pairs that agree beyond chance, given the truth, with the pairs behind it."""

    members: tuple[Auditor, ...]
    pairs: tuple[tuple[Auditor, Auditor, Pair], ...]


def alarm_of(*, wealth: float) -> float:
    """The share of honest reviewers against whom one bet ever stands so high, at most (Ville's inequality)."""
    return min(1.0, exp(-wealth))


def find_reviewer(*, key: UUID) -> Auditor | None:
    """A person who votes."""
    return Auditor.objects.filter(pk=key, tier=Tier.HUMAN, user__isnull=False).select_related("user").first()


def conduct_of(*, auditor: Auditor) -> Conduct | None:
    """The signs in one reviewer's votes; None before ten of them are opened in finished audits."""
    return next(iter(_conducts([auditor])), None)


def all_conducts() -> list[Conduct]:
    """Everybody who votes, flagged ones first, then by how rare their votes would be among honest reviewers."""
    people = Auditor.objects.filter(tier=Tier.HUMAN).select_related("user").order_by("pk")
    return sorted(_conducts(people), key=lambda row: (not row.is_flagged, row.suspicion.false_alarm))


def rings() -> list[Ring]:
    """Groups of reviewers who agree beyond chance, over the newest votes of people; largest first.

    The truth is what EM learns from the same votes, skills are as they show in them: a ring that is the majority is
    believed, and not found.
    """
    votes = Vote.objects.filter(
        seat__round__tier=Tier.HUMAN, seat__round__adjudicates=False, seat__round__audit__stage__in=OPENED
    ).exclude(choice=Choice.ABSTAIN)
    newest = votes.annotate(truth=standing_truth()).order_by("-revealed_at", "-pk")
    rows = list(newest.values_list("seat__round__segment", "seat__auditor", "choice", "truth")[:MOST])
    # An appeal may bring the same pair together again: the newest vote counts.
    choices = {(segment, auditor): choice == Choice.PASS for segment, auditor, choice, _ in reversed(rows)}
    truths: dict[Hashable, bool] = {segment: truth == Choice.PASS for segment, _, _, truth in rows if truth}
    if not choices:
        return []
    triples = ((segment, auditor, passed) for (segment, auditor), passed in choices.items())
    ballots, _, names = ballots_from_votes(votes=triples, gold=truths)
    # Votes of several policies stand together; what is believed before any vote moves the truth of few passages.
    rules, base = DEFAULT.tier(Tier.HUMAN), float(DEFAULT.base_rate)
    priors = Priors(float(rules.prior_right), float(rules.prior_wrong), base)
    learned = gold_initialised_em(ballots=ballots, priors=priors)
    skills = fitted_skills(ballots=ballots, valid=learned.posterior)
    pairs = pairs_beyond_chance(ballots=ballots, valid=learned.posterior, skills=skills)
    people = Auditor.objects.select_related("user").in_bulk(list(names))
    who = [people[name] for name in names]
    return [
        Ring(
            tuple(who[member] for member in sorted(ring)),
            tuple((who[pair.first], who[pair.second], pair) for pair in pairs if pair.first in ring),
        )
        for ring in clustered(pairs=pairs)
    ]


def _conducts(auditors: Iterable[Auditor]) -> list[Conduct]:
    people = {auditor.pk: auditor for auditor in auditors}
    votes = _votes_of(list(people))
    # Most have fewer: nothing is said of them, and nothing more is read.
    version = latest_policy() if max(Counter(row[0] for row in votes).values(), default=0) >= LEAST else None
    if version is None:
        return []
    judged = _judged(votes, load_policy(version=version))
    decisions = _decisions(list(people))
    rows = []
    for key, passages in judged.items():
        if len(passages) >= LEAST:
            word, moment = decisions.get(str(key), ("", None))
            z = order_effect(votes=passages)
            alarm = None if z is None else two_sided(z=z)
            rows.append(Conduct(people[key], suspicion(votes=passages), alarm, word, moment))
    return rows


def _votes_of(auditors: Sequence[UUID]) -> list[Any]:
    """Their opened votes as columns, in the order in which they were opened."""
    segment = "seat__round__segment__"
    gold = ("truth", "seat__round__audit__trace__decoy__misleads_models")
    fields = ("seat__auditor", "seat__round", "choice", *gold, "seat__commitment__active_ms")
    votes = Vote.objects.filter(
        seat__auditor__in=auditors,
        seat__round__tier=Tier.HUMAN,
        seat__round__adjudicates=False,
        seat__round__audit__stage__in=OPENED,
    ).exclude(choice=Choice.ABSTAIN)
    named = votes.annotate(truth=standing_truth()).values_list(*fields, f"{segment}start", f"{segment}end")
    return list(named.order_by("-revealed_at", "-pk")[:MOST])[::-1]


def _judged(rows: Sequence[Any], policy: Policy) -> dict[UUID, list[JudgedPassage]]:
    """The votes of each, with what is known of each passage without them."""
    beside = _votes_beside({row[1] for row in rows})
    everybody = {auditor for voters in beside.values() for auditor, _ in voters}
    skills = skills_for(auditors=Auditor.objects.filter(pk__in=everybody).select_related("endpoint"), policy=policy)
    judged: dict[UUID, list[JudgedPassage]] = defaultdict(list)
    for auditor, round, choice, truth, misleads, milliseconds, start, end in rows:
        valid = float(truth == Choice.PASS) if truth else _believed(beside[round], auditor, skills, policy)
        judged[auditor].append(
            JudgedPassage(
                passed=choice == Choice.PASS,
                valid=valid,
                is_gold=bool(truth),
                misleads_models=bool(truth and misleads),
                characters=end - start,
                # Programs and pages without a clock state 0: that says nothing.
                milliseconds=milliseconds or None,
            )
        )
    return judged


def _votes_beside(rounds: set[Any]) -> dict[Any, list[tuple[UUID, str]]]:
    """(auditor, choice) of every vote of these rounds."""
    beside: dict[Any, list[tuple[UUID, str]]] = defaultdict(list)
    votes = Vote.objects.filter(seat__round__in=rounds).values_list("seat__round", "seat__auditor", "choice")
    for round, auditor, choice in votes:
        beside[round].append((auditor, choice))
    return beside


def _believed(voters: Sequence[tuple[UUID, str]], auditor: UUID, skills: dict[str, Skill], policy: Policy) -> float:
    """P(valid) given everybody's votes but this auditor's."""
    others = [VoteValue(choice=Choice(choice), auditor=str(key)) for key, choice in voters if key != auditor]
    return float(posterior_valid(votes=others, skills=skills, policy=policy, prior=Fraction(policy.base_rate)))


def _decisions(auditors: Sequence[UUID]) -> dict[str, tuple[str, datetime]]:
    """auditor -> (word, moment) of the last decision of an admin."""
    keys = {str(key) for key in auditors}
    events = AuditEvent.objects.filter(kind=EventKind.CONDUCT_DECIDED).order_by("pk")
    return {row.body["auditor"]: (row.body["word"], row.at) for row in events if row.body["auditor"] in keys}
