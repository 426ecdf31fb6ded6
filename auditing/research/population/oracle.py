"""What whoever knew every simulated auditor's true skill would believe of the same votes."""

from collections import defaultdict
from math import exp, log

from auditing.research.population.runs import Rehearsal


def oracle_posteriors(*, rehearsal: Rehearsal) -> list[float]:
    """P(valid) of every passage were each auditor's true skill known: counted over all own votes, on the same votes."""
    ballots, policy = rehearsal.ballots, rehearsal.setting.policy
    base = float(policy.base_rate)
    right: dict[tuple[int, bool], list[int]] = defaultdict(lambda: [1, 2])  # kept off 0 and 1 by a vote each way
    for segment, auditor, passed in zip(ballots.segment, ballots.auditor, ballots.passed, strict=True):
        valid = rehearsal.truth[segment]
        cell = right[int(auditor), valid]
        cell[0] += bool(passed) == valid
        cell[1] += 1
    odds = [log(base / (1 - base))] * ballots.segments
    for segment, auditor, passed in zip(ballots.segment, ballots.auditor, ballots.passed, strict=True):
        s, t = (cell[0] / cell[1] for cell in (right[int(auditor), True], right[int(auditor), False]))
        odds[segment] += log(s / (1 - t)) if passed else log((1 - s) / t)
    return [1 / (1 + exp(-min(700, max(-700, value)))) for value in odds]
