"""What /api/v1/exports takes and gives."""

from typing import Any

from rest_framework import serializers

from accounts.api.bodies import ChoiceField, DayField, WholeNumberField
from auditing.core.values import Outcome, Tier
from auditing.research.exports.formats import DATASETS, Format, Shape
from auditing.research.models import ExportJob

_MODES = ("any", "only", "without")


class ExportAsked(serializers.Serializer[Any]):
    """What to take out."""

    dataset = ChoiceField(choices=sorted(DATASETS))
    format = ChoiceField(choices=[str(member) for member in (*Format, *Shape)])
    with_text = serializers.BooleanField(default=False)
    bundle = serializers.UUIDField(
        required=False, help_text="of an earlier export of yours: both then join by pseudonym and by vote"
    )
    campaign = serializers.UUIDField(required=False)
    domain = serializers.CharField(required=False, max_length=60)
    policy = WholeNumberField(required=False, min_value=1)
    since = DayField(required=False)
    until = DayField(required=False)
    tier = ChoiceField(required=False, choices=[str(member) for member in Tier])
    outcome = ChoiceField(required=False, choices=[str(member) for member in Outcome])
    agreement = ChoiceField(required=False, choices=["unanimous", "split"])
    gold = ChoiceField(required=False, choices=_MODES)
    simulated = ChoiceField(required=False, choices=_MODES)
    imported = ChoiceField(required=False, choices=_MODES)


class ExportShown(serializers.ModelSerializer[ExportJob]):
    """An export and how far it is."""

    class Meta:
        model = ExportJob
        fields = (
            "id",
            "dataset",
            "format",
            "bundle",
            "filters",
            "with_text",
            "state",
            "done",
            "rows",
            "size",
            "content_hash",
            "error",
            "created",
            "finished_at",
        )
