"""Study `table3`: what cutting, tiers and people are worth, arm by arm: F1, Brier, cost and time; TRUST table 3.

Options: dataset, traces (most, 40), endpoint (names, comma separated), rates=same. Votes of a human experiment are read
by --file, one a line.
"""

from auditing.research.studies.arms.design import OPTIONS, record_votes
from auditing.research.studies.arms.printed import TABLE3
from auditing.research.studies.arms.recording import as_records
from auditing.research.studies.arms.table1 import COLUMNS, arm_plots, arm_rows, gap_table, notes_of, verdict_items
from auditing.research.studies.instruments.runner import Cell, Report, Run, Table, study

__all__ = ["run_table3"]


@study("table3", "Passages, other cuts and whole traces, arm by arm: TRUST table 3", reads="arms", options=OPTIONS)
def run_table3(run: Run) -> Report:
    """F1 and Brier of every arm with intervals over traces, what it took, and every verdict as an item."""
    recording = record_votes(run=run, study="table3", people=True, most=200 if run.full else run.number("traces", 40))
    rows, cells, verdicts = arm_rows(run=run, recording=recording)
    note = f"{recording.source}. F1 is of finding the wrong traces. Intervals: 95 %, traces drawn anew as wholes."
    printed: list[list[Cell]] = [[name, f1, brier] for name, (f1, brier) in TABLE3.items()]
    return Report(
        "Arms of an audit",
        [
            Table("Table 3: the arms", COLUMNS, cells, note),
            gap_table(run, rows, verdicts),
            *arm_plots(rows, cells, verdicts),
            Table("Printed: 15 people, 10 problems", ("arm", "F1", "Brier"), printed),
        ],
        notes_of(run, recording),
        None,
        recording.simulated,
        items=verdict_items(rows, verdicts),
        votes=as_records(recording.arms),
    )
