"""GET and POST /api/v1/audits/<id>/graph: how the graph was made, and asking for another one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.http import Http404
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.bodies import ChoiceField, check_as
from accounts.api.idempotency import idempotent
from accounts.api.views import APIView
from accounts.permissions import Role, Scope, get_person, role_permission
from auditing.api.intake.traces import read_decomposer, read_flag
from auditing.permissions import may_ask_for_a_graph, may_read_audit
from auditing.selectors.intake.decomposition import DECOMPOSERS, job_of
from auditing.selectors.intake.lookup import find_audit
from auditing.services.intake.decomposition import decompose_again
from hdag.core.errors import BadRecordError

if TYPE_CHECKING:
    from auditing.models import Audit


class AgainSchema(serializers.Serializer[Any]):
    """Who makes the other graph; whole_to_models is the provider's agreement, where it was not given before."""

    decomposer = ChoiceField(choices=DECOMPOSERS, required=False)
    whole_to_models = serializers.BooleanField(required=False)


class AuditGraph(APIView):
    """The decomposition job of an audit."""

    permission_classes = [role_permission(*Role.values)]
    scope = Scope.TRACES

    @extend_schema(responses={200: dict})
    def get(self, request: Request, audit_id: UUID) -> Response:
        """State, progress, time, cost, the reason where rules stood in for a model, repairs, measures."""
        return Response(job_of(audit=_audit(request, audit_id)).as_json())

    @extend_schema(request=AgainSchema, responses={201: dict, 409: OpenApiResponse(description="Not any more.")})
    @idempotent
    def post(self, request: Request, audit_id: UUID) -> Response:
        """Withdraw the audit and begin its successor with another graph; 409 once an auditor has taken a seat."""
        audit = _audit(request, audit_id)
        # Who may read but not ask is told 404, as for an unknown id: ids tell nothing.
        if not may_ask_for_a_graph(user=request.user, audit=audit):
            raise Http404
        body = request.data
        check_as(AgainSchema, body)
        # [] and "text" are JSON too; `.get` on them would be our error, a 500, instead of the client's.
        if not isinstance(body, dict):
            raise BadRecordError(where="body", field="", reason="must be an object")
        agrees, decomposer = read_flag(body, "whole_to_models"), read_decomposer(body)
        successor = decompose_again(
            audit=audit, decomposer=decomposer, actor=get_person(request), whole_to_models=agrees
        )
        return Response(
            {"audit": successor.pk, "follows": audit.pk, "stage": successor.stage}, status=status.HTTP_201_CREATED
        )


def _audit(request: Request, audit_id: UUID) -> Audit:
    audit = find_audit(key=audit_id)
    if audit is None or not may_read_audit(user=request.user, audit=audit):
        raise Http404
    return audit
