"""I6: each recorded audit through the public verifier, and the tables against what it verified.

Reads Audit, TraceOutcome, SegmentOutcome, Leaf, the published files; writes nothing.
"""

import json
from collections.abc import Iterator

from auditing.core.ledger import bundle
from auditing.core.stages import AuditStage
from auditing.models import Audit, SegmentOutcome, TraceOutcome
from auditing.research.ledger_checks.services.survey import Survey, read_leaves
from auditing.selectors.ledger.published import (
    LedgerDamagedError,
    NotPublishedYetError,
    Published,
    bundle_of,
    published,
)
from auditing.verifier import verify_audit


def recomputed(survey: Survey) -> Iterator[str]:
    """The verifier knows nothing of our code: what it rejects, a stranger would reject."""
    yield from _compare_tables()
    try:
        head = published()
    except NotPublishedYetError:
        return
    except LedgerDamagedError as error:
        yield str(error)
        return
    for audit in Audit.objects.filter(stage=AuditStage.RECORDED).order_by("pk").iterator(200):
        yield from _verify(audit, head)


def _verify(audit: Audit, head: Published) -> Iterator[str]:
    try:
        # The same bytes that a stranger downloads, through the same program.
        data = bundle.encode(bundle=bundle_of(audit=audit, at=head))
        report = verify_audit.verify(data)
    except (NotPublishedYetError, LedgerDamagedError, verify_audit.UnreadableError) as error:
        yield f"audit {audit.pk}: {error}"
        return
    yield from (f"audit {audit.pk}: {title}: {detail}" for good, title, detail in report.lines if not good)


def _compare_tables() -> Iterator[str]:
    # What the leaves say; a later leaf of the same audit replaces an earlier one.
    traces, segments = {}, {}
    for audit, leaf in read_leaves("trace.outcome", "segment.outcome"):
        if leaf["t"] == "trace.outcome":
            traces[audit] = leaf["outcome"]
        else:
            segments[audit, leaf["segment"]] = leaf["outcome"]
    stated = dict(Audit.objects.filter(pk__in=TraceOutcome.objects.values("audit")).values_list("pk", "outcome"))
    for audit, outcome in TraceOutcome.objects.values_list("audit", "outcome").iterator():
        if not outcome == stated[audit] == traces.get(audit):
            three = json.dumps([outcome, stated[audit], traces.get(audit)])
            yield f"audit {audit}: outcome, audit and leaf say {three}"
    for audit, segment, outcome in SegmentOutcome.objects.values_list("audit", "segment", "outcome").iterator():
        if segments.get((audit, str(segment))) != outcome:
            yield f"audit {audit}: the table says {outcome} of segment {segment}, the ledger another thing"
