"""Recusals: auditors who declared a conflict of interest with the provider of a seat they were drawn for."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from auditing.models.seating.round import Auditor, Seat


class Recusal(models.Model):
    """An auditor declined a seat for a conflict of interest, and is never drawn for that provider's traces again.

    The auditor is never told who the provider is, and the provider is never told of the recusal. One row for each
    pair (`one_recusal_a_provider`).
    """

    auditor = models.ForeignKey(Auditor, models.PROTECT, related_name="recusals")
    provider = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    seat = models.ForeignKey(Seat, models.PROTECT, related_name="+")  # the one that was declined
    created = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.UniqueConstraint(fields=["auditor", "provider"], name="one_recusal_a_provider")]

    def __str__(self) -> str:
        return f"{self.auditor_id} is recused"
