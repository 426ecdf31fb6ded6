"""Signs of conduct in the votes of reviewers, beside what is known of the passages. A flag decides nothing.

Reads Vote, Commitment, GoldTruth, ConductCase, CollusionRing.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.db.models.functions import Now

from auditing.core.consensus.posterior import posterior_valid
from auditing.core.consensus.skills import Skill
from auditing.core.policy import Policy
from auditing.core.stages import AuditStage
from auditing.core.values import Choice, Tier
from auditing.core.values import Vote as VoteValue
from auditing.core.voting.desk_signs import SignShare
from auditing.models import Auditor, CollusionRing, ConductCase, Vote
from auditing.research.conduct.core import (
    DECIDING,
    LABELS,
    Evidence,
    JudgedPassage,
    Sign,
    Suspicion,
    length_effect,
    open_decisions,
    order_effect,
    suspicion,
    two_sided,
)
from auditing.research.conduct.selectors.desk import desk_signs
from auditing.selectors.consensus.skills import skills_for
from auditing.selectors.gold.repeats import first_votes
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
    length_alarm: float | None  # share of honest readers whose time follows length as little; None: too few times
    desk: tuple[SignShare, ...]  # what the browser counted, beside how common it is
    on_gold: Suspicion  # the same bets over votes on gold alone
    in_ring: bool  # that an admin has flagged
    case: ConductCase | None  # what an admin decided last

    @property
    def is_flagged(self) -> bool:
        """Whether the bets have ever stood so high that an admin should look."""
        return self.suspicion.flagged_at is not None

    @property
    def evidence(self) -> Evidence:
        """What consequences rest on."""
        on_gold = self.on_gold.flagged_at is not None
        return Evidence(is_flagged=self.is_flagged, is_flagged_on_gold=on_gold, in_ring=self.in_ring)

    @property
    def decisions(self) -> list[tuple[str, str]]:
        """What an admin may decide on this evidence: value and label of each button."""
        return [(str(step), LABELS[step]) for step in open_decisions(evidence=self.evidence)]

    @property
    def signs(self) -> list[SignLine]:
        """Every bet, the loudest first."""
        lines = [
            SignLine(sign, alarm_of(wealth=self.suspicion.wealth[sign]), sign in DECIDING)
            for sign in Sign
            if sign in DECIDING or self.suspicion.wealth[sign]
        ]
        return sorted(lines, key=lambda line: line.false_alarm)


def alarm_of(*, wealth: float) -> float:
    """The share of honest reviewers against whom one bet ever stands so high, at most (Ville's inequality)."""
    return min(1.0, exp(-wealth))


def find_reviewer(*, key: UUID) -> Auditor | None:
    """A person who votes."""
    return Auditor.objects.filter(pk=key, tier=Tier.HUMAN, user__isnull=False).select_related("user").first()


def conduct_of(*, auditor: Auditor, is_deciding: bool = False) -> Conduct | None:
    """The signs in one reviewer's votes; None before ten of them are opened in finished audits.

    is_deciding: with what admins decided before and the rings that they flagged, which the person's own page reads
    elsewhere.
    """
    return next(iter(_conducts([auditor], is_deciding=is_deciding)), None)


def all_conducts() -> list[Conduct]:
    """Everybody who votes, flagged ones first, then by how rare their votes would be among honest reviewers."""
    people = Auditor.objects.filter(tier=Tier.HUMAN).select_related("user").order_by("pk")
    return sorted(_conducts(people, is_deciding=True), key=lambda row: (not row.is_flagged, row.suspicion.false_alarm))


def _conducts(auditors: Iterable[Auditor], *, is_deciding: bool) -> list[Conduct]:
    people = {auditor.pk: auditor for auditor in auditors}
    votes = _votes_of(list(people))
    # Most have fewer: nothing is said of them, and nothing more is read.
    version = latest_policy() if max(Counter(row[0] for row in votes).values(), default=0) >= LEAST else None
    if version is None:
        return []
    judged = _judged(votes, load_policy(version=version))
    decided = _decided(list(people)) if is_deciding else {}
    ringed = _ringed(list(people)) if is_deciding else set()
    desk = desk_signs()
    rows = []
    for key, passages in judged.items():
        if len(passages) >= LEAST:
            z = order_effect(votes=passages)
            alarm = None if z is None else two_sided(z=z)
            rows.append(
                Conduct(
                    auditor=people[key],
                    suspicion=suspicion(votes=passages),
                    order_alarm=alarm,
                    length_alarm=length_effect(votes=passages),
                    desk=desk.get(key, ()),
                    on_gold=suspicion(votes=[passage for passage in passages if passage.is_gold]),
                    in_ring=key in ringed,
                    case=decided.get(key),
                )
            )
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
    named = (
        first_votes(votes=votes)
        .annotate(truth=standing_truth())
        .values_list(*fields, f"{segment}start", f"{segment}end")
    )
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


def _decided(auditors: Sequence[UUID]) -> dict[UUID, ConductCase]:
    """auditor -> the newest case about them."""
    rows = ConductCase.objects.filter(auditor__in=auditors).annotate(has_ended=Q(until__lte=Now()))
    return {row.auditor_id: row for row in rows.order_by("created")}


def _ringed(auditors: Sequence[UUID]) -> set[UUID]:
    """Those who are members of a flagged ring."""
    rings = CollusionRing.objects.filter(cleared_at__isnull=True, members__in=auditors)
    return set(rings.values_list("members", flat=True))
