"""/api/v1/causal: ask for a causal audit, follow the job, read its figures and its trials."""

from typing import Any
from uuid import UUID

from django.http import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.bodies import read_body
from accounts.api.idempotency import idempotent
from accounts.api.views import APIView
from accounts.permissions import Scope, role_permission
from auditing.research.causal import services
from auditing.research.causal.forms import BatchForm
from auditing.research.causal.selectors import batches_of
from auditing.research.causal.serializers import CausalAsked, CausalShown
from auditing.research.causal.views import get_batch, trials_of
from auditing.research.permissions import RESEARCHERS, researcher_of
from auditing.research.selectors import endpoints_for_traces
from auditing.services import jobs


class CausalList(APIView):
    """Causal audits of the caller."""

    permission_classes = [role_permission(*RESEARCHERS)]
    scope = Scope.MANAGE

    @extend_schema(operation_id="causal_list", responses={200: CausalShown(many=True)})
    def get(self, request: Request) -> Response:
        """Your newest 20 batches."""
        return Response(CausalShown(batches_of(owner=researcher_of(request))[:20], many=True).data)

    @extend_schema(operation_id="causal_create", request=CausalAsked, responses={201: CausalShown})
    @idempotent
    def post(self, request: Request) -> Response:
        """Ask for a batch; it runs as a job."""
        asked = read_body(CausalAsked, request)
        person = researcher_of(request)
        # The page's form checks the same fields: one rule for both.
        form = BatchForm(_as_form(asked), user=person)
        if not form.is_valid():
            raise serializers.ValidationError(
                {name: [str(m) for m in messages] for name, messages in form.errors.items()}
            )
        try:
            batch = services.ask(owner=person, **form.asked())
        except services.CausalRefusedError as error:
            raise serializers.ValidationError({"batch": [str(error)]}) from None
        batch.refresh_from_db()
        return Response(CausalShown(batch).data, status=201)


class CausalDetail(APIView):
    """One causal audit."""

    permission_classes = [role_permission(*RESEARCHERS)]
    scope = Scope.MANAGE

    @extend_schema(operation_id="causal_retrieve", responses={200: CausalShown})
    def get(self, request: Request, batch_id: UUID) -> Response:
        """How far a batch is, and what it found."""
        return Response(CausalShown(get_batch(researcher_of(request), batch_id)).data)

    @extend_schema(operation_id="causal_cancel", request=None, responses={200: CausalShown})
    def delete(self, request: Request, batch_id: UUID) -> Response:
        """Cancel a batch; trials that are done stay."""
        jobs.cancel(job=get_batch(researcher_of(request), batch_id))
        return Response(CausalShown(get_batch(researcher_of(request), batch_id)).data)


class CausalTrials(APIView):
    """The trials of a batch."""

    permission_classes = [role_permission(*RESEARCHERS)]
    scope = Scope.READ

    @extend_schema(operation_id="causal_trials", responses={200: OpenApiTypes.BINARY})
    def get(self, request: Request, batch_id: UUID) -> HttpResponseBase:
        """Every trial with both traces, one JSON object a line."""
        person = researcher_of(request)
        return trials_of(request._request, get_batch(person, batch_id), person)


def _endpoint(field: str, name: str) -> UUID:
    """The row of an endpoint. Raises ValidationError naming those that may be asked."""
    rows = {row.name: row.pk for row in endpoints_for_traces()}
    if name not in rows:
        listed = ", ".join(rows) or "none"
        raise serializers.ValidationError({field: [f"No such endpoint may see whole traces; there are: {listed}."]})
    return rows[name]


def _as_form(values: dict[str, Any]) -> dict[str, Any]:
    """What a browser would have sent: names of endpoints become their rows in the form."""
    fields = {name: value for name, value in values.items() if name not in ("chosen", "queries")}
    fields["chosen"] = " ".join(values.get("chosen", ()))
    # A query is one line, as in the field of the page.
    for name in ("agent", "critic"):
        if name in fields:
            fields[name] = _endpoint(name, fields[name])
    fields["queries"] = "\n".join(" ".join(query.split()) for query in values.get("queries", ()))
    return fields
