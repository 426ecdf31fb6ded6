"""Consents: which endpoints may be sent texts of a campaign under its policy, and how much.

Reads ModelConsent, Endpoint, SeatAttempt.

"This text goes to that server" is asked before any call about an audit; without it the audit's texts stay here. The
provider's own agreement, that models may see the whole trace, is asked beside it and never replaces it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.db.models import QuerySet

from auditing.models import Audit, Campaign, ModelConsent, PolicyVersion, SeatAttempt
from hdag.chat.address import server_of
from hdag.models import Endpoint

__all__ = [
    "Flow",
    "agreed_endpoints",
    "flows_of",
    "flows_of_audit",
    "flows_that_were",
    "is_agreed",
    "listed_consents",
    "refusal_of",
    "why_unasked",
]


@dataclass(frozen=True, slots=True)
class Flow:
    """One endpoint beside one campaign and policy: what would go where, and the consent, if there is one."""

    endpoint: Endpoint
    consent: ModelConsent | None

    @property
    def server(self) -> str:
        """Where it is."""
        return server_of(base_url=self.endpoint.base_url)

    @property
    def extent(self) -> str:
        """How much goes there: what was agreed, else what the endpoint may see at most."""
        return self.consent.extent if self.consent else self.endpoint.may_see

    @property
    def may_judge(self) -> bool:
        """Whether it is asked: somebody agreed, and nothing that was measured refuses it seats."""
        return self.consent is not None and not refusal_of(endpoint=self.endpoint)

    def as_json(self) -> dict[str, str | bool]:
        """What the API tells."""
        return {
            "endpoint": self.endpoint.name,
            "model": self.endpoint.model,
            "server": self.server,
            "extent": self.extent,
            "agreed": self.consent is not None,
        }


def refusal_of(*, endpoint: Endpoint) -> str:
    """Why its last qualification, on labels or on gold, or what was seen since refuses it seats.

    Empty where none does.
    """
    stored = endpoint.qualification or {}
    reasons = (measure.get("refused", "") for measure in (stored, stored.get("gold", {}), stored.get("watch", {})))
    return next((str(reason) for reason in reasons if reason), "")


def agreed_endpoints(*, audit: Audit, rows: Iterable[Endpoint], whole: bool = False) -> list[Endpoint]:
    """Those of `rows` that texts of this audit may go to; `whole`: the whole trace, not only its segments."""
    flows = _flows(rows, audit.campaign_id, audit.policy_id)
    extents = {Endpoint.MaySee.TRACES} if whole else set(Endpoint.MaySee)
    return [flow.endpoint for flow in flows if flow.consent is not None and flow.consent.extent in extents]


def is_agreed(*, audit: Audit, endpoint: Endpoint, whole: bool = False) -> bool:
    """Whether texts of this audit may go to where this endpoint is now."""
    return bool(agreed_endpoints(audit=audit, rows=[endpoint], whole=whole))


def flows_of(*, campaign: Campaign | None, policy: PolicyVersion) -> list[Flow]:
    """Every enabled endpoint beside a campaign (None: no campaign) and a policy."""
    rows = Endpoint.objects.filter(enabled=True).order_by("name")
    return _flows(rows, campaign.pk if campaign else None, policy.pk)


def flows_of_audit(*, audit: Audit) -> list[Flow]:
    """Every enabled endpoint beside one audit."""
    return _flows(Endpoint.objects.filter(enabled=True).order_by("name"), audit.campaign_id, audit.policy_id)


def flows_that_were(*, audit: Audit) -> list[Flow]:
    """Every endpoint that was asked about one audit, enabled still or not: what a finished audit tells."""
    asked = SeatAttempt.objects.filter(seat__round__audit=audit).values("seat__auditor__endpoint")
    return _flows(Endpoint.objects.filter(pk__in=asked).order_by("name"), audit.campaign_id, audit.policy_id)


def why_unasked(*, flows: Iterable[Flow]) -> str:
    """Why no model is asked, in a sentence; empty where one may be, or where there is none."""
    listed = list(flows)
    if not listed or any(flow.may_judge for flow in listed):
        return ""
    refused = [f"{row.endpoint.name}: {refusal_of(endpoint=row.endpoint)}" for row in listed if row.consent is not None]
    if refused:
        return f"No language model is asked: all that may be were refused seats ({'; '.join(refused)})."
    servers = ", ".join(sorted({flow.server for flow in listed}))
    return (
        f"No language model is asked: nobody has agreed that texts of this campaign, under its policy, go to {servers}."
    )


def listed_consents() -> QuerySet[ModelConsent]:
    """All consents, open ones first, then the newest."""
    rows = ModelConsent.objects.select_related("endpoint", "campaign", "policy", "given_by", "withdrawn_by")
    return rows.order_by("withdrawn_at", "-pk")


def _flows(rows: Iterable[Endpoint], campaign: UUID | None, policy: UUID) -> list[Flow]:
    """Each endpoint with the open consent for the server where it is now."""
    endpoints = list(rows)
    if not endpoints:
        return []
    stored = ModelConsent.objects.filter(
        endpoint__in=endpoints, campaign=campaign, policy=policy, withdrawn_at__isnull=True
    ).select_related("given_by")
    # Known by its server as well: an endpoint that was moved takes no consent along.
    consents = {(consent.endpoint_id, consent.server): consent for consent in stored}
    return [Flow(row, consents.get((row.pk, server_of(base_url=row.base_url)))) for row in endpoints]
