"""Idempotency keys of programs: the same request again gives the same answer. Reads and writes RequestKey."""

from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models.functions import Now

from accounts.models import RequestKey, User

KEPT = timedelta(days=1)
LEASE = timedelta(minutes=2)  # longer than any request lasts: what has no answer by then died on its way


class OtherRequestError(Exception):
    """This Idempotency-Key was used with another request; a new request needs a new key."""


class StillRunningError(Exception):
    """The first request with this Idempotency-Key is not answered yet; ask again in a moment."""


def begin(*, user: User, key: str, digest: bytes) -> RequestKey | None:
    """None when the request is to be done now, else the row with the answer that its first sending got.

    Raises OtherRequestError, StillRunningError.
    """
    with transaction.atomic():
        RequestKey.objects.filter(user=user, at__lt=Now() - KEPT).delete()
        # An attempt that died on its way is done again: every effect behind these keys is safe to repeat.
        RequestKey.objects.filter(user=user, key=key, status__isnull=True, at__lt=Now() - LEASE).delete()
        row, is_new = RequestKey.objects.get_or_create(user=user, key=key, defaults={"digest": digest})
    if is_new:
        return None
    if bytes(row.digest) != digest:
        raise OtherRequestError(OtherRequestError.__doc__)
    if row.status is None:
        raise StillRunningError(StillRunningError.__doc__)
    return row


def finish(*, user: User, key: str, status: int, answer: Any) -> None:
    """Keep the answer for whoever asks the same again."""
    RequestKey.objects.filter(user=user, key=key).update(status=status, answer=answer)


def forget(*, user: User, key: str) -> None:
    """Nothing was done under this key: it may be tried again, with the mistake mended."""
    RequestKey.objects.filter(user=user, key=key, status__isnull=True).delete()
