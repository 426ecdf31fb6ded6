"""Gold as admins see it: the sets by domain, and the segments page by page. Reads GoldSegment, Qualification, Trace."""

from dataclasses import dataclass

from django.db.models import Count, Q

from accounts.listing import Column, Filter, Query, RowPage, contains, page_of
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


COLUMNS = (
    Column("truth", "Truth", "truth"),
    Column("name", "Name", "name"),
    Column("field", "Field", "domain"),
    Column("purpose", "Purpose", "purpose"),
    Column("error", "Error", "error_type"),
    Column("created", "Since", "created"),
    Column("use", "In use", "is_active"),
)
FILTERS = (
    Filter("q", "Name"),
    Filter("field", "Field"),
    Filter("purpose", "Purpose", choices=tuple((value, value) for value in GoldSegment.Purpose.values)),
    Filter("truth", "Truth", choices=(("pass", "right"), ("fail", "wrong"))),
    Filter("use", "In use", choices=(("yes", "in use"), ("no", "retired"))),
)


def gold_sets() -> list[GoldSet]:
    """Every field that has gold."""
    purpose = GoldSegment.Purpose
    rows = (
        GoldSegment.objects.order_by("domain")
        .values("domain")
        .annotate(
            calibration=Count("pk", filter=Q(is_active=True, purpose=purpose.CALIBRATION)),
            honeypots=Count("pk", filter=Q(is_active=True, purpose=purpose.HONEYPOT)),
            retired=Count("pk", filter=Q(is_active=False) & ~Q(author__isnull=False, review="")),
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


def gold_rows(*, query: Query, after: str = "") -> RowPage[GoldSegment]:
    """One page of gold as the address narrows and sorts it, without its text."""
    segments = GoldSegment.objects.filter(contains("name", query["q"]))
    if field := query["field"]:
        segments = segments.filter(domain__iexact=field)
    if purpose := query["purpose"]:
        segments = segments.filter(purpose=purpose)
    if truth := query["truth"]:
        segments = segments.filter(truth=truth)
    if use := query["use"]:
        segments = segments.filter(is_active=use == "yes")
    return page_of(rows=segments, columns=COLUMNS, sort=query.sort, after=after)
