"""Agreeing that texts of a campaign, under a policy, go to an endpoint's server, and withdrawing it.

Reads Endpoint, Campaign, PolicyVersion; writes ModelConsent, AuditEvent. A withdrawal counts from the next call on:
seats that the model holds are passed on when they are asked (seats.py).
"""

from django.db import IntegrityError, transaction
from django.db.models.functions import Now

from accounts.models import User
from auditing.core.events import EventKind
from auditing.models import Campaign, ModelConsent, PolicyVersion
from auditing.services.events import record_event
from hdag.chat.address import server_of
from hdag.models import Endpoint


class ConsentRefusedError(ValueError):
    """Nothing of this can be agreed to; the message says why."""


def agree(
    *, endpoint: Endpoint, policy: PolicyVersion, campaign: Campaign | None, extent: str, actor: User | None
) -> ModelConsent:
    """The open consent, made now or before; another extent replaces it. Raises ConsentRefusedError."""
    server = server_of(base_url=endpoint.base_url)
    if not server:
        raise ConsentRefusedError("the endpoint has no address that a text could go to")
    if extent not in Endpoint.MaySee.values:
        raise ConsentRefusedError(f"how much goes there is one of: {', '.join(Endpoint.MaySee.values)}")
    if extent == Endpoint.MaySee.TRACES and endpoint.may_see != Endpoint.MaySee.TRACES:
        raise ConsentRefusedError(f"{endpoint.name} may see {endpoint.may_see} at most")
    where = {"endpoint": endpoint, "server": server, "campaign": campaign, "policy": policy}
    try:
        with transaction.atomic():
            same = ModelConsent.objects.select_for_update().filter(**where, withdrawn_at__isnull=True).first()
            if same is not None and same.extent == extent:
                return same
            if same is not None:
                _withdraw(same, actor)
            consent = ModelConsent.objects.create(**where, extent=extent, given_by=actor)
            _record(EventKind.CONSENT_GIVEN, consent, actor)
            return consent
    except IntegrityError:  # two agreed at the same moment: the other one's counts
        return ModelConsent.objects.get(**where, withdrawn_at__isnull=True)


def withdraw(*, number: int, actor: User | None) -> bool:
    """Take a consent back; False when there is no open one of that number."""
    with transaction.atomic():
        consent = ModelConsent.objects.select_for_update().filter(pk=number, withdrawn_at__isnull=True).first()
        if consent is None:
            return False
        _withdraw(consent, actor)
        return True


def _withdraw(consent: ModelConsent, actor: User | None) -> None:
    ModelConsent.objects.filter(pk=consent.pk).update(withdrawn_at=Now(), withdrawn_by=actor)
    _record(EventKind.CONSENT_WITHDRAWN, consent, actor)


def _record(kind: EventKind, consent: ModelConsent, actor: User | None) -> None:
    record_event(
        audit=None,
        kind=kind,
        actor=actor,
        endpoint=str(consent.endpoint_id),
        server=consent.server,
        campaign=str(consent.campaign_id or ""),
        policy=str(consent.policy_id),
        extent=consent.extent,
    )
