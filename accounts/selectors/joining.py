"""Reading how people come in: the rule in force, open invitations, requests that wait."""

import hashlib
from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.db.models import QuerySet

from accounts.models import Invitation, JoiningRule, JoinRequest, Role, User


def current_way() -> JoiningRule.Way:
    """The rule in force; before an admin chose one, the environment's TRUST_SIGNUP_OPEN decides."""
    chosen = JoiningRule.objects.values_list("way", flat=True).first()
    if chosen is not None:
        return JoiningRule.Way(chosen)
    return JoiningRule.Way.APPROVAL if settings.TRUST_SIGNUP_OPEN else JoiningRule.Way.INVITATION


def digest_of(*, secret: str) -> str:
    """What is stored of an invitation's secret: SHA-256 in hex (256 random bits need no salt)."""
    # "surrogatepass", because the secret comes from an address: half a surrogate pair must be unknown, not an error.
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def live_invitations(*, now: datetime) -> QuerySet[Invitation]:
    """Invitations that can still be accepted, newest first; one lapses with its inviter's admin role."""
    return Invitation.objects.filter(
        accepted_at__isnull=True,
        revoked_at__isnull=True,
        expires_at__gt=now,
        invited_by__is_active=True,
        invited_by__grants__role=Role.ADMIN,
    ).select_related("invited_by")


def find_invitation(*, secret: str, now: datetime) -> Invitation | None:
    """The invitation that this secret opens now."""
    return live_invitations(now=now).filter(digest=digest_of(secret=secret)).first() if secret else None


def waiting_requests() -> QuerySet[JoinRequest]:
    """Requests that wait for an admin, oldest first."""
    return JoinRequest.objects.filter(state=JoinRequest.State.WAITING, user__is_active=True).select_related("user")


def find_request(*, public_id: UUID) -> JoinRequest | None:
    """The request of the person with this public id."""
    return JoinRequest.objects.filter(user__public_id=public_id).select_related("user").first()


def request_of(*, user: User) -> JoinRequest | None:
    """The person's own request, if the account came by one."""
    return JoinRequest.objects.filter(user=user).first()
