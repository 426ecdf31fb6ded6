"""Seats of people a trace: the first version (five on every undecided segment) beside today's waves, by public set.

Run: python -m benchmarks.seats_saved [--per-file N] [--stories N]. Both ask simulated reviewers
who are right in .833 of their votes, as the default plans, about right traces and traces with one wrong unit, drawn.
Errors: right traces not passed, undecided ones counted; wrong traces passed. Bar: four times fewer seats on every set
at equal or smaller both errors, plan seats and adjudicators counted.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter, defaultdict

import numpy as np

from auditing.core.consensus.planning import plan_rules
from auditing.core.consensus.proportions import wilson_interval
from auditing.core.policy import DEFAULT
from auditing.core.values import Outcome
from auditing.research.policy_lab.core.planned_traces import PlannedTrace, simulate_waves
from benchmarks.passages import LEAST_LETTERS, audited, count, is_unread
from benchmarks.planner import fixed_trace
from benchmarks.public_traces import records

SEED = 17
RULES = plan_rules(policy=DEFAULT)


def ask(units: int, *, is_right: bool, rng: np.random.Generator, in_waves: bool) -> PlannedTrace:
    """One simulated trace of so many units that people are asked about; none: it is passed without a seat."""
    if not units:
        return PlannedTrace(Outcome.PASS, 0, 0)
    votes = rng.random((units, RULES.cap)) < float(RULES.accuracy)
    wrong = None if is_right else int(rng.integers(units))
    if in_waves:
        return simulate_waves(votes=votes, wrong=wrong, rules=RULES)
    return fixed_trace(votes, wrong, rng.random(units))


def tell(name: str, c: Counter[str]) -> str:
    """One line of the table."""
    cells = [f"{name:20s} {c['traces']:4d} traces"]
    for version in ("before", "now"):
        stories = c["stories"]
        not_passed, passed = (c[f"{version} {error}"] for error in ("not passed", "passed"))
        wrongly = [
            f"{count / stories:.1%} [{bound.low:.1%}, {bound.high:.1%}]"
            for count, bound in ((n, wilson_interval(count=n, of=stories)) for n in (not_passed, passed))
        ]
        seats = c[f"{version} seats"] / (2 * stories)
        cells.append(
            f"{version}: {c[f'{version} units'] / c['traces']:.1f} units, {seats:.1f} seats, not passed {wrongly[0]}, "
            f"passed {wrongly[1]}"
        )
    return " | ".join([*cells, f"{c['before seats'] / max(1, c['now seats']):.1f} times fewer"])


def main() -> None:
    """One line a set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--per-file", type=int, default=20)
    parser.add_argument("--stories", type=int, default=4, help="right and wrong traces simulated of each trace")
    chosen = parser.parse_args()
    sums: dict[str, Counter[str]] = defaultdict(Counter)
    for name, record in records(per_file=chosen.per_file):
        text = record.get("thinking") or " ".join(record.get("steps", ()))
        if is_unread(record["problem"]) or sum(map(str.isalnum, text)) < LEAST_LETTERS:
            continue
        before, _, now = count(audited(record))
        rng = np.random.default_rng(random.Random(f"{SEED} {text}").getrandbits(64))
        row = Counter({"traces": 1, "stories": chosen.stories, "before units": before, "now units": now})
        for story in range(2 * chosen.stories):
            is_right = story % 2 == 0
            for version, units in (("before", before), ("now", now)):
                trace = ask(units, is_right=is_right, rng=rng, in_waves=version == "now")
                row[f"{version} seats"] += trace.seats
                is_error = (trace.outcome is Outcome.PASS) != is_right
                # A wrong trace that is left undecided was not passed.
                if is_error and (is_right or trace.outcome is Outcome.PASS):
                    row[f"{version} {'not passed' if is_right else 'passed'}"] += 1
        for key in (name, "all"):
            sums[key].update(row)
    for name, c in sums.items():
        print(tell(name, c))


if __name__ == "__main__":
    main()
