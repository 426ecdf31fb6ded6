"""A person closes their own account: who they are is erased, what they did stays under the pseudonym.

Reads User, RoleGrant; writes User, RoleGrant, RoleEvent, Profile, ApiToken, PersonSession, Invitation, JoinRequest,
SavedView, RequestKey, and allauth's addresses and second factors.
"""

from datetime import datetime

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.db import transaction
from django.db.models import Q

from accounts import broadcast
from accounts.models import ApiToken, Invitation, JoinRequest, PersonSession, Profile, RequestKey, SavedView, User
from accounts.services.roles import lay_down_roles

DOMAIN = "closed.invalid"  # of addresses that nobody has: RFC 2606
_THEIRS = (ApiToken, JoinRequest, RequestKey, SavedView, EmailAddress, Authenticator)  # each by its `user`


def erase_person(*, user: User, now: datetime) -> None:
    """Take every role away, let nobody in, and erase what says who this was; nobody can undo it.

    Raises LastAdminError.
    """
    with transaction.atomic():
        lay_down_roles(user=user, note="closed by its own person")
        address = user.email
        user.email, user.is_active, user.left_at = f"{user.public_id.hex}@{DOMAIN}", False, now
        user.set_unusable_password()
        user.save(update_fields=["email", "password", "is_active", "left_at"])
        # Emptied, not deleted: without a profile passages of their traces could become gold again.
        Profile.objects.filter(user=user).delete()
        Profile.objects.create(user=user, lends_gold=False, digest=Profile.Digest.OFF)
        for rows in _THEIRS:
            rows.objects.filter(user=user).delete()
        PersonSession.objects.filter(person=user).delete()
        Invitation.objects.filter(Q(email=address) | Q(person=user)).delete()
        Invitation.objects.filter(invited_by=user, accepted_at__isnull=True, revoked_at__isnull=True).update(
            revoked_at=now
        )
        broadcast.close_pages(user_key=user.pk)
