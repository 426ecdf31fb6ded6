"""Sessions are ended: a session that is gone opens nothing at its next request. Writes PersonSession."""

from django.core.exceptions import PermissionDenied
from django.db import transaction

from accounts import broadcast
from accounts.models import PersonSession, User
from accounts.selectors.sessions import public_name_of


def end_session(*, user: User, name: str) -> bool:
    """End one of a person's own sessions, by its public name; False when there is none of it."""
    keys = PersonSession.objects.filter(person=user).values_list("pk", flat=True)
    return bool(_end(user, [key for key in keys if public_name_of(session_key=key) == name]))


def end_other_sessions(*, user: User, current: str) -> int:
    """End a person's sessions but the one with this key; returns how many."""
    return _end(user, list(PersonSession.objects.filter(person=user).exclude(pk=current).values_list("pk", flat=True)))


def end_sessions_of(*, user: User, by: User) -> int:
    """An admin ends every session of a person, who may sign in again; returns how many."""
    if not by.is_admin:
        raise PermissionDenied("Only an admin ends the sessions of others.")
    return _end(user, list(PersonSession.objects.filter(person=user).values_list("pk", flat=True)))


@transaction.atomic
def _end(user: User, keys: list[str]) -> int:
    ended, _ = PersonSession.objects.filter(pk__in=keys).delete()
    if ended:
        broadcast.close_pages(user_key=user.pk)  # the pages of a session that goes on open their sockets again
    return ended
