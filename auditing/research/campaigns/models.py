"""Questions about the guidelines of a campaign; an answer is a new version of them."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from auditing.models import Campaign


class GuidelineQuestion(models.Model):
    """What a reviewer asked. `version` is that of the guidelines which hold the answer; empty while it waits."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="questions")
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    text = models.CharField(max_length=1000)
    created = models.DateTimeField(db_default=Now(), editable=False)
    version = models.PositiveIntegerField(null=True)

    def __str__(self) -> str:
        return f"question {self.pk} about {self.campaign_id}"
