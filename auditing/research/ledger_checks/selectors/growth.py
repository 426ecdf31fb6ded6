"""Growth of the ledger: its checkpoints as a chart and page by page. Reads Checkpoint."""

from django.db import connection

from auditing.models import Checkpoint
from hdag.rendering.charts.chart import Chart
from hdag.rendering.charts.lines import Axes, Series, line_chart

POINTS = 120
# First, last, and every n-th checkpoint between them: window functions, which the ORM cannot filter on without a
# subquery that reads no better.
_SAMPLE = """
SELECT size, extract(epoch FROM created) FROM (
    SELECT size, created, row_number() OVER (ORDER BY size) AS place, count(*) OVER () AS total FROM auditing_checkpoint
) AS numbered
WHERE place = 1 OR place = total OR place %% greatest(1, total / %s) = 0 ORDER BY size
"""
_UNITS = ((172_800, 86_400, "days"), (7_200, 3_600, "hours"), (0, 60, "minutes"))


def growth_chart() -> Chart | None:
    """Leaves against the time since the first checkpoint; None before the second one."""
    with connection.cursor() as cursor:
        cursor.execute(_SAMPLE, [POINTS])
        rows = [(int(size), float(at)) for size, at in cursor.fetchall()]
    if len(rows) < 2:
        return None
    begin, span = rows[0][1], rows[-1][1] - rows[0][1]
    # From two days on in days, from two hours on in hours: the axis never has one tick only.
    seconds, unit = next((length, name) for threshold, length, name in _UNITS if span >= threshold)
    points = [((at - begin) / seconds, float(size)) for size, at in rows]
    axes = Axes(x=f"{unit} since the first checkpoint", y="leaves", y_range=(0.0, float(rows[-1][0])))
    return line_chart(name="growth", title="Growth of the ledger", series=[Series("leaves", points)], axes=axes)


def checkpoints_before(*, size: int | None, limit: int) -> list[Checkpoint]:
    """The newest checkpoints with fewer leaves than `size`, or the newest of all."""
    rows = Checkpoint.objects.order_by("-size")
    return list((rows if size is None else rows.filter(size__lt=size))[:limit])
