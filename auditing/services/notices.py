"""News for people, each once: the notification centre and the digest by mail. Writes Notice."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction

from accounts.models import Profile, User
from auditing.models import Notice

SPAN = {Profile.Digest.DAILY: timedelta(days=1), Profile.Digest.WEEKLY: timedelta(days=7)}
MAILED_AT_ONCE = 200
LINES = 30


def tell_people(*, people: Iterable[Any], kind: str, key: str, text: str, link: str = "") -> int:
    """One piece of news for each of `people`; the same key again tells nobody twice."""
    rows = [Notice(user=one, kind=kind, key=key[:120], text=text[:300], link=link[:200]) for one in people]
    return len(Notice.objects.bulk_create(rows, ignore_conflicts=True))


def mark_read(*, user: Any, now: datetime) -> int:
    """Everything up to now is read."""
    return Notice.objects.filter(user=user, read_at__isnull=True).update(read_at=now)


def send_digests(*, now: datetime) -> int:
    """Mail the news of everyone whose digest is due and whose quiet hours are over; each line is mailed once."""
    sent = 0
    waiting = Notice.objects.filter(mailed_at__isnull=True).values("user")
    for user in User.objects.filter(pk__in=waiting, is_active=True).select_related("profile")[:MAILED_AT_ONCE]:
        sent += _mail(user, now) if _is_due(user, now) else 0
    return sent


def _is_due(user: User, now: datetime) -> bool:
    profile: Profile | None = getattr(user, "profile", None)
    digest = profile.digest if profile else Profile.Digest.DAILY
    if digest == Profile.Digest.OFF or user.is_simulated or (profile and profile.is_quiet(hour=now.hour)):
        return False
    last = Notice.objects.filter(user=user, mailed_at__isnull=False).order_by("-mailed_at").first()
    return last is None or last.mailed_at is None or now - last.mailed_at >= SPAN[Profile.Digest(digest)]


def _mail(user: User, now: datetime) -> int:
    """Mark first, mail then: a crash in between loses a mail, never sends one twice."""
    with transaction.atomic():
        rows = list(Notice.objects.select_for_update(skip_locked=True).filter(user=user, mailed_at__isnull=True))
        Notice.objects.filter(pk__in=[row.pk for row in rows]).update(mailed_at=now)
    unread = [row for row in rows if row.read_at is None]
    if not unread:
        return 0
    lines = [f"- {row.text} {_site()}{row.link}" for row in unread[:LINES]]
    send_mail(f"TRUST: {len(unread)} new", "\n".join(lines), None, [user.email], fail_silently=True)
    return 1


def _site() -> str:
    """The address of this site, as its ledger names it."""
    return "https://" + str(settings.LEDGER_ORIGIN).split("/", 1)[0]
