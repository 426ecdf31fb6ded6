"""From the votes of a case to a verdict and the probability that the trace is right: the rules that arms are read by.

Every rule reads all cases of an arm at once, so that one that learns its weights can learn them on the other half.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import exp, log

from auditing.core.consensus import quorum_outcome
from auditing.core.consensus.planning.evidence import PassageState, evidence_ratio, trace_right
from auditing.core.consensus.skills import prior_skill
from auditing.core.policy import DEFAULT, PAPER
from auditing.core.values import Choice, Outcome, Tier, Vote
from auditing.research.studies.arms.recording import ArmVote, Case

__all__ = [
    "ENSEMBLES",
    "Judged",
    "Rule",
    "accuracy_of_majority",
    "decide_by_passages",
    "decide_by_share",
    "decide_by_weight",
    "read_arm",
]

_SURE = 1e-6  # no probability of a learned rule lies nearer to 0 or 1


@dataclass(frozen=True, slots=True)
class Judged:
    """A case under a rule: P(right), .5 where nothing speaks for either side, and whether the trace passes."""

    is_right: bool
    probability: float
    passes: bool


Rule = Callable[[Sequence[Case]], list[Judged]]


def read_arm(*, name: str, cases: Sequence[Case]) -> Iterator[tuple[str, Sequence[Case], Rule]]:
    """(row, cases, rule) of every way to read an arm.

    In pieces: our rule and the paper's. In one piece: each auditor of a tier of models alone and the four ensembles of
    them; of people the majority.
    """
    if not all(case.is_whole for case in cases):
        yield name, cases, decide_by_passages
        yield f"{name}, the paper's W", cases, decide_by_weight
        return
    models = sorted({vote.auditor for case in cases for vote in case.votes if vote.tier is not Tier.HUMAN})
    if not models:
        yield name, cases, decide_by_share
        return
    for model in models:
        alone = [
            Case(case.trace, case.is_right, votes)
            for case in cases
            if (votes := tuple(vote for vote in case.votes if vote.auditor == model))
        ]
        yield f"{name}: {model}", alone, decide_by_share
    # An ensemble of one model is that model, which has a row already.
    if len(models) > 1:
        for ensemble, rule in ENSEMBLES.items():
            yield f"{name}: {ensemble}", cases, rule


def decide_by_share(cases: Sequence[Case]) -> list[Judged]:
    """More passes than fails; the probability is the share of passes."""
    return [_by_share(case, Fraction(1, 2)) for case in cases]


def accuracy_of_majority(cases: Sequence[Case]) -> float:
    """Share of cases on which the majority is true."""
    return sum(judged.passes == judged.is_right for judged in decide_by_share(cases)) / len(cases)


def decide_by_supermajority(cases: Sequence[Case]) -> list[Judged]:
    """At least two thirds of the votes pass."""
    return [_by_share(case, Fraction(2, 3) - Fraction(1, 10**9)) for case in cases]


def decide_unanimously(cases: Sequence[Case]) -> list[Judged]:
    """Every vote passes."""
    return [_by_share(case, 1 - Fraction(1, 10**9)) for case in cases]


def decide_by_skill(cases: Sequence[Case]) -> list[Judged]:
    """Log-odds of what each auditor's word is worth, learned on the other half of the traces, one pseudo-count each."""
    judged: dict[int, Judged] = {}
    for half in (0, 1):
        worth = _worth([case for number, case in enumerate(cases) if number % 2 != half])
        for number, case in enumerate(cases):
            if number % 2 == half:
                odds = sum(worth[vote.auditor, vote.choice] for vote in case.votes if vote.choice is not Choice.ABSTAIN)
                probability = min(1 - _SURE, max(_SURE, 1 / (1 + exp(-max(-50.0, min(50.0, odds))))))
                judged[number] = Judged(case.is_right, probability, odds > 0)
    return [judged[number] for number in range(len(cases))]


def decide_by_passages(cases: Sequence[Case]) -> list[Judged]:
    """Our rule: P(no unit is wrong | its votes), the first error in any unit alike; a refutation fails the trace."""
    base = Fraction(DEFAULT.trace_base_rate)
    return [
        Judged(case.is_right, float(right), right > Fraction(1, 2))
        for case in cases
        for right in [trace_right(passages=_states(case), base_rate=base)]
    ]


def decide_by_weight(cases: Sequence[Case]) -> list[Judged]:
    """The paper's rule: units pass by quorum, W = weights of those that passed, against beta times all weights."""
    return [_by_weight(case) for case in cases]


ENSEMBLES: Mapping[str, Rule] = {
    "majority": decide_by_share,
    "supermajority": decide_by_supermajority,
    "weighted": decide_by_skill,
    "unanimous": decide_unanimously,
}


def _by_share(case: Case, needed: Fraction) -> Judged:
    counts = Counter(vote.choice for vote in case.votes)
    cast = counts[Choice.PASS] + counts[Choice.FAIL]
    share = Fraction(counts[Choice.PASS], cast) if cast else Fraction(1, 2)
    return Judged(case.is_right, float(share), bool(cast) and share > needed)


def _worth(cases: Sequence[Case]) -> Mapping[tuple[str, Choice], float]:
    """log P(choice | right) - log P(choice | wrong) of every auditor; 0 for one who was not seen."""
    seen: Counter[tuple[str, Choice, bool]] = Counter(
        (vote.auditor, vote.choice, case.is_right) for case in cases for vote in case.votes
    )
    worth: defaultdict[tuple[str, Choice], float] = defaultdict(float)
    for auditor in {name for name, _, _ in seen}:
        for choice, opposite in ((Choice.PASS, Choice.FAIL), (Choice.FAIL, Choice.PASS)):
            chances = [
                (seen[auditor, choice, truth] + 1) / (seen[auditor, choice, truth] + seen[auditor, opposite, truth] + 2)
                for truth in (True, False)
            ]
            worth[auditor, choice] = log(chances[0]) - log(chances[1])
    return worth


def _states(case: Case) -> list[PassageState]:
    by_unit: dict[str, list[ArmVote]] = {unit: [] for unit in case.units}
    for vote in case.votes:
        by_unit[vote.unit].append(vote)
    return [_state(unit, votes) for unit, votes in by_unit.items()]


def _state(unit: str, votes: Sequence[ArmVote]) -> PassageState:
    """The computer's word is certain; without one, what the votes of people and models say together."""
    by_computer = {vote.choice for vote in votes if vote.tier is Tier.COMPUTER} - {Choice.ABSTAIN}
    if by_computer:
        is_refuted = Choice.FAIL in by_computer
        return PassageState(passage=unit, is_refuted=is_refuted, is_proved=not is_refuted)
    counts = Counter((vote.tier, vote.choice) for vote in votes)
    return PassageState(passage=unit, ratio=_ratio(tuple(sorted(counts.items()))))


@lru_cache(maxsize=4096)
def _ratio(counts: tuple[tuple[tuple[Tier, Choice], int], ...]) -> Fraction:
    """The evidence of so many votes of each kind, by auditors of whom no more than their tier is known."""
    votes = [
        Vote(choice, f"{tier} {choice} {number}", tier) for (tier, choice), count in counts for number in range(count)
    ]
    skills = {vote.auditor: prior_skill(policy=DEFAULT, tier=vote.tier) for vote in votes}
    return evidence_ratio(votes=votes, skills=skills, policy=DEFAULT)


def _by_weight(case: Case) -> Judged:
    passed = total = Fraction(0)
    for unit in case.units:
        votes = [vote for vote in case.votes if vote.unit == unit and vote.choice is not Choice.ABSTAIN]
        tier = votes[0].tier if votes else Tier.HUMAN
        weight = Fraction(PAPER.tier(tier).weight)
        passes = sum(vote.choice is Choice.PASS for vote in votes)
        # Simple quorum of the paper, at least half; both or neither is no pass.
        needed = (len(votes) + 1) // 2 or 1
        outcome = quorum_outcome(passes=passes, fails=len(votes) - passes, need_pass=needed, need_fail=needed)
        passed, total = passed + weight * (outcome is Outcome.PASS), total + weight
    share = passed / total if total else Fraction(1, 2)
    return Judged(case.is_right, float(share), share >= Fraction(PAPER.beta))
