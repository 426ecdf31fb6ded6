"""The report of an audit on one sheet of paper: a PDF that is read without us."""

from typing import TYPE_CHECKING
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.urls import path, reverse
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from accounts.permissions import Role, requires_role
from auditing.research.erasure.views import show_erased
from auditing.research.reports.selectors.report import Report
from auditing.research.reports.views.audits import find_audit, report_for
from hdag.rendering.charts.engine import EngineError, engine
from hdag.rendering.sheet import Block, draw_sheet
from hdag.rendering.snippet import shorten
from hdag.rendering.states import word_of

if TYPE_CHECKING:
    from auditing.models import Audit

SIMULATED = "Simulated reviewers held seats in this audit: it shows how the system works and proves nothing."
WORDS = {"given": "given", "parts": "by parts", "unasked": "not asked"}


@requires_role(*Role.values)
@require_safe
def report_pdf(request: HttpRequest, audit_id: UUID) -> HttpResponse:
    """Verdict card, outline and where the outcome stands in the ledger, as far as the visitor may read them."""
    audit = find_audit(request, audit_id)
    if audit.trace.erased_at is not None:
        return show_erased(request, audit)
    report = report_for(request, audit)
    address = request.build_absolute_uri(reverse("auditing:report", args=[audit.pk]))
    sheet = draw_sheet(blocks=blocks_of(audit=audit, report=report), foot=address)
    try:
        answer = HttpResponse(engine.print_sheet(svg=sheet), content_type="application/pdf")
    except EngineError:
        return HttpResponse("The sheet cannot be drawn just now; try again in a minute.", status=503)
    answer["Content-Disposition"] = content_disposition_header(True, f"report-{audit.pk}.pdf") or "attachment"
    return answer


def blocks_of(*, audit: "Audit", report: Report) -> list[Block]:
    """The paragraphs of the sheet, the verdict first."""
    verdict = report.verdict
    outcome = word_of(verdict.outcome) if verdict.outcome else "pending"
    return [
        Block("TRUST · audit report", size=11, is_soft=True, above=0),
        Block(audit.trace.title, size=22, is_bold=True, above=10, most=2),
        *([Block(SIMULATED, is_soft=True)] if audit.is_simulated else []),
        Block(verdict.headline, size=16, is_bold=True, above=18, mark=outcome, most=2),
        *(Block(line, size=14) for line in (verdict.explanation, verdict.proof) if line),
        *([Block(f"{verdict.confidence.capitalize()}.", is_soft=True)] if verdict.confidence else []),
        *([Block(verdict.looked, is_soft=True)] if verdict.looked else []),
        Block("Where it stands", size=15, is_bold=True, above=22),
        Block(f"Audit {audit.pk}, under policy {audit.policy.number}"),
        *([Block(f"The provider's id: {audit.trace.external_id}")] if audit.trace.external_id else []),
        Block(f"Recorded {audit.recorded_at:%Y-%m-%d %H:%M} UTC" if audit.recorded_at else "Not recorded yet"),
        Block("The problem", size=15, is_bold=True, above=22),
        Block(shorten(text=report.problem, most=420)),
        Block(f"The reasoning, {report.noun} by {report.noun}", size=15, is_bold=True, above=22),
        *(
            Block(
                f"{line.value.id}  {shorten(text=line.value.content, most=150)}",
                size=12,
                mark=WORDS.get(line.state, word_of(line.state)),
                most=2,
            )
            for _, line in report.tree_shown
        ),
    ]


urlpatterns = [path("audits/<uuid:audit_id>/report.pdf", report_pdf, name="report_pdf")]
