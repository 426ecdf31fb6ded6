"""Digests: news by mail, at the rhythm that each person chose. Reads Profile, Notice; writes Notice.mailed_at.

A line is mailed at most once: it is marked before the mail is handed to the server, so that a worker that dies between
the two loses a mail (the news stays unread in the notification centre) and never sends one twice. A server that says
no, or whose connection breaks, is another matter: the mark is taken back, and the next sweep tries again. Only where
the connection broke after the mail had arrived is it sent twice.
"""

import logging
import smtplib
from collections.abc import Sequence
from datetime import datetime

from django.conf import settings
from django.core.mail import EmailMultiAlternatives, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse

from accounts.models import User
from accounts.services.profiles import mail_token
from auditing.models import Notice
from auditing.selectors.campaigns.news import News, gather, is_due, who_waits_for_mail

log = logging.getLogger(__name__)
MAILED_AT_ONCE = 200  # mails of one sweep; the next one comes minutes later
LINES = 30  # pieces of news in a mail; the rest is counted


class ServerAwayError(Exception):
    """The mail server cannot be reached or takes nothing now."""


def send_digests(*, now: datetime) -> int:
    """Mail the news of everyone whose digest is due and whose quiet hours are over; returns the number of mails."""
    sent, server = 0, get_connection()  # one connection for all mails
    try:
        for user in who_waits_for_mail():
            # last_mail is annotated by who_waits_for_mail.
            if is_due(user=user, last=user.last_mail, now=now):  # type: ignore[attr-defined]
                sent += _mail(user, server, now)
            if sent == MAILED_AT_ONCE:
                break
    except ServerAwayError as error:
        log.warning("digests wait: %s", error.__cause__)
    finally:
        server.close()
    return sent


def _mail(user: User, server: BaseEmailBackend, now: datetime) -> bool:
    rows = _take(user, now)
    if not rows:  # everything was read, or mailed by another worker, since it was listed
        return False
    try:
        mail = write_mail(user=user, news=list(gather(rows)), count=len(rows))
        server.open()
        server.send_messages([mail])
    except smtplib.SMTPRecipientsRefused as error:
        # This address will not take it tomorrow either: the news counts as mailed.
        log.warning("the digest of %s was refused: %s", user.public_id, error)
        return False
    except OSError as error:
        Notice.objects.filter(pk__in=[row.pk for row in rows], mailed_at=now).update(mailed_at=None)
        raise ServerAwayError(ServerAwayError.__doc__) from error
    return True


def _take(user: User, now: datetime) -> Sequence[Notice]:
    """Mark what this mail will say; empty when another worker mailed this person a moment ago."""
    with transaction.atomic():
        # Two workers with the same sweep take turns here; the second finds that nothing is due.
        User.objects.select_for_update().get(pk=user.pk)
        last = Notice.objects.filter(user=user, mailed_at__isnull=False).order_by("-mailed_at").first()
        if not is_due(user=user, last=last.mailed_at if last else None, now=now):
            return []
        unread = Notice.objects.filter(user=user, mailed_at__isnull=True, read_at__isnull=True)
        rows = list(unread.order_by("kind", "text", "link", "-id"))
        Notice.objects.filter(pk__in=[row.pk for row in rows], mailed_at__isnull=True).update(mailed_at=now)
    return rows


def write_mail(*, user: User, news: Sequence[News], count: int) -> EmailMultiAlternatives:
    """The digest as text and as HTML, with the headers by which mail programs offer to stop it (RFC 2369, RFC 8058)."""
    site = settings.TRUST_SITE_URL.rstrip("/") or "https://" + settings.LEDGER_ORIGIN.split("/", 1)[0]
    stop = site + reverse("accounts:stop_mail", args=[mail_token(user=user)])
    context = {
        "news": news[:LINES],
        "more": len(news) - LINES,
        "site": site,
        "stop": stop,
        "centre": site + reverse("auditing:notices"),
        "profile": site + reverse("accounts:profile"),
    }
    mail = EmailMultiAlternatives(
        subject=f"TRUST: {count} piece{'s' if count > 1 else ''} of news",
        body=render_to_string("auditing/campaigns/mail.txt", context),
        to=[user.email],
        headers={
            "List-Unsubscribe": f"<{stop}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Auto-Submitted": "auto-generated",
        },
    )
    mail.attach_alternative(render_to_string("auditing/campaigns/mail.html", context), "text/html")
    return mail
