"""What an endpoint said of items whose truth is known, or that people judged too.

Reads Endpoint, Vote.
"""

from typing import Any

from auditing.core.stages import AuditStage
from auditing.models import Vote
from hdag.models import Endpoint

OVER = (AuditStage.SETTLED, AuditStage.RECORDED)  # gold speaks once its audit is over


def labels_of(*, endpoint: Endpoint) -> dict[str, str]:
    """Its label of each item that people may have judged too: gold segments, and segments of finished audits."""
    gold = (endpoint.qualification or {}).get("gold", {}).get("votes", {})
    labels = {key: str(vote[0]) for key, vote in gold.items()}
    segments = counted_votes(endpoint=endpoint).values_list("seat__round__segment", "choice")
    return labels | {f"segment {segment}": choice for segment, choice in segments}


def counted_votes(*, endpoint: Endpoint) -> Any:
    """Its opened votes in audits that are over, abstentions left out."""
    votes = Vote.objects.filter(seat__auditor__endpoint=endpoint, seat__round__audit__stage__in=OVER)
    return votes.exclude(choice="abstain")
