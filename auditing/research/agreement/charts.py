"""Agreement and quality as charts: the heat map of pairs, confusion matrices, the calibration of what was stated."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import astuple

from auditing.core.consensus.calibration import Bin, Confusion
from auditing.research.agreement.core import VoteTable, compare_pairs
from hdag.rendering.charts.chart import Chart
from hdag.rendering.charts.marks import Dot, MatrixCell, calibration_chart, matrix_chart

MOST_AUDITORS = 24  # of one heat map: those with the most votes
MOST_MATRICES = 6
WRONG, RIGHT = "wrong", "right"


def pair_chart(*, table: VoteTable | None, name_of: Callable[[Hashable], str], minimum_shared: int) -> Chart | None:
    """Cohen's kappa of every two auditors as a heat map; None where no two share enough items."""
    if table is None:
        return None
    matrix = compare_pairs(table=table, minimum_shared=minimum_shared)
    auditors = matrix.auditors[:MOST_AUDITORS]
    cells = []
    for first in auditors:
        for second in auditors:
            pair = matrix.pair(first=first, second=second)
            # The diagonal would be 1 everywhere, and make every other cell look pale.
            kappa = None if first == second else pair.kappa
            words = "" if kappa is None else f"{kappa:.2f}"
            cells.append(MatrixCell(name_of(first)[:8], name_of(second)[:8], kappa, words))
    if all(cell.value is None for cell in cells):
        return None
    return matrix_chart(
        name="pairs",
        title="Agreement of pairs, Cohen's kappa",
        axes=("one", "the other"),
        cells=cells,
        note=f"Empty: the same person, fewer than {minimum_shared} shared items, or one category only. "
        "The other colour: less than chance.",
    )


def confusion_charts(*, counts: Mapping[str, Confusion], between: str) -> list[Chart]:
    """One matrix over all groups and one a group; between: what is neither pass nor fail."""
    groups = {"all": _sum_of(counts.values()), **counts} if len(counts) > 1 else dict(counts)
    return [
        _confusion_chart(number, name or "(none)", confusion, between)
        for number, (name, confusion) in enumerate([*groups.items()][:MOST_MATRICES])
    ]


def calibration_of(*, title: str, stated: str, bins: Sequence[Bin]) -> Chart | None:
    """The bins of a calibration; None without bins."""
    if not bins:
        return None
    dots = [Dot(b.mean_posterior, b.share_valid, b.count) for b in bins]
    return calibration_chart(name="calibration", title=title, axes=(stated, "share right"), dots=dots)


def _confusion_chart(number: int, name: str, confusion: Confusion, between: str) -> Chart:
    rows = {
        WRONG: {
            "fail": confusion.errors_found,
            between: confusion.undecided_wrong,
            "pass": confusion.errors_missed,
        },
        RIGHT: {
            "fail": confusion.false_alarms,
            between: confusion.undecided - confusion.undecided_wrong,
            "pass": confusion.valid_passed,
        },
    }
    cells = [
        # Shaded by the share of its row: what became of the wrong ones, and of the right ones.
        MatrixCell(truth, outcome, count / max(1, sum(row.values())), str(count))
        for truth, row in rows.items()
        for outcome, count in row.items()
    ]
    return matrix_chart(
        name=f"confusion-{number}", title=f"What became of wrong and right: {name}", axes=("truth", "said"), cells=cells
    )


def _sum_of(counts: Iterable[Confusion]) -> Confusion:
    columns = zip(*(astuple(confusion) for confusion in counts), strict=True)
    return Confusion(*(sum(column) for column in columns))
