"""News for people, each once: the notification centre and the digest by mail. Writes Notice."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction

from accounts.models import Profile, User
from auditing.core.stages import SeatStage
from auditing.models import Audit, Notice, Seat

SPAN = {Profile.Digest.DAILY: timedelta(days=1), Profile.Digest.WEEKLY: timedelta(days=7)}
MAILED_AT_ONCE = 200
LINES = 30


def tell_people(*, people: Iterable[Any], kind: str, key: str, text: str, link: str = "") -> int:
    """One piece of news for each of `people`; the same key again tells nobody twice."""
    rows = [Notice(user=one, kind=kind, key=key[:120], text=text[:300], link=link[:200]) for one in people]
    return len(Notice.objects.bulk_create(rows, ignore_conflicts=True))


def tell_outcome(*, audit: Audit) -> None:
    """The outcome is recorded: its provider and the people who voted hear of it; auditors learn no title."""
    says = f"Recorded: {audit.trace.title[:200]} \u2014 {audit.outcome}."
    _tell_provider(audit, Notice.Kind.OUTCOME, f"outcome:{audit.pk}", says, f"/audits/{audit.pk}/report")
    text = "Segments you judged are decided; your record shows how your votes compare."
    tell_people(people=_voters(audit), kind=Notice.Kind.OUTCOME, key=f"decided:{audit.pk}", text=text, link="/record")


def tell_failure(*, audit: Audit) -> None:
    """The audit stopped for good: its provider hears of it; its page says why."""
    says = f"This audit stopped; its page says why: {audit.trace.title[:200]}."
    _tell_provider(audit, Notice.Kind.OUTCOME, f"failed:{audit.pk}", says, f"/audits/{audit.pk}")


def tell_appeal(*, audit: Audit, by: Any) -> None:
    """Somebody appeals: the provider and the people who voted hear of it, the one who appeals does not."""
    says = f"An appeal was made: {audit.trace.title[:200]}. A second audit has begun."
    if audit.trace.provider_id != by.pk:
        _tell_provider(audit, Notice.Kind.APPEAL, f"appeal:{audit.pk}", says, f"/audits/{audit.pk}")
    people = [one for one in _voters(audit) if one.pk != by.pk]
    text = "An appeal was made against an audit you voted in; its points stay held until the second audit has ended."
    tell_people(people=people, kind=Notice.Kind.APPEAL, key=f"appealed:{audit.pk}", text=text, link="/points")


def _tell_provider(audit: Audit, kind: str, key: str, text: str, link: str) -> None:
    tell_people(people=[audit.trace.provider], kind=kind, key=key, text=text, link=link)


def _voters(audit: Audit) -> list[User]:
    seats = Seat.objects.filter(round__audit=audit, stage=SeatStage.REVEALED, auditor__user__isnull=False)
    return list(User.objects.filter(pk__in=seats.values("auditor__user"), is_active=True, is_simulated=False))


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
