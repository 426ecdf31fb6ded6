"""The priors by which campaigns order their queues, and what each said of the steps of a trace."""

from django.db import models
from django.db.models.functions import Now

from auditing.models import Audit, Campaign, Seat


class CampaignPrior(models.Model):
    """The prior of a campaign: its file as it was trained. Without a row nothing is ordered by one."""

    campaign = models.OneToOneField(Campaign, models.CASCADE, related_name="prior")
    sha256 = models.CharField(max_length=64)
    text = models.TextField()
    since = models.DateTimeField(db_default=Now(), editable=False)

    def __str__(self) -> str:
        return f"prior {self.sha256[:12]} of {self.campaign_id}"


class PriorOrder(models.Model):
    """What a prior said of one audit, kept so that the order can be explained: no vote and no part of any outcome."""

    audit = models.OneToOneField(Audit, models.CASCADE, related_name="prior_order")
    sha256 = models.CharField(max_length=64)  # of the prior's file
    chances = models.JSONField(default=list)  # of each input step to be the first error; empty where none were given
    at = models.DateTimeField(db_default=Now(), editable=False)

    def __str__(self) -> str:
        return f"order of {self.audit_id}"


class PriorPlace(models.Model):
    """A seat that a prior moved within its holder's queue, and the chance that moved it. A seat is moved once."""

    seat = models.OneToOneField(Seat, models.CASCADE, related_name="prior_place")
    chance = models.FloatField()

    def __str__(self) -> str:
        return f"place of {self.seat_id}"
