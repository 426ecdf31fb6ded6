"""What a qualification found, kept with its endpoint. Writes Endpoint."""

from collections.abc import Mapping
from typing import Any

from django.db.models.functions import Now

from hdag.models import Endpoint


def keep_qualification(*, name: str, qualification: Mapping[str, Any]) -> None:
    """The newest one counts: from now on an endpoint that it refuses is drawn for no seat."""
    Endpoint.objects.filter(name=name).update(qualification=dict(qualification), qualified_at=Now())
