"""Gold as admins see it: the sets by domain, and the segments page by page. Reads GoldSegment, Qualification, Trace."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Q

from auditing.models import GoldSegment, Qualification
from auditing.selectors.seating.eligible import CALIBRATION_SIZE
from hdag.models import Trace


@dataclass(frozen=True, slots=True)
class GoldSet:
    """The gold of one field, and whether its calibration stands before live seats."""

    domain: str
    calibration: int
    honeypots: int
    retired: int
    passed: int  # reviewers whose live seats are open
    has_traces: bool

    @property
    def missing(self) -> int:
        """Segments that the calibration set still needs."""
        return max(0, CALIBRATION_SIZE - self.calibration)


@dataclass(frozen=True, slots=True)
class GoldPage:
    """One page of segments by name; `after` begins the next, or ""."""

    rows: Sequence[GoldSegment]
    after: str


def gold_sets() -> list[GoldSet]:
    """Every field that has gold."""
    purpose = GoldSegment.Purpose
    rows = (
        GoldSegment.objects.order_by("domain")
        .values("domain")
        .annotate(
            calibration=Count("pk", filter=Q(is_active=True, purpose=purpose.CALIBRATION)),
            honeypots=Count("pk", filter=Q(is_active=True, purpose=purpose.HONEYPOT)),
            retired=Count("pk", filter=Q(is_active=False)),
        )
    )
    passed = dict(
        Qualification.objects.filter(state=Qualification.State.PASSED)
        .order_by()
        .values_list("domain")
        .annotate(count=Count("pk"))
    )
    return [
        GoldSet(
            **row, passed=passed.get(row["domain"], 0), has_traces=Trace.objects.filter(domain=row["domain"]).exists()
        )
        for row in rows
    ]


def gold_of(*, field: str, after: str, most: int) -> GoldPage:
    """Segments of a field, or of all, after a name."""
    # Names are unique, so a name is a cursor: gold added meanwhile never shifts a page.
    segments = GoldSegment.objects.filter(name__gt=after).order_by("name")
    # one more than asked for, to know whether there is a next page
    rows = list((segments.filter(domain=field) if field else segments)[: most + 1])
    return GoldPage(rows[:most], rows[most - 1].name if len(rows) > most else "")
