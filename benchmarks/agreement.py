"""Agreement on 1,000,000 votes: point statistics within 5 s, 200 resamples within 60 s, beside a PyPI peer."""

import time

import krippendorff
import numpy as np

from auditing.research.agreement.core import (
    Coefficient,
    compare_pairs,
    estimate_agreement,
    measure_agreement,
    tabulate_votes,
)

VOTES, SEATS, POOL = 1_000_000, 7, 300


def simulated_votes() -> list[tuple[int, int, str]]:
    """A million votes: seven different auditors of 300 on each item, right with probability .75."""
    rng = np.random.default_rng(7)
    items = -(-VOTES // SEATS)
    truth = rng.random(items) < 0.8
    first, stride = rng.integers(0, POOL, items), rng.integers(1, 40, items)
    said = np.where(rng.random((items, SEATS)) < 0.75, truth[:, None], ~truth[:, None])
    auditors = (first[:, None] + stride[:, None] * np.arange(SEATS)) % POOL
    flat = zip(
        np.repeat(np.arange(items), SEATS).tolist(), auditors.ravel().tolist(), said.ravel().tolist(), strict=True
    )
    return [(item, auditor, "pass" if vote else "fail") for item, auditor, vote in flat][:VOTES]


def main() -> None:
    """Print each figure beside its limit or peer."""
    votes = simulated_votes()
    started = time.perf_counter()
    table = tabulate_votes(votes=votes, categories=["fail", "pass"])
    points = measure_agreement(counts=table.counts())
    tabulated = time.perf_counter()
    compare_pairs(table=table)
    paired = time.perf_counter()
    print(
        f"point statistics of {len(votes):,} votes {tabulated - started:.2f} s (limit 5 s), "
        f"pairs {paired - tabulated:.2f} s"
    )
    estimate_agreement(counts=table.counts(), rng=np.random.default_rng(1), resamples=200)
    print(f"200 bootstrap resamples {time.perf_counter() - paired:.2f} s (limit 60 s)")
    started = time.perf_counter()
    measure_agreement(counts=table.counts())
    ours = time.perf_counter() - started
    started = time.perf_counter()
    peer = krippendorff.alpha(value_counts=table.counts(), level_of_measurement="nominal")
    other = time.perf_counter() - started
    gap = abs(points[Coefficient.ALPHA_NOMINAL].value - peer)
    print(
        f"four coefficients {ours:.3f} s, PyPI krippendorff one of them {other:.3f} s, "
        f"ratio {ours / other:.2f}, gap {gap:.1e}"
    )


if __name__ == "__main__":
    main()
