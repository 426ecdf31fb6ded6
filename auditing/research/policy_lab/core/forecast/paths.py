"""What can become of one unit under a policy: every course of its rounds, with its probability and its seats.

A course is a row of tallies, such as (the computer abstains; 2 of 5 pass: hung; the adjudicator fails it). They are
enumerated, and each is decided by the rules that decide real rounds (core/consensus): the forecast cannot differ.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import comb

from auditing.core.consensus import SegmentDecision, Tally, adjudicate_segment, decide_segment, tally_round
from auditing.core.policy.parameters import Policy
from auditing.core.values import Choice, Outcome, Tier, Vote
from auditing.research.policy_lab.core.guarantees import seat_accuracy


@dataclass(frozen=True, slots=True)
class Unit:
    """What is judged at once, as routing leaves it: tiers in order, seats of the first of them, weight in W.

    decided: what the computer tier found for certain; then nobody is asked. rests: whether the answer rests on it.
    """

    tiers: tuple[Tier, ...]
    k: int
    weight: float = 1.0
    rests: bool = True
    decided: Outcome | None = None


@dataclass(frozen=True, slots=True)
class Path:
    """One course of a unit's rounds to its end, with its probability if the unit is right and if it is wrong."""

    outcome: Outcome
    paper_outcome: Outcome
    posterior: float
    tier: Tier  # of the last round
    if_right: float
    if_wrong: float
    people: int  # seats
    models: int
    rounds: int  # of people, one after another
    adjudicated: bool


def unit_paths(*, unit: Unit, policy: Policy) -> tuple[Path, ...]:
    """All courses of a unit at the policy's planning values; each column of probabilities sums to one.

    Everybody votes, independently, right with probability (1 - rho)(1 - eps) of the tier; an adjudicator errs with
    policy.adjudicator_error. Models count as families of their own.

    >>> from auditing.core.policy import DEFAULT
    >>> paths = unit_paths(unit=Unit(tiers=(Tier.HUMAN,), k=5), policy=DEFAULT)
    >>> round(sum(path.if_right for path in paths), 9), round(sum(path.if_wrong for path in paths), 9)
    (1.0, 1.0)
    """
    if unit.decided is not None:
        return (_certain(unit.decided, policy),)
    return _paths(unit.tiers, unit.k, policy)


@lru_cache(maxsize=4096)
def _paths(tiers: tuple[Tier, ...], k: int, policy: Policy) -> tuple[Path, ...]:
    # The computer tier has looked and abstained: where it decides, the unit says so.
    looked = _tally(Tier.COMPUTER, 1, {Choice.ABSTAIN: 1}, policy)
    return tuple(_after(_Course((looked,), 1.0, 1.0), tiers, k, policy))


@dataclass(frozen=True, slots=True)
class _Course:
    """The rounds so far."""

    tallies: tuple[Tally, ...]
    if_right: float
    if_wrong: float
    people: int = 0
    models: int = 0
    rounds: int = 0


def _after(course: _Course, tiers: tuple[Tier, ...], k: int, policy: Policy) -> Iterator[Path]:
    """The ends that a course can still reach."""
    decision = decide_segment(tallies=course.tallies, tiers=tiers, policy=policy)
    if decision.outcome is not None:
        yield _end(course, decision)
    elif decision.adjudicate:
        yield from _adjudicated(course, policy)
    else:
        tier = decision.next_tier or Tier.HUMAN
        seats = k if tier is tiers[0] else policy.tier(tier).k
        for following in _next_rounds(course, tier, seats, policy):
            yield from _after(following, tiers, k, policy)


def _next_rounds(course: _Course, tier: Tier, seats: int, policy: Policy) -> Iterator[_Course]:
    rules = policy.tier(tier)
    # The planned tier "computer" has no error: it abstains on what it cannot decide.
    accuracy = seat_accuracy(error=float(rules.error), malicious=float(rules.malicious))
    is_human = tier is Tier.HUMAN
    for passes in range(seats + 1) if tier is not Tier.COMPUTER else ():
        votes = {Choice.PASS: passes, Choice.FAIL: seats - passes}
        yield _Course(
            (*course.tallies, _tally(tier, seats, votes, policy)),
            course.if_right * comb(seats, passes) * accuracy**passes * (1 - accuracy) ** (seats - passes),
            course.if_wrong * comb(seats, passes) * (1 - accuracy) ** passes * accuracy ** (seats - passes),
            course.people + seats * is_human,
            course.models + seats * (not is_human),
            course.rounds + is_human,
        )


def _adjudicated(course: _Course, policy: Policy) -> Iterator[Path]:
    error = float(policy.adjudicator_error)
    for choice, if_right, if_wrong in ((Choice.PASS, 1 - error, error), (Choice.FAIL, error, 1 - error)):
        tallies = (*course.tallies, _tally(Tier.HUMAN, 1, {choice: 1}, policy))
        heard = _Course(
            tallies,
            course.if_right * if_right,
            course.if_wrong * if_wrong,
            course.people,
            course.models,
            course.rounds + 1,
        )
        yield _end(heard, adjudicate_segment(tallies=tallies, policy=policy))


def _end(course: _Course, decision: SegmentDecision) -> Path:
    last = course.tallies[-1]
    return Path(
        outcome=decision.outcome or Outcome.UNDECIDED,
        paper_outcome=last.paper_outcome,
        posterior=float(decision.posterior),
        tier=last.tier,
        if_right=course.if_right,
        if_wrong=course.if_wrong,
        people=course.people,
        models=course.models,
        rounds=course.rounds,
        adjudicated=decision.adjudicated,
    )


def _tally(tier: Tier, seats: int, votes: Mapping[Choice, int], policy: Policy) -> Tally:
    cast = [Vote(choice=choice, tier=tier) for choice, count in votes.items() for _ in range(count)]
    return tally_round(votes=cast, policy=policy, tier=tier, k=seats, redraws=policy.max_redraws)


def _certain(outcome: Outcome, policy: Policy) -> Path:
    """What a checker decided, whatever the truth: nobody is asked."""
    tally = _tally(Tier.COMPUTER, 1, {Choice(outcome): 1}, policy)
    return Path(outcome, outcome, float(tally.posterior), Tier.COMPUTER, 1.0, 1.0, 0, 0, 0, False)
