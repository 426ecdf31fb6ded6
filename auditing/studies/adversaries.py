"""Study `adversaries`: every aggregation rule against every adversary (formulas.md section 6, own generator).

Gold-only and gold-initialised EM must land within 1.5 points of their 20-seed references, `auto` within one point
of the better of the two, and above crowd-kit's Dawid-Skene, GLAD and MACE from 30 % malicious on.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from auditing.core.consensus.ballots import Floats
from auditing.core.consensus.calibration import brier
from auditing.core.consensus.rules import by_majority, by_quorum, by_reputation, choose_rule
from auditing.core.consensus.two_coin import Priors, dawid_skene, gold_initialised_em, gold_only
from auditing.core.policy import ConsensusRule
from auditing.studies.pool import Attack, Drawn, World, draw_world, without_gold
from auditing.studies.runner import Cell, Report, Run, Table, study

SHARES = (0.0, 0.1, 0.2, 0.3, 0.4)
PEER_SHARES = (0.3, 0.4)
REFERENCE = {
    "gold-only log-odds": (0.866, 0.900, 0.923, 0.943, 0.964),
    "gold-initialised EM": (0.870, 0.943, 0.973, 0.989, 0.997),
    "majority": (0.875, 0.802, 0.704, 0.569, 0.431),
}
PRIORS = Priors()
Method = Callable[[Drawn], Floats]


@dataclass(frozen=True, slots=True)
class Score:
    """One method on one draw, over the segments outside gold."""

    accuracy: float
    f1: float
    brier: float
    milliseconds: float


def _auto(drawn: Drawn, *, flag: bool = False) -> Floats:
    choice = choose_rule(ballots=drawn.ballots, priors=PRIORS, collusion=flag)
    rule = gold_initialised_em if choice.rule is ConsensusRule.TWO_COIN_EM else gold_only
    return rule(ballots=drawn.ballots, priors=PRIORS).posterior


OURS: dict[str, Method] = {
    "majority": lambda drawn: by_majority(ballots=drawn.ballots, priors=PRIORS),
    "quorum tau = .6": lambda drawn: by_quorum(ballots=drawn.ballots, priors=PRIORS, tau=0.6),
    "reputation log-odds": lambda drawn: by_reputation(ballots=without_gold(drawn=drawn), priors=PRIORS),
    "Dawid-Skene (ours)": lambda drawn: dawid_skene(ballots=drawn.ballots, priors=PRIORS).posterior,
    "two-coin EM, no gold": lambda drawn: (
        gold_initialised_em(ballots=without_gold(drawn=drawn), priors=Priors(3.5, 1.5, 0.8)).posterior
    ),
    "gold-only log-odds": lambda drawn: gold_only(ballots=drawn.ballots, priors=PRIORS).posterior,
    "gold-initialised EM": lambda drawn: gold_initialised_em(ballots=drawn.ballots, priors=PRIORS).posterior,
    "auto": _auto,
    "auto, collusion flag set": lambda drawn: _auto(drawn, flag=True),
}


def crowd_kit_methods() -> dict[str, Method]:
    """crowd-kit's Dawid-Skene, GLAD and MACE; empty when it is not installed (it is needed for this study only)."""
    try:
        import pandas  # type: ignore[import-untyped]
        from crowdkit.aggregation import GLAD, MACE, DawidSkene
    except ImportError:
        return {}

    def wrap(make: Callable[[], object]) -> Method:
        def run(drawn: Drawn) -> Floats:
            ballots = drawn.ballots
            frame = pandas.DataFrame({"task": ballots.segment, "worker": ballots.auditor, "label": ballots.passed})
            shares = make().fit_predict_proba(frame)  # type: ignore[attr-defined]
            shares = shares.reindex(columns=[0, 1], fill_value=0.0).sort_index()
            return np.asarray(shares[1], dtype=np.float64)

        return run

    return {
        "crowd-kit Dawid-Skene": wrap(lambda: DawidSkene(n_iter=100)),
        "crowd-kit GLAD": wrap(lambda: GLAD(silent=True)),
        "crowd-kit MACE": wrap(lambda: MACE(verbose=0, random_state=0)),
    }


def score(*, drawn: Drawn, method: Method) -> Score:
    """Run one method on one draw."""
    started = time.perf_counter()
    posterior = method(drawn)[drawn.scored]
    spent = 1000 * (time.perf_counter() - started)
    truth = drawn.truth[drawn.scored]
    said = (posterior > 0.5).astype(np.int64)
    found, flagged, wrong = ((said == 0) & (truth == 0)).sum(), (said == 0).sum(), (truth == 0).sum()
    f1 = float(2 * found / max(1, flagged + wrong))
    return Score(float((said == truth).mean()), f1, brier(posterior=posterior, truth=truth), spent)


def run_cells(
    *, world: World, methods: dict[str, Method], seeds: int, run: Run, shares: Sequence[float] = SHARES
) -> dict[str, list[list[Score]]]:
    """method -> share of malicious -> scores by seed. Every method sees the same draws."""
    found: dict[str, list[list[Score]]] = {name: [] for name in methods}
    for number, share in enumerate(shares):
        draws = [draw_world(world=replace(world, malicious=share), rng=run.rng(stream=seed)) for seed in range(seeds)]
        for name, method in methods.items():
            found[name].append([score(drawn=drawn, method=method) for drawn in draws])
        run.say(f"{world.attack}, {100 * share:.0f} % malicious", (number + 1) / len(shares))
    return found


def mean(scores: Sequence[Score], field: str = "accuracy") -> float:
    """Mean of one field over seeds."""
    return float(np.mean([getattr(item, field) for item in scores]))


def paired_interval(left: Sequence[Score], right: Sequence[Score]) -> tuple[float, float, float]:
    """(mean, low, high) of the difference in accuracy, paired by seed, normal 95 %."""
    gap = np.array([a.accuracy - b.accuracy for a, b in zip(left, right, strict=True)])
    half = 1.96 * float(gap.std(ddof=1)) / len(gap) ** 0.5 if len(gap) > 1 else 0.0
    return float(gap.mean()), float(gap.mean()) - half, float(gap.mean()) + half


@study("adversaries", "Aggregation rules against adversaries, beside crowd-kit")
def adversaries(run: Run) -> Report:
    """Option seeds (20), peer_seeds (1, or 5 at full size; 0 leaves crowd-kit out)."""
    seeds = int(run.options.get("seeds", "20"))
    peer_seeds = int(run.options.get("peer_seeds", "5" if run.full else "1"))
    main = run_cells(world=World(), methods=OURS, seeds=seeds, run=run)
    peers = crowd_kit_methods() if peer_seeds else {}
    beside = (
        run_cells(world=World(), methods={"auto": OURS["auto"], **peers}, seeds=peer_seeds, run=run) if peers else {}
    )
    tables = [
        _table("Accuracy, 30 % rubber-stampers, malicious always wrong", main, "accuracy"),
        _table("F1 of errors, same draws", main, "f1"),
        _table("Brier, same draws", main, "brier"),
        _reference_table(main),
        _paired_table(main),
        *(
            [_table(f"Beside crowd-kit, accuracy, means of {peer_seeds} seeds", beside, "accuracy", PEER_SHARES)]
            if beside
            else []
        ),
        *_strategic_tables(run, seeds),
    ]
    failures = [*reference_failures(main), *peer_failures(beside)]
    return Report("Aggregation rules against adversaries", tables, failures or ["Every claim held."], not failures)


def reference_failures(main: dict[str, list[list[Score]]]) -> list[str]:
    """Cells more than 1.5 points off the reference, or where auto is more than a point below the better rule."""
    found = []
    for number, share in enumerate(SHARES):
        for name in ("gold-only log-odds", "gold-initialised EM"):
            gap = mean(main[name][number]) - REFERENCE[name][number]
            if abs(gap) > 0.015:
                found.append(f"{name} at {share}: {gap:+.3f} off its reference")
        better = max(mean(main[name][number]) for name in ("gold-only log-odds", "gold-initialised EM"))
        if mean(main["auto"][number]) < better - 0.01:
            found.append(f"auto at {share}: more than a point below {better:.3f}")
    return found


def peer_failures(beside: dict[str, list[list[Score]]]) -> list[str]:
    """Cells from 30 % malicious on where crowd-kit is not below auto."""
    return [
        f"{name} at {share}: not below auto"
        for name, cells in beside.items()
        for number, share in enumerate(PEER_SHARES)
        if name != "auto" and mean(cells[number]) >= mean(beside["auto"][number])
    ]


def _table(title: str, cells: dict[str, list[list[Score]]], field: str, shares: Sequence[float] = SHARES) -> Table:
    rows: list[list[Cell]] = [
        [name, *(round(mean(scores, field), 3) for scores in by_share),
         round(float(np.mean([mean(scores, "milliseconds") for scores in by_share])), 2)]
        for name, by_share in cells.items()
    ]  # fmt: skip
    return Table(title, ["method", *(f"rho {share}" for share in shares), "ms"], rows)


def _reference_table(main: dict[str, list[list[Score]]]) -> Table:
    rows = [
        [name, *(f"{mean(main[name][number]):.3f} ({mean(main[name][number]) - wanted:+.3f})"
                 for number, wanted in enumerate(row))]
        for name, row in REFERENCE.items()
    ]  # fmt: skip
    return Table("Beside the 20-seed reference (difference)", ["method", *(f"rho {s}" for s in SHARES)], rows)


def _paired_table(main: dict[str, list[list[Score]]]) -> Table:
    rows: list[list[Cell]] = []
    for name, cells in main.items():
        gaps = [paired_interval(cell, base) for cell, base in zip(cells, main["gold-only log-odds"], strict=True)]
        rows.append([name, *(f"{gap:+.3f} [{low:+.3f}, {high:+.3f}]" for gap, low, high in gaps)])
    return Table("Accuracy minus gold-only, paired by seed, 95 %", ["method", *(f"rho {s}" for s in SHARES)], rows)


def _strategic_tables(run: Run, seeds: int) -> list[Table]:
    found = []
    for stampers in (0.0, 0.3):
        for attack in Attack:
            if attack is Attack.ALWAYS_WRONG and stampers:
                continue
            cells = run_cells(world=World(stampers=stampers, attack=attack), methods=OURS, seeds=seeds, run=run)
            found.append(_table(f"Accuracy, {attack}, {100 * stampers:.0f} % rubber-stampers", cells, "accuracy"))
    return found


def speed_ratio(*, repeats: int = 5) -> tuple[float, float]:
    """(milliseconds of our gold-initialised EM, of crowd-kit's Dawid-Skene), best of `repeats`, on one draw."""
    drawn = draw_world(world=World(malicious=0.2), rng=np.random.default_rng(1))
    peer = crowd_kit_methods()["crowd-kit Dawid-Skene"]
    times = [[score(drawn=drawn, method=method).milliseconds for _ in range(repeats)]
             for method in (OURS["gold-initialised EM"], peer)]  # fmt: skip
    return min(times[0]), min(times[1])


__all__ = ["adversaries", "crowd_kit_methods", "run_cells", "speed_ratio"]
