"""Study `adversaries`: every aggregation rule against every adversary (docs/formulas.md section 6, own generator).

Gold-only and gold-initialised EM must land within 1.5 points of their 20-seed references, `auto` within one point
of the better of the two, and above crowd-kit's Dawid-Skene, GLAD and MACE from 30 % malicious on. Two-coin EM is timed
beside crowd-kit's Dawid-Skene on the same draw, in turns.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace

import numpy as np

from auditing.core.consensus.ballots import Floats
from auditing.core.consensus.calibration import brier
from auditing.core.consensus.rules import by_majority, by_quorum, by_reputation, choose_rule
from auditing.core.consensus.two_coin import Priors, dawid_skene, gold_initialised_em, gold_only
from auditing.core.policy import ConsensusRule
from auditing.research.population.pool import Attack, Drawn, World, draw_world, without_gold
from auditing.research.studies.instruments.runner import Cell, Report, Run, Table, study

# Of malicious auditors in the pool.
SHARES = (0.0, 0.1, 0.2, 0.3, 0.4)
# crowd-kit's methods take seconds a draw, so they run only where the claim is made.
PEER_SHARES = (0.3, 0.4)
# Mean accuracy over 20 seeds for each of SHARES (docs/formulas.md, section 6).
REFERENCE = {
    "gold-only log-odds": (0.866, 0.900, 0.923, 0.943, 0.964),
    "gold-initialised EM": (0.870, 0.943, 0.973, 0.989, 0.997),
    "majority": (0.875, 0.802, 0.704, 0.569, 0.431),
}
# Two-coin EM claims to be this many times as fast as crowd-kit's Dawid-Skene.
FASTER = 20
SIMULATED = "a pool of auditors, honest, rubber-stamping and malicious, and every vote that it casts."
PRIORS = Priors()
Method = Callable[[Drawn], Floats]


@dataclass(frozen=True, slots=True)
class Score:
    """One method on one draw, over the segments outside gold."""

    accuracy: float
    f1: float
    brier: float
    milliseconds: float


Cells = dict[str, list[list[Score]]]
Task = tuple[World, tuple[str, ...], int, int]  # world, methods, the run's seed, the draw's stream


def _auto(drawn: Drawn, *, flag: bool = False) -> Floats:
    choice = choose_rule(ballots=drawn.ballots, priors=PRIORS, collusion=flag)
    rule = gold_initialised_em if choice.rule is ConsensusRule.TWO_COIN_EM else gold_only
    return rule(ballots=drawn.ballots, priors=PRIORS).posterior


OURS: dict[str, Method] = {
    "majority": lambda drawn: by_majority(ballots=drawn.ballots, priors=PRIORS),
    "quorum tau = .6": lambda drawn: by_quorum(ballots=drawn.ballots, priors=PRIORS, tau=0.6),
    "reputation log-odds": lambda drawn: by_reputation(ballots=without_gold(drawn=drawn), priors=PRIORS),
    "Dawid-Skene (ours)": lambda drawn: dawid_skene(ballots=drawn.ballots, priors=PRIORS).posterior,
    # Without gold the prior has to tell right from wrong, hence a stronger one than PRIORS.
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
            # A label that nobody cast has no column in crowd-kit's frame.
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
    started = time.process_time()
    posterior = method(drawn)[drawn.scored]
    spent = 1000 * (time.process_time() - started)
    truth = drawn.truth[drawn.scored]
    # An error is "found" when the method rejects it: precision and recall are about wrong segments.
    verdicts = (posterior > 0.5).astype(np.int64)
    hits, flagged, wrong = ((verdicts == 0) & (truth == 0)).sum(), (verdicts == 0).sum(), (truth == 0).sum()
    f1 = float(2 * hits / max(1, flagged + wrong))
    return Score(float((verdicts == truth).mean()), f1, brier(posterior=posterior, truth=truth), spent)


def run_cells(*, world: World, methods: Iterable[str], seeds: int, run: Run, shares: Sequence[float] = SHARES) -> Cells:
    """method -> share of malicious -> scores by seed. Every method sees the same draws, whoever computes them."""
    method_names = tuple(methods)
    cells: Cells = {name: [] for name in method_names}
    for number, share in enumerate(shares):
        run.say(f"{world.attack}, {100 * share:.0f} % malicious", number / len(shares))
        by_seed = _scores_by_seed(run, replace(world, malicious=share), method_names, seeds)
        for column, name in enumerate(method_names):
            cells[name].append([scores[column] for scores in by_seed])
    return cells


def _scores_by_seed(run: Run, world: World, method_names: tuple[str, ...], seeds: int) -> list[list[Score]]:
    """The scores of every method by seed in one world, one piece of the run."""

    def make() -> list[list[dict[str, float]]]:
        tasks = [(world, method_names, run.seed, seed) for seed in range(seeds)]
        return [[asdict(result) for result in scores] for scores in _mapped(tasks, run.number("processes", 1))]

    # Everything that the scores depend on, so that a resumed run never takes those of another world.
    key = f"{world.attack} {world.malicious} {world.stampers} {len(method_names)} {seeds}"
    return [[Score(**result) for result in scores] for scores in run.piece(key=key, make=make)]


def _mapped(tasks: Sequence[Task], processes: int) -> Iterable[list[Score]]:
    """The scores of each task in order, by that many processes."""
    if processes == 1:
        yield from map(_run_task, tasks)
        return
    with ProcessPoolExecutor(processes) as pool:
        yield from pool.map(_run_task, tasks)


def _run_task(task: Task) -> list[Score]:
    world, method_names, first, stream = task
    # Same seed and stream, same draw: every method sees the same votes, in whichever process.
    drawn = draw_world(world=world, rng=Run(seed=first).rng(stream=stream))
    methods = OURS | (crowd_kit_methods() if set(method_names) - set(OURS) else {})
    return [score(drawn=drawn, method=methods[name]) for name in method_names]


def mean(scores: Sequence[Score], field: str = "accuracy") -> float:
    """Mean of one field over seeds."""
    return float(np.mean([getattr(result, field) for result in scores]))


def paired_interval(left: Sequence[Score], right: Sequence[Score]) -> tuple[float, float, float]:
    """(mean, low, high) of the difference in accuracy, paired by seed, normal 95 %."""
    gap = np.array([a.accuracy - b.accuracy for a, b in zip(left, right, strict=True)])
    # Pairing by seed removes the luck of the draw from the difference.
    half = 1.96 * float(gap.std(ddof=1)) / len(gap) ** 0.5 if len(gap) > 1 else 0.0
    return float(gap.mean()), float(gap.mean()) - half, float(gap.mean()) + half


@study(
    "adversaries",
    "Aggregation rules against adversaries, beside crowd-kit",
    options=("seeds", "peer_seeds", "peers", "processes"),
)
def adversaries(run: Run) -> Report:
    """Options: seeds (20), peer_seeds (1, or 20 at full size; 0 leaves crowd-kit out), peers (all), processes (1)."""
    seeds = run.number("seeds", 20)
    peer_seeds = run.number("peer_seeds", 20 if run.full else 1)
    main = run_cells(world=World(), methods=OURS, seeds=seeds, run=run)
    peers = [name for name in crowd_kit_methods() if run.options.get("peers", "") in name] if peer_seeds else []
    # Peers take minutes a seed and get fewer; "auto" runs again on those seeds, to be compared in pairs.
    beside = run_cells(world=World(), methods=["auto", *peers], seeds=peer_seeds, run=run, shares=PEER_SHARES)
    tables = [
        _table("Accuracy, 30 % rubber-stampers, malicious always wrong", main, "accuracy"),
        _table("F1 of errors, same draws", main, "f1"),
        _table("Brier, same draws", main, "brier"),
        _reference_table(main),
        _paired_table("Accuracy minus gold-only, paired by seed, 95 %", main, "gold-only log-odds", SHARES),
    ]
    failures = reference_failures(main)
    if peers:
        title = f"Beside crowd-kit, same draws, means of {peer_seeds} seeds: "
        tables += [_table(f"{title}{field}", beside, field, PEER_SHARES) for field in ("accuracy", "f1", "brier")]
        tables += [_paired_table("Accuracy minus auto, paired by seed, 95 %", beside, "auto", PEER_SHARES)]
        tables += [_speed_table(speed := speed_ratio())]
        failures += [*peer_failures(beside), *speed_failures(speed)]
    tables += _strategic_tables(run, seeds)
    return Report(
        "Aggregation rules against adversaries", tables, failures or ["Every claim held."], not failures, SIMULATED
    )


def reference_failures(main: Cells) -> list[str]:
    """Cells more than 1.5 points off the reference, or where auto is more than a point below the better rule."""
    failures = []
    for number, share in enumerate(SHARES):
        for name in ("gold-only log-odds", "gold-initialised EM"):
            gap = mean(main[name][number]) - REFERENCE[name][number]
            if abs(gap) > 0.015:
                failures.append(f"{name} at {share}: {gap:+.3f} off its reference")
        better = max(mean(main[name][number]) for name in ("gold-only log-odds", "gold-initialised EM"))
        if mean(main["auto"][number]) < better - 0.01:
            failures.append(f"auto at {share}: more than a point below {better:.3f}")
    return failures


def peer_failures(beside: Cells) -> list[str]:
    """Cells from 30 % malicious on where crowd-kit is not below auto."""
    return [
        f"{name} at {share}: not below auto"
        for name, cells in beside.items()
        for number, share in enumerate(PEER_SHARES)
        if name != "auto" and mean(cells[number]) >= mean(beside["auto"][number])
    ]


def _table(title: str, cells: Cells, field: str, shares: Sequence[float] = SHARES) -> Table:
    rows: list[list[Cell]] = [
        [
            name,
            *(round(mean(scores, field), 3) for scores in by_share),
            round(float(np.mean([mean(scores, "milliseconds") for scores in by_share])), 2),
        ]
        for name, by_share in cells.items()
    ]
    return Table(title, ["method", *(f"rho {share}" for share in shares), "ms"], rows)


def _reference_table(main: Cells) -> Table:
    rows = [
        [
            name,
            *(
                f"{mean(main[name][number]):.3f} ({mean(main[name][number]) - wanted:+.3f})"
                for number, wanted in enumerate(row)
            ),
        ]
        for name, row in REFERENCE.items()
    ]
    return Table("Beside the 20-seed reference (difference)", ["method", *(f"rho {s}" for s in SHARES)], rows)


def _paired_table(title: str, scores: Cells, base: str, shares: Sequence[float]) -> Table:
    rows: list[list[Cell]] = []
    for name, cells in scores.items():
        gaps = [paired_interval(cell, base_cell) for cell, base_cell in zip(cells, scores[base], strict=True)]
        rows.append([name, *(f"{gap:+.3f} [{low:+.3f}, {high:+.3f}]" for gap, low, high in gaps)])
    return Table(title, ["method", *(f"rho {s}" for s in shares)], rows)


def _speed_table(times: tuple[float, float]) -> Table:
    ours, peer = times
    rows: list[list[Cell]] = [["gold-initialised EM", ours], ["crowd-kit Dawid-Skene", peer], ["ratio", peer / ours]]
    return Table("Milliseconds of CPU on one draw, best of five in turns", ["", "ms"], rows)


def speed_failures(times: tuple[float, float]) -> list[str]:
    """Whether two-coin is not 20 times as fast as crowd-kit's Dawid-Skene."""
    ours, peer = times
    return [f"two-coin EM only {peer / ours:.1f} times as fast as crowd-kit"] if peer < FASTER * ours else []


def _strategic_tables(run: Run, seeds: int) -> list[Table]:
    tables = []
    for stampers in (0.0, 0.3):
        for attack in Attack:
            # This world is the main table.
            if attack is Attack.ALWAYS_WRONG and stampers:
                continue
            cells = run_cells(world=World(stampers=stampers, attack=attack), methods=OURS, seeds=seeds, run=run)
            tables.append(_table(f"Accuracy, {attack}, {100 * stampers:.0f} % rubber-stampers", cells, "accuracy"))
    return tables


def speed_ratio(*, repeats: int = 5) -> tuple[float, float]:
    """(CPU milliseconds of our gold-initialised EM, of crowd-kit's Dawid-Skene), best of `repeats`, on one draw."""
    drawn = draw_world(world=World(malicious=0.2), rng=np.random.default_rng(1))
    pair = OURS["gold-initialised EM"], crowd_kit_methods()["crowd-kit Dawid-Skene"]
    # In turns, so that a busy machine slows both; the best of several is the least disturbed.
    times = [[score(drawn=drawn, method=method).milliseconds for method in pair] for _ in range(repeats)]
    return min(pair_times[0] for pair_times in times), min(pair_times[1] for pair_times in times)


__all__ = ["adversaries", "crowd_kit_methods", "run_cells", "speed_ratio"]
