"""F27: simulated seats, some of them malicious, against the exact tail of Lemma 1; a false tail fails the same test."""

from dataclasses import dataclass

import numpy as np
import pytest

from auditing.research.policy_lab.core.guarantees import Group, pass_probability, tail, wrong_pass_probability

TRACES = 20_000
SIGMAS = 5.0  # one false alarm in two million comparisons


@dataclass(frozen=True, slots=True)
class Drawn:
    """One policy drawn by seed, and a trace of so many right segments."""

    k: int
    tau: float
    error: float
    malicious: float
    segments: int
    beta: float


def drawn(seed: int) -> Drawn:
    rng = np.random.default_rng(seed)
    return Drawn(
        k=int(rng.choice([1, 3, 5, 7, 9])),
        tau=float(rng.choice([0.5, 0.6, 0.75])),
        error=float(rng.uniform(0, 0.4)),
        malicious=float(rng.uniform(0, 0.5)),
        segments=int(rng.integers(1, 12)),
        beta=float(rng.uniform(0.3, 0.9)),
    )


def simulated_failures(case: Drawn, seed: int) -> float:
    """Share of right traces that fail: a malicious seat fails every segment, another errs by chance."""
    rng = np.random.default_rng(seed)
    shape = (TRACES, case.segments, case.k)
    is_right = (rng.random(shape) >= case.malicious) & (rng.random(shape) >= case.error)
    passed = is_right.sum(axis=2) >= np.ceil(case.tau * case.k - 1e-9)
    return float((passed.sum(axis=1) < case.beta * case.segments - 1e-9).mean())


def exact_failure(case: Drawn) -> float:
    p = pass_probability(k=case.k, tau=case.tau, error=case.error, malicious=case.malicious)
    return tail(groups=[Group(case.segments, p)], beta=case.beta)


def is_within(share: float, expected: float) -> bool:
    deviation = (expected * (1 - expected) / TRACES) ** 0.5
    return abs(share - expected) <= SIGMAS * deviation + 1 / TRACES


@pytest.mark.parametrize("seed", range(40))
def test_the_share_of_right_traces_that_fail_is_the_exact_tail(seed: int) -> None:
    case = drawn(seed)
    assert is_within(simulated_failures(case, seed), exact_failure(case)), case


def test_the_share_of_wrong_segments_that_malicious_seats_push_through_is_the_exact_one() -> None:
    for seed in range(40):
        case = drawn(seed)
        rng = np.random.default_rng(seed)
        is_fooled = (rng.random((TRACES, case.k)) < case.malicious) | (rng.random((TRACES, case.k)) < case.error)
        share = float((is_fooled.sum(axis=1) >= np.ceil(case.tau * case.k - 1e-9)).mean())
        exact = wrong_pass_probability(k=case.k, tau=case.tau, error=case.error, malicious=case.malicious)
        assert is_within(share, exact), case


def test_a_tail_that_forgets_the_malicious_seats_is_seen() -> None:
    cases = [drawn(seed) for seed in range(40)]
    forgetful = [Drawn(c.k, c.tau, c.error, 0.0, c.segments, c.beta) for c in cases]
    wrong = [
        not is_within(simulated_failures(case, seed), exact_failure(naive))
        for seed, (case, naive) in enumerate(zip(cases, forgetful, strict=True))
    ]
    assert sum(wrong) > 30
