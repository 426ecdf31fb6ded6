"""GET /api/v1/audits and /api/v1/audits/<id>: what was decided, for those who may read it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.queries import check_choice, check_filters, check_found, check_id
from accounts.api.views import APIView
from accounts.listing import sorts_of
from accounts.parameters import read_text
from accounts.permissions import Role, Scope, role_permission
from auditing.core.stages import AuditStage
from auditing.core.values import Outcome
from auditing.permissions import may_read_audit, may_read_reasons
from auditing.research.reports.selectors.audits import COLUMNS, AuditFilter, list_audits
from auditing.research.reports.selectors.report import report_of
from auditing.selectors.intake.lookup import find_audit
from auditing.selectors.model_tier.consents import flows_of_audit, flows_that_were, why_unasked
from hdag.core.printed import as_printed

if TYPE_CHECKING:
    from auditing.models import Audit

OUTCOMES = [str(outcome) for outcome in Outcome if outcome is not Outcome.HUNG]


class AuditList(APIView):
    """Audits the caller may read, newest first."""

    permission_classes = [role_permission(*Role.values)]
    scope = Scope.READ
    asked = (
        OpenApiParameter("campaign", UUID),
        OpenApiParameter("stage", str, enum=[str(stage) for stage in AuditStage]),
        OpenApiParameter("outcome", str, enum=OUTCOMES),
        OpenApiParameter("domain", str),
        OpenApiParameter("q", str, description="In title, id or tag."),
        OpenApiParameter("sort", str, enum=sorts_of(COLUMNS)),
        OpenApiParameter("after", str, description="The `next` of the page before."),
    )

    @extend_schema(operation_id="audits_list", responses={200: dict}, parameters=[*asked])
    def get(self, request: Request) -> Response:
        """One page of 50."""
        # Paged by a key, not by a number: rows that come in meanwhile neither repeat nor hide others.
        asked = request.query_params
        check_id(asked, "campaign")
        check_choice(asked, "stage", [str(stage) for stage in AuditStage])
        check_choice(asked, "outcome", OUTCOMES)
        check_filters(asked, filters=(), columns=COLUMNS)
        after = read_text(asked, "after")
        page = check_found(list_audits(user=request.user, filter=AuditFilter.read(asked), after=after))
        return Response({"audits": [_line(audit) for audit in page.rows], "next": page.next or None})


class AuditDetail(APIView):
    """One audit's report."""

    permission_classes = [role_permission(*Role.values)]
    scope = Scope.READ

    @extend_schema(responses={200: dict})
    def get(self, request: Request, audit_id: UUID) -> Response:
        """The report as data: what its page shows."""
        audit = find_audit(key=audit_id)
        # 404 for both, so that ids cannot be tried; trustweb's EnumerationThrottle counts these answers.
        if audit is None or not may_read_audit(user=request.user, audit=audit):
            raise Http404
        report = report_of(audit=audit, reasons=may_read_reasons(user=request.user, audit=audit)).as_json()
        if report["outcome"] is not None:
            told = {"asked": [flow.as_json() for flow in flows_that_were(audit=audit)], "unasked": ""}
        else:
            flows = flows_of_audit(audit=audit)
            told = {"asked": [flow.as_json() for flow in flows if flow.may_judge], "unasked": why_unasked(flows=flows)}
        return Response({**report, "models": told})


class AuditHdag(APIView):
    """One audit's graph in the nodes and edges of the paper."""

    permission_classes = [role_permission(*Role.values)]
    scope = Scope.READ

    @extend_schema(operation_id="audit_hdag", responses={200: dict})
    def get(self, request: Request, audit_id: UUID) -> Response:
        """404 until the trace is decomposed, and once its text is erased."""
        audit = find_audit(key=audit_id)
        if audit is None or not may_read_audit(user=request.user, audit=audit) or audit.trace.erased_at:
            raise Http404
        graph = report_of(audit=audit, reasons=False).graph
        if graph is None:
            raise Http404
        return Response(as_printed(graph=graph.graph, title=audit.trace.title))


def _line(audit: Audit) -> dict[str, Any]:
    return {
        "id": audit.pk,
        "title": audit.trace.title,
        "domain": audit.trace.domain,
        "campaign": audit.campaign_id,
        "stage": audit.stage,
        "outcome": audit.outcome or None,
        "created": audit.created,
    }
