"""The guidelines of a campaign, version by version with what changed, and the questions about them that wait."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from auditing.models import Campaign
from auditing.research.campaigns.core import ChangedLine, changes_between
from auditing.research.models import GuidelineQuestion

MOST_VERSIONS = 20


@dataclass(frozen=True, slots=True)
class GuidelineVersion:
    """One version, and what it changed of the one before."""

    version: int
    text: str
    created: datetime
    changes: tuple[ChangedLine, ...]


def guideline_versions(*, campaign: Campaign) -> list[GuidelineVersion]:
    """The newest versions, newest first."""
    rows = list(campaign.guidelines.order_by("-version")[: MOST_VERSIONS + 1])
    earlier = [*rows[1:], None]
    return [
        GuidelineVersion(
            row.version,
            row.text,
            row.created,
            tuple(changes_between(old=before.text, new=row.text)) if before else (),
        )
        for row, before in zip(rows, earlier, strict=True)
    ][:MOST_VERSIONS]


def open_questions(*, campaign: Campaign) -> QuerySet[GuidelineQuestion]:
    """Those that wait, the oldest first."""
    return GuidelineQuestion.objects.filter(campaign=campaign, version=None).order_by("created", "pk")


def find_question(*, campaign: Campaign, key: int) -> GuidelineQuestion | None:
    """A question of this campaign."""
    questions = GuidelineQuestion.objects.select_related("campaign", "asked_by")
    return questions.filter(campaign=campaign, pk=key).first()
