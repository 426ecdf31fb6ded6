"""The audits of a list or campaign as one page to keep."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from accounts.parameters import read_text
from accounts.permissions import Role, requires_role
from auditing.permissions import may_read_reasons
from auditing.research.offline.pages import write_page
from auditing.research.offline.reports import trace_of_report
from auditing.research.reports.selectors.audits import AuditFilter, list_audits
from auditing.research.reports.selectors.report import report_of

NOTICE = "As the server showed them to you; the ledger's proofs are not part of this page."


@requires_role(*Role.values)
@require_GET
def set_page(request: HttpRequest) -> HttpResponse:
    """What one page of the list shows (at most fifty audits), each with its reader; erased and paused ones left out."""
    narrowed, after = AuditFilter.read(request.GET), read_text(request.GET, "after")
    page = list_audits(user=request.user, filter=narrowed, after=after, whole=True)
    audits = [audit for audit in page.rows if audit.trace.erased_at is None and audit.paused_at is None]
    traces = [
        trace_of_report(
            number=number,
            report=report_of(audit=audit, reasons=may_read_reasons(user=request.user, audit=audit)),
        )
        for number, audit in enumerate(audits, 1)
    ]
    answer = HttpResponse("".join(write_page(traces=traces, title="Audits", notice=NOTICE)), content_type="text/html")
    # Never shown under our own address: the page brings a style sheet and a script of its own.
    answer["Content-Disposition"] = 'attachment; filename="audits.html"'
    return answer
