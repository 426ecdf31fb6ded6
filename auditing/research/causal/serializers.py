"""What /api/v1/causal takes and gives."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.api.bodies import ChoiceField, WholeNumberField
from auditing.research.causal import services
from auditing.research.causal.core import InterventionKind, Mode, Pick
from auditing.research.causal.views import tables_of
from auditing.research.models import CausalBatch

_TYPES = [str(member) for member in (Mode.ADAPTIVE, Mode.RANDOM, Mode.EACH, *InterventionKind)]


class CausalAsked(serializers.Serializer[Any]):
    """A batch: recorded audits, public traces, or queries whose reasoning the agent writes first."""

    title = serializers.CharField(max_length=120, default="Causal audit")
    audits = serializers.ListField(child=serializers.UUIDField(), required=False, max_length=100)
    public = WholeNumberField(min_value=0, max_value=services.MOST_PUBLIC, default=0)
    queries = serializers.ListField(
        child=serializers.CharField(max_length=services.LONGEST_QUERY), required=False, max_length=services.MOST_QUERIES
    )
    pick = ChoiceField(choices=[str(member) for member in Pick], default=str(Pick.EVERY))
    chosen = serializers.ListField(child=serializers.CharField(max_length=40), required=False, max_length=60)
    together = serializers.BooleanField(default=False)
    type = ChoiceField(choices=_TYPES, default=str(Mode.ADAPTIVE))
    agent = serializers.CharField(required=False, help_text="Name of the endpoint that runs on; rules without it.")
    critic = serializers.CharField(required=False, help_text="Name of the endpoint that makes the changes.")
    seed = WholeNumberField(min_value=0, max_value=2**31 - 1, default=1)


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
