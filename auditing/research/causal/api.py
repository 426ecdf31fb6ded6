"""/api/v1/causal: ask for a causal audit, follow the job, read its figures and its trials."""

from typing import Any
from uuid import UUID

from django.http import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.permissions import role_permission
from auditing.api.idempotency import idempotent
from auditing.research.causal import services
from auditing.research.causal.core import InterventionKind, Mode, Pick
from auditing.research.causal.forms import BatchForm
from auditing.research.causal.selectors import batches_of
from auditing.research.causal.views import get_batch, tables_of, trials_of
from auditing.research.models import CausalBatch
from auditing.research.permissions import RESEARCHERS, researcher_of
from auditing.research.selectors import endpoints_for_traces
from auditing.services import jobs

_TYPES = [str(member) for member in (Mode.ADAPTIVE, Mode.RANDOM, Mode.EACH, *InterventionKind)]


class CausalAsked(serializers.Serializer[Any]):
    """A batch: recorded audits, public traces, or queries whose reasoning the agent writes first."""

    title = serializers.CharField(max_length=120, default="Causal audit")
    audits = serializers.ListField(child=serializers.UUIDField(), required=False, max_length=100)
    public = serializers.IntegerField(min_value=0, max_value=services.MOST_PUBLIC, default=0)
    queries = serializers.ListField(
        child=serializers.CharField(max_length=services.LONGEST_QUERY), required=False, max_length=services.MOST_QUERIES
    )
    pick = serializers.ChoiceField(choices=[str(member) for member in Pick], default=str(Pick.EVERY))
    chosen = serializers.ListField(child=serializers.CharField(max_length=40), required=False, max_length=60)
    together = serializers.BooleanField(default=False)
    type = serializers.ChoiceField(choices=_TYPES, default=str(Mode.ADAPTIVE))
    agent = serializers.CharField(required=False, help_text="Name of the endpoint that runs on; rules without it.")
    critic = serializers.CharField(required=False, help_text="Name of the endpoint that makes the changes.")
    seed = serializers.IntegerField(min_value=0, max_value=2**31 - 1, default=1)


class CausalTable(serializers.Serializer[Any]):
    """One table of the figures of a batch."""

    title = serializers.CharField()
    columns = serializers.ListField(child=serializers.CharField())
    rows = serializers.ListField(child=serializers.ListField(child=serializers.JSONField(allow_null=True)))
    note = serializers.CharField(allow_blank=True)


class CausalShown(serializers.ModelSerializer[CausalBatch]):
    """A batch and how far it is; its figures once it is over."""

    tables = serializers.SerializerMethodField()

    class Meta:
        model = CausalBatch
        fields = ("id", "title", "state", "says", "done", "total", "error", "created", "finished_at", "tables")

    @extend_schema_field(CausalTable(many=True))
    def get_tables(self, batch: CausalBatch) -> list[dict[str, Any]]:
        """Empty while it runs; trials are a file of their own."""
        if batch.is_open:
            return []
        names = ("title", "columns", "rows", "note")
        return [{name: getattr(table, name) for name in names} for table in tables_of(batch) if table.title != "Trials"]


class CausalList(APIView):
    """Causal audits of the caller."""

    permission_classes = [role_permission(*RESEARCHERS)]

    @extend_schema(operation_id="causal_list", responses={200: CausalShown(many=True)})
    def get(self, request: Request) -> Response:
        """The newest 20."""
        return Response(CausalShown(batches_of(owner=researcher_of(request))[:20], many=True).data)

    @extend_schema(operation_id="causal_create", request=CausalAsked, responses={201: CausalShown})
    @idempotent
    def post(self, request: Request) -> Response:
        """Ask for one."""
        asked = CausalAsked(data=request.data)
        asked.is_valid(raise_exception=True)
        person = researcher_of(request)
        # The page's form checks the same fields: one rule for both.
        form = BatchForm(_as_form(asked.validated_data), user=person)
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

    @extend_schema(operation_id="causal_retrieve", responses={200: CausalShown})
    def get(self, request: Request, batch_id: UUID) -> Response:
        """How far it is, and what it found."""
        return Response(CausalShown(get_batch(researcher_of(request), batch_id)).data)

    @extend_schema(operation_id="causal_cancel", request=None, responses={200: CausalShown})
    def delete(self, request: Request, batch_id: UUID) -> Response:
        """Cancel it; trials that are done stay."""
        jobs.cancel(job=get_batch(researcher_of(request), batch_id))
        return Response(CausalShown(get_batch(researcher_of(request), batch_id)).data)


class CausalTrials(APIView):
    """The trials of a batch."""

    permission_classes = [role_permission(*RESEARCHERS)]

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
