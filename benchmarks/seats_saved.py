"""Seats of people a trace: the first version (five on every undecided segment) beside today's waves, by public set.

Run: python -m benchmarks.seats_saved [--per-file N] [--stories N]. Both ask simulated reviewers
who are right in .833 of their votes, as the default plans, about right traces and traces with one wrong unit, drawn.
Errors: right traces not passed, undecided ones counted; wrong traces passed. Of a trace of which nothing is asked, for
the computer proved it, no wrong one is simulated. Bar: four times fewer seats on every set at equal or smaller both
errors, plan seats and adjudicators counted. Default: a miss costs 30 looks; surer: 50, as in medicine.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter, defaultdict
from dataclasses import replace
from fractions import Fraction

import numpy as np

from auditing.core.consensus.planning import PlanRules, plan_rules
from auditing.core.consensus.proportions import wilson_interval
from auditing.core.policy import DEFAULT
from auditing.core.values import Outcome
from auditing.research.policy_lab.core.planned_traces import PlannedTrace, simulate_waves
from benchmarks.passages import LEAST_LETTERS, audited, count, is_unread
from benchmarks.planner import fixed_trace
from benchmarks.public_traces import records

SEED = 17
RULES = plan_rules(policy=DEFAULT)
VERSIONS: dict[str, PlanRules | None] = {
    "before": None,
    "now": RULES,
    "surer": replace(RULES, theta_pass=1 - Fraction(1, 50)),
}


def ask(units: int, *, is_right: bool, rng: np.random.Generator, rules: PlanRules | None) -> PlannedTrace:
    """One simulated trace of so many units that people are asked about; none: it is passed without a seat."""
    if not units:
        return PlannedTrace(Outcome.PASS, 0, 0)
    votes = rng.random((units, RULES.cap)) < float(RULES.accuracy)
    wrong = None if is_right else int(rng.integers(units))
    if rules:
        return simulate_waves(votes=votes, wrong=wrong, rules=rules)
    return fixed_trace(votes, wrong, rng.random(units))


def tell(name: str, c: Counter[str]) -> str:
    """One line of the table."""
    cells = [f"{name:20s} {c['traces']:4d} traces"]
    for version in VERSIONS:
        pairs = ((c[f"{version} not passed"], c["right"]), (c[f"{version} passed"], c["wrong"]))
        bounds = [wilson_interval(count=count, of=of) for count, of in pairs]
        wrongly = [
            f"{count / of:.1%} [{bound.low:.1%}, {bound.high:.1%}]"
            for (count, of), bound in zip(pairs, bounds, strict=True)
        ]
        seats = c[f"{version} seats"] / (c["right"] + c["wrong"])
        fewer = c["before seats"] / max(1, c[f"{version} seats"])
        cells.append(
            f"{version}: {c[f'{version} units'] / c['traces']:.1f} units, {seats:.1f} seats ({fewer:.1f} times fewer), "
            f"not passed {wrongly[0]}, passed {wrongly[1]}"
        )
    return " | ".join(cells)


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
        row = Counter({"traces": 1, "before units": before, "now units": now, "surer units": now})
        # What the computer proved cannot be wrong.
        for is_right in (True, False)[: 2 if before and now else 1] * chosen.stories:
            row["right" if is_right else "wrong"] += 1
            for version, rules in VERSIONS.items():
                trace = ask(now if rules else before, is_right=is_right, rng=rng, rules=rules)
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
