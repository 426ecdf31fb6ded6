"""Figures of a report as tables that are also drawn: reliability, precision against recall, cost against accuracy.

Each is a Table whose `plot` names its drawing (figures.py), so that HTML, JSON and pages show the numbers beside it.
"""

from collections.abc import Iterable, Mapping, Sequence

from auditing.research.studies.instruments.runner import Cell, Table

__all__ = ["cost_table", "detection_table", "precision_recall", "reliability"]

BINS = 10
MOST_CUTS = 50  # points of a curve; a report is read, not plotted again


def reliability(*, pairs: Iterable[tuple[float, bool]], of: str) -> Table:
    """(stated probability, whether it came true) in ten bins: mean stated beside the share that came true.

    >>> [list(row) for row in reliability(pairs=[(0.95, True), (0.93, False)], of="x").rows]
    [[0.94, 0.5, 2]]
    """
    bins: dict[int, list[tuple[float, bool]]] = {}
    for stated, came_true in pairs:
        bins.setdefault(min(int(stated * BINS), BINS - 1), []).append((stated, came_true))
    rows: list[list[Cell]] = [
        [
            round(sum(stated for stated, _ in inside) / len(inside), 4),
            sum(came_true for _, came_true in inside) / len(inside),
            len(inside),
        ]
        for _, inside in sorted(bins.items())
    ]
    return Table(f"Reliability of {of}", ("stated", "came true", "count"), rows, plot="reliability")


def precision_recall(*, scored: Sequence[tuple[float, bool]], of: str) -> Table:
    """(score of being wrong, whether it is) as precision and recall of calling wrong, at every score from the top.

    >>> [list(row) for row in precision_recall(scored=[(0.9, True), (0.8, False), (0.1, True)], of="x").rows]
    [[0.9, 0.5, 1.0], [0.8, 0.5, 0.5], [0.1, 1.0, 0.6666666666666666]]
    """
    wrong = sum(is_wrong for _, is_wrong in scored)
    cuts = sorted({score for score, _ in scored}, reverse=True)
    # Without a wrong one there is nothing to recall.
    if not wrong:
        cuts = []
    step = max(1, -(-len(cuts) // MOST_CUTS))
    rows: list[list[Cell]] = []
    for cut in cuts[::step]:
        called = [is_wrong for score, is_wrong in scored if score >= cut]
        rows.append([cut, sum(called) / wrong, sum(called) / len(called)])
    note = "Of calling wrong what is wrong; each row calls wrong whatever scores at least so much."
    columns = ("score", "recall", "precision")
    return Table(f"Precision against recall, {of}", columns, rows, note, plot="precision against recall")


def cost_table(*, rows: Iterable[tuple[str, float | None, float | None]], cost: str, accuracy: str) -> Table:
    """(name, cost, accuracy): what is asked for beside what it buys; a row without both is in the table only."""
    cells: list[list[Cell]] = [[name, spent, reached] for name, spent, reached in rows]
    return Table("Cost against accuracy", ("what", cost, accuracy), cells, plot="points")


def detection_table(*, called: Mapping[str, Sequence[tuple[bool, bool]]], of: str) -> Table:
    """By name: (called wrong, is wrong) of each case; verdicts without a score are one point a name.

    >>> list(detection_table(called={"a": [(True, True), (True, False), (False, True)]}, of="x").rows[0])
    ['a', 0.5, 0.5, 3]
    """
    rows: list[list[Cell]] = []
    for name, pairs in called.items():
        hits = sum(accuses and is_wrong for accuses, is_wrong in pairs)
        wrong, accused = sum(is_wrong for _, is_wrong in pairs), sum(accuses for accuses, _ in pairs)
        rows.append([name, hits / wrong if wrong else None, hits / accused if accused else None, len(pairs)])
    note = "Of calling wrong what is wrong. A precision is missing where nothing was called wrong."
    return Table(f"Precision against recall, {of}", ("what", "recall", "precision", "cases"), rows, note, plot="points")
