"""Who sits nowhere, or on gold alone, by a decision of a person that stands. Reads ConductCase."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Exists, Q, QuerySet
from django.db.models.functions import Now

from auditing.core.conduct import ConductStep
from auditing.models import Auditor, ConductCase, Decoy


def standing_measures() -> QuerySet[ConductCase]:
    """Decisions that keep somebody from seats now: neither over nor lifted."""
    return ConductCase.objects.filter(until__gt=Now()).exclude(ruling=ConductStep.LIFTED)


def barred_auditors(*, trace: UUID) -> QuerySet[ConductCase, Any]:
    """Keys of auditors who may not be drawn for a trace; decoys are open to those who sit on gold alone."""
    ordinary = Q(decision=ConductStep.GOLD_ONLY) & ~Exists(Decoy.objects.filter(pk=trace))
    return standing_measures().filter(Q(decision=ConductStep.SUSPENDED) | ordinary).values("auditor")


def find_bar(*, auditor: Auditor, now: datetime) -> ConductCase | None:
    """The decision that keeps a reviewer from ordinary seats the longest."""
    cases = ConductCase.objects.filter(auditor=auditor, until__gt=now).exclude(ruling=ConductStep.LIFTED)
    return cases.order_by("-until").first()
