"""Two-coin aggregation beside crowd-kit's Dawid-Skene on the same votes, in the same run: at least 20 times faster.

Run: python -m benchmarks.aggregators (crowd-kit from requirements-dev.txt).
"""

import numpy as np

from auditing.research.population.pool import World, draw_world
from auditing.research.studies.adversaries import OURS, crowd_kit_methods, score

FLOOR = 20


def main() -> None:
    """Print milliseconds and accuracy of each, and the ratio."""
    drawn = draw_world(world=World(malicious=0.2), rng=np.random.default_rng(1))
    methods = {name: OURS[name] for name in ("gold-only log-odds", "gold-initialised EM", "auto")}
    methods["crowd-kit Dawid-Skene"] = crowd_kit_methods()["crowd-kit Dawid-Skene"]
    best = {
        name: min((score(drawn=drawn, method=method) for _ in range(5)), key=lambda item: item.milliseconds)
        for name, method in methods.items()
    }
    peer = best["crowd-kit Dawid-Skene"].milliseconds
    for name, found in best.items():
        ratio = peer / found.milliseconds
        print(f"{name:24} {found.milliseconds:9.2f} ms   accuracy {found.accuracy:.3f}   {ratio:8.1f} times as fast")
    print(f"floor: gold-only and gold-initialised EM at least {FLOOR} times")


if __name__ == "__main__":
    main()
