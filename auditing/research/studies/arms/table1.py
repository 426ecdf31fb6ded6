"""Study `table1`: arms of an audit under corruption, replayed on recorded votes; the paper's table 1 and figure 5.

All eleven printed rows obey a(c) = a0 - c(2 a0 - 1): the FINAL decision is flipped with probability c, so that no
row can show robustness. Corrupting votes, or capturing auditors, is what an audit has to withstand. Options: dataset,
traces (most, 40), endpoint (names, comma separated), rates=same (on a piece nobody is better than on a whole trace).
"""

from collections.abc import Sequence

import numpy as np

from auditing.core.values import Tier
from auditing.research.studies.arms.copula import decision_flip, largest_residual, simulated_table
from auditing.research.studies.arms.corruption import Corruption, corrupt
from auditing.research.studies.arms.deciding import Judged, Rule, read_arm
from auditing.research.studies.arms.design import OPTIONS, SAME, Recording, record_votes
from auditing.research.studies.arms.figures import Measured, accuracy_of, gap, measure
from auditing.research.studies.arms.printed import FIGURE5_NOTE, SHARES, TABLE1
from auditing.research.studies.arms.public_replay import replay_public
from auditing.research.studies.arms.recording import Case, as_records
from auditing.research.studies.arms.simulated import EFFORT
from auditing.research.studies.instruments.labelled import DataMissingError
from auditing.research.studies.instruments.plots import cost_table, precision_recall, reliability
from auditing.research.studies.instruments.runner import Cell, Report, Run, Table, study

__all__ = ["COLUMNS", "arm_rows", "gap_table", "notes_of", "run_table1", "verdict_items"]

COLUMNS = (
    "arm",
    "traces",
    "accuracy",
    "low",
    "high",
    "F1",
    "low",
    "high",
    "Brier",
    "low",
    "high",
    "cost a trace",
    "low",
    "high",
    "seconds a trace",
    "low",
    "high",
)
Row = tuple[str, Sequence[Case], Rule]


@study("table1", "Arms of an audit under corruption: TRUST table 1 and figure 5", reads="arms", options=OPTIONS)
def run_table1(run: Run) -> Report:
    """Figure 5 and table 1 of our own votes, then the printed rows and what they are made of."""
    tables = list[Table]()
    notes, records, simulated = list[str](), list[dict[str, object]](), list[str]()
    items: Table | None = None
    try:
        recording = record_votes(run=run, study="table1", people=True, most=200 if run.full else _most(run))
    except DataMissingError as error:
        # The printed table and chance need no traces; one's own file, or an endpoint, was asked for.
        if run.file is not None or run.options.get("endpoint"):
            raise
        notes.append(f"The arms are not measured: {error}.")
    else:
        arms, items = _arm_tables(run, recording)
        tables += arms
        records = list(as_records(recording.arms))
        notes += notes_of(run, recording)
        simulated += [recording.simulated] if recording.simulated else []
    if not run.options.get("endpoint") and run.file is None:
        tables += replay_public(run=run)
        tables.append(simulated_table(run))
        simulated.append("six auditors and the traces they vote on in the table of chance alone.")
    tables.append(Table(_PRINTED, ("method", *(f"{100 * c:.0f} %" for c in SHARES)), _paper_rows()))
    notes.append(f"Largest residual of the printed rows from the line: {largest_residual():.2f} points.")
    return Report("Arms under corruption", tables, notes, None, " ".join(simulated), items=items, votes=records)


_PRINTED = "Printed, and the line a0 - c(2 a0 - 1) through each first column"


def _most(run: Run) -> int:
    return run.number("traces", 40)


def arm_rows(*, run: Run, recording: Recording) -> tuple[list[Row], list[list[Cell]], list[list[Judged]]]:
    """(row, its cells, its verdicts) of every way to read every arm."""
    rows: list[Row] = [
        row for arm, cases in recording.arms.items() for row in read_arm(name=arm, cases=cases) if row[1]
    ]
    cells, verdicts = list[list[Cell]](), list[list[Judged]]()
    for name, cases, rule in rows:
        measured, judged = measure(cases=cases, rule=rule, rng=run.rng(stream=1), resamples=1000 if run.full else 200)
        cells.append(_cells(name, measured))
        verdicts.append(judged)
    return rows, cells, verdicts


def _cells(name: str, measured: Measured) -> list[Cell]:
    figures = (measured.accuracy, measured.f1, measured.brier)
    values = [round(value, 4) for figure in figures for value in (figure.value, figure.low, figure.high)]
    cost, seconds = measured.cost, measured.seconds
    values += [round(value, 5) for value in (cost.value, cost.low, cost.high)]
    values += [round(value, 1) for value in (seconds.value, seconds.low, seconds.high)]
    return [name, measured.traces, *values]


def _arm_tables(run: Run, recording: Recording) -> tuple[list[Table], Table]:
    """The tables, and what every arm says of every trace."""
    rows, cells, verdicts = arm_rows(run=run, recording=recording)
    note = f"{recording.source}. Intervals: 95 %, traces drawn anew as wholes. {FIGURE5_NOTE}"
    tables = [Table("Figure 5: the arms without corruption", COLUMNS, cells, note), gap_table(run, rows, verdicts)]
    tables += arm_plots(rows, cells, verdicts)
    for number, kind in enumerate(Corruption):
        spared = frozenset({Tier.COMPUTER})
        tables.append(_replayed(run, rows, kind, spared, 100 + 1000 * number))
    # The computer's votes can be recomputed by anybody; the paper flips theirs too.
    tables.append(_replayed(run, rows, Corruption.VOTES, frozenset(), 5000))
    return tables, verdict_items(rows, verdicts)


def verdict_items(rows: Sequence[Row], verdicts: Sequence[Sequence[Judged]]) -> Table:
    """One line an arm and trace: what is true, what the arm says."""
    items: list[list[Cell]] = [
        [name, case.trace, int(case.is_right), int(judged.passes), round(judged.probability, 4)]
        for (name, cases, _), verdict in zip(rows, verdicts, strict=True)
        for case, judged in zip(cases, verdict, strict=True)
    ]
    return Table("Items", ("arm", "trace", "right", "passed", "P(right)"), items)


def arm_plots(
    rows: Sequence[Row], cells: Sequence[Sequence[Cell]], verdicts: Sequence[Sequence[Judged]]
) -> list[Table]:
    """What an arm costs beside what it gets right, how far its P(right) can be believed, what it finds wrong."""
    # The first row is the arm that the study is about; others would pool traces that are read in several ways.
    first, judged = rows[0][0], verdicts[0]
    spent, accuracy = COLUMNS.index("cost a trace"), COLUMNS.index("accuracy")
    prices = [(str(row[0]), _number(row[spent]), _number(row[accuracy])) for row in cells]
    return [
        cost_table(rows=prices, cost="cost of a trace", accuracy="accuracy"),
        reliability(pairs=[(entry.probability, entry.is_right) for entry in judged], of=first),
        precision_recall(scored=[(1 - entry.probability, not entry.is_right) for entry in judged], of=first),
    ]


def _number(cell: Cell) -> float | None:
    return float(cell) if isinstance(cell, int | float) else None


def gap_table(run: Run, rows: Sequence[Row], verdicts: Sequence[Sequence[Judged]]) -> Table:
    """Accuracy of the first row less that of every other row on the same traces."""
    first, cells = rows[0], list[list[Cell]]()
    for (name, cases, _), judged in zip(rows[1:], verdicts[1:], strict=True):
        if [case.trace for case in cases] == [case.trace for case in first[1]]:
            lead = gap(first=verdicts[0], second=judged, rng=run.rng(stream=2))
            cells.append([name, *(round(value, 4) for value in (lead.value, lead.low, lead.high))])
    return Table(f"Accuracy of «{first[0]}» less that of", ("arm", "difference", "low", "high"), cells)


def _replayed(run: Run, rows: Sequence[Row], kind: Corruption, spares: frozenset[Tier], stream: int) -> Table:
    """Accuracy in % at each share, with the standard deviation over replays."""
    replays = 40 if run.full else 8
    columns: list[str] = ["arm"]
    for share in SHARES:
        columns += [f"{100 * share:.0f} %", f"± at {100 * share:.0f} %"]
    cells = list[list[Cell]]()
    for number, (name, cases, rule) in enumerate(rows):
        run.say(f"{kind}: {name}", number / len(rows))
        row: list[Cell] = [name]
        for column, share in enumerate(SHARES):
            drawn = [
                accuracy_of(rule(corrupt(cases=cases, kind=kind, share=share, rng=rng, spares=spares)))
                for rng in (
                    run.rng(stream=stream + 100_000 * column + replay) for replay in range(replays if share else 1)
                )
            ]
            row += [round(100 * float(np.mean(drawn)), 1), round(100 * float(np.std(drawn)), 1)]
        cells.append(row)
    # Who can be recomputed cannot be captured; both ways are shown, because the paper does not spare the computer.
    told = "" if Tier.COMPUTER in spares else ", the computer's too"
    note = f"Accuracy in %; ± is the standard deviation of {replays} replays of the same recorded votes."
    return Table(f"Table 1: {kind}{told}, replayed on the recorded votes", columns, cells, note)


def notes_of(run: Run, recording: Recording) -> list[str]:
    notes = [f"Votes: {recording.source}; they are written beside the report, and --file reads them again."]
    if recording.simulated:
        rates = "as on whole traces" if run.options.get("rates") == SAME else "the paper's (.05 models, .30 people)"
        notes.append(
            f"The computer's votes are computed; the others are drawn: errors on a piece {rates}, on a whole trace "
            "as the paper prints them. What arms then do follows from these rates: no evidence about models or people."
        )
        notes.append(f"Seconds and cost are assumed, not measured: {EFFORT}.")
    elif not any(
        vote.seconds or vote.cost for cases in recording.arms.values() for case in cases for vote in case.votes
    ):
        notes.append("The votes come without seconds and cost: the zeros of these columns were not measured.")
    return notes


def _paper_rows() -> list[list[Cell]]:
    rows: list[list[Cell]] = []
    for name, row in TABLE1.items():
        rows.append([name, *row])
        line = [round(100 * decision_flip(accuracy=row[0] / 100, share=c), 1) for c in SHARES]
        rows.append(["  flip of the decision", *line])
    return rows
