"""Roles given and taken. Reads User; writes RoleGrant and, in the same transaction, RoleEvent."""

from django.core.exceptions import PermissionDenied
from django.db import transaction

from accounts import broadcast
from accounts.models import Role, RoleEvent, RoleGrant, SavedView, User


class LastAdminError(Exception):
    """This is the last admin; give the role to someone else first."""


class NobodyError(Exception):
    """Nobody is behind this account: it opens to nobody again and gets no role."""


def _forget(user: User) -> None:
    user.__dict__.pop("roles", None)  # where cached_property keeps its value; read anew at the next question


def grant_role(*, user: User, role: str, by: User | None = None, note: str = "") -> bool:
    """Give a role; False when it was already held. `by` is None only for the system's own set-up.

    Raises NobodyError.
    """
    _check_may_change(by)
    _check_address(user)
    with transaction.atomic():
        _, is_new = RoleGrant.objects.get_or_create(user=user, role=Role(role), defaults={"granted_by": by})
        if is_new:
            RoleEvent.objects.create(user=user, role=Role(role), verb=RoleEvent.Verb.GRANTED, by=by, note=note)
    _forget(user)
    return is_new


def revoke_role(*, user: User, role: str, by: User | None = None, note: str = "") -> bool:
    """Take a role away; False when it was not held. The last admin stays."""
    _check_may_change(by)
    return _take(user, role, by, note)


def lay_down_roles(*, user: User, note: str) -> None:
    """A person gives up every role of their own. Raises LastAdminError."""
    with transaction.atomic():
        for role in RoleGrant.objects.filter(user=user).order_by("role").values_list("role", flat=True):
            _take(user, role, user, note)


def _take(user: User, role: str, by: User | None, note: str) -> bool:
    with transaction.atomic():
        if role == Role.ADMIN:
            _check_other_admin(user)
        taken, _ = RoleGrant.objects.filter(user=user, role=Role(role)).delete()
        if taken:
            RoleEvent.objects.create(user=user, role=Role(role), verb=RoleEvent.Verb.REVOKED, by=by, note=note)
            # A socket asks for rights anew with each piece of news; this closes it now, not when the next one comes.
            broadcast.close_pages(user_key=user.pk)
    _forget(user)
    return bool(taken)


def close_account(*, user: User, by: User, note: str = "") -> None:
    """Take every role away and let nobody in with this account: no page, no token, no seat. The last admin stays."""
    with transaction.atomic():
        for role in sorted(user.roles):
            revoke_role(user=user, role=role, by=by, note=note or "account closed")
        _check_may_change(by)  # also where there was no role to take
        User.objects.filter(pk=user.pk).update(is_active=False)
        SavedView.objects.filter(user=user).delete()
        broadcast.close_pages(user_key=user.pk)
    user.is_active = False


def reopen_account(*, user: User, by: User) -> None:
    """Let a person in again; roles are given anew. Raises NobodyError."""
    _check_may_change(by)
    _check_address(user)
    User.objects.filter(pk=user.pk).update(is_active=True)
    user.is_active = True


def _check_address(user: User) -> None:
    if not user.has_address:
        raise NobodyError(NobodyError.__doc__)


def _check_may_change(by: User | None) -> None:
    if by is not None and not by.is_admin:
        raise PermissionDenied("Only an admin gives and takes roles.")


def _check_other_admin(user: User) -> None:
    """Lock all admin grants in one order, so that two admins cannot remove each other at once."""
    admins = list(RoleGrant.objects.select_for_update().filter(role=Role.ADMIN, user__is_active=True).order_by("id"))
    if user.pk in {grant.user_id for grant in admins} and len(admins) == 1:
        raise LastAdminError(LastAdminError.__doc__)
