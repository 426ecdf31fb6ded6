"""News by mail: once, at the person's hours, by the clock on their wall, and stopped by one click."""

import re
import smtplib
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core import mail
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.test import Client
from django.urls import reverse

from accounts.models import Profile, User
from auditing.models import Notice
from auditing.research.news import services as digests
from auditing.selectors.campaigns.news import TITLES
from auditing.selectors.campaigns.topics import may_hear
from auditing.selectors.clock import database_now
from auditing.services.campaigns import notices
from tests.factories.worlds import make_user

pytestmark = pytest.mark.django_db
HERE = "tests.rooms.campaigns.test_digests."


@pytest.fixture
def ada() -> User:
    return make_user("ada@example.org")


def tell(user: User, text: str = "Recorded: Hens.", key: str = "a", kind: str = "outcome") -> None:
    notices.tell_people(people=[user], kind=kind, key=key, text=text, link="/record")


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def test_whoever_was_never_mailed_is_mailed_first(ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    now, never = database_now(), make_user("bob@example.org")
    tell(ada, key="old")
    Notice.objects.update(mailed_at=now - timedelta(days=9))
    tell(ada), tell(never)
    monkeypatch.setattr(digests, "MAILED_AT_ONCE", 1)
    assert digests.send_digests(now=now) == 1
    assert mail.outbox[0].to == ["bob@example.org"]


class Refusing(BaseEmailBackend):
    """A mail server that says no."""

    trouble: OSError = ConnectionRefusedError("nobody listens")

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        raise self.trouble


class UnknownHere(Refusing):
    """A mail server that knows no such mailbox."""

    trouble = smtplib.SMTPRecipientsRefused({"ada@example.org": (550, b"no such user")})


class Killed(BaseEmailBackend):
    """The mail leaves, then the worker is gone before it can write anything down."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        mail.outbox.extend(email_messages)
        raise KeyboardInterrupt


def is_quiet(at: str, zone: str = "Europe/Berlin", quiet: tuple[int, int] = (22, 7)) -> bool:
    profile = Profile(time_zone=zone, quiet_from=quiet[0], quiet_until=quiet[1])
    return profile.is_quiet(now=datetime.fromisoformat(at).replace(tzinfo=UTC))


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        ("2026-03-28T20:59", False),
        ("2026-03-28T21:00", True),  # winter: 22:00 in Berlin is 21:00 UTC
        ("2026-03-29T00:59", True),
        ("2026-03-29T01:00", True),  # 02:00 does not exist there, 03:00 does
        ("2026-03-29T04:59", True),
        ("2026-03-29T05:00", False),  # summer: 07:00 is 05:00 UTC
        ("2026-03-29T19:59", False),
        ("2026-03-29T20:00", True),
        ("2026-10-25T00:30", True),
        ("2026-10-25T01:30", True),  # 02:30 comes twice
        ("2026-10-25T05:59", True),
        ("2026-10-25T06:00", False),
    ],
)
def test_quiet_hours_run_over_midnight_and_follow_summer_time(at: str, expected: bool) -> None:
    assert is_quiet(at) is expected


def test_quiet_hours_may_lie_within_a_day_and_zones_may_be_odd() -> None:
    assert is_quiet("2026-06-01T06:20", zone="Asia/Kolkata", quiet=(11, 13))  # 11:50 there
    assert not is_quiet("2026-06-01T07:40", zone="Asia/Kolkata", quiet=(11, 13))  # 13:10
    assert is_quiet("2026-06-01T12:00", zone="No/Such_Place", quiet=(12, 13))  # then UTC


def test_a_worker_killed_between_sending_and_noting_it_sends_nothing_twice(ada: User, settings: Any) -> None:
    tell(ada)
    settings.EMAIL_BACKEND = HERE + "Killed"
    with pytest.raises(KeyboardInterrupt):
        digests.send_digests(now=database_now())
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    digests.send_digests(now=database_now() + timedelta(days=3))
    assert len(mail.outbox) == 1


def test_a_server_that_is_away_loses_nothing(ada: User, settings: Any) -> None:
    tell(ada)
    now, before = database_now(), settings.EMAIL_BACKEND
    settings.EMAIL_BACKEND = HERE + "Refusing"
    assert digests.send_digests(now=now) == 0
    settings.EMAIL_BACKEND = before
    assert digests.send_digests(now=now + timedelta(minutes=5)) == 1


def test_an_address_that_is_refused_is_not_tried_for_ever(ada: User, settings: Any) -> None:
    tell(ada)
    tell(make_user("bob@example.org"))
    settings.EMAIL_BACKEND = HERE + "UnknownHere"
    assert digests.send_digests(now=database_now()) == 0
    assert not Notice.objects.filter(mailed_at__isnull=True).exists()


def test_those_who_want_no_mail_keep_nobody_waiting(ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(digests, "MAILED_AT_ONCE", 1)
    for number in range(3):
        other = make_user(f"quiet{number}@example.org")
        Profile.objects.create(user=other, digest="off")
        tell(other)
    tell(ada)
    assert digests.send_digests(now=database_now()) == 1
    assert mail.outbox[0].to == ["ada@example.org"]


def test_the_mail_reads_well_as_text_and_as_html_and_carries_the_headers_of_one_click(ada: User) -> None:
    for number in range(3):
        tell(ada, text="Segments you judged are decided; <see>.", key=f"n{number}")
    tell(ada, text="An appeal was made.", key="appeal", kind="appeal")
    digests.send_digests(now=database_now())
    (sent,) = mail.outbox
    assert "OUTCOMES\n- Segments you judged are decided; <see>. (3 times)\n  http" in sent.body
    html, kind = sent.alternatives[0]  # type: ignore[attr-defined]
    html = " ".join(html.split())
    assert (kind, "&lt;see&gt;. </a>" in html or "&lt;see&gt;.</a> (3 times)" in html) == ("text/html", True)
    assert sent.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    stop = re.fullmatch(r"<https://[^/]+(/mail/stop/.+)>", sent.extra_headers["List-Unsubscribe"])[1]  # type: ignore[index]
    strict = Client(enforce_csrf_checks=True)
    assert "Stop the mails?" in strict.get(stop).content.decode()
    assert Profile.objects.filter(user=ada, digest="off").count() == 0  # a scanner that follows links stops nothing
    assert strict.post(stop, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert Profile.objects.get(user=ada).digest == "off"
    assert strict.post(stop[:-3] + "abc").status_code == 404


def test_calls_to_the_desk_do_not_pile_up_but_come_again_after_they_were_heard(ada: User) -> None:
    for number in range(5):
        tell(ada, key=f"assigned:{number}", kind="assigned")
    (call,) = Notice.objects.filter(user=ada)
    page = signed_in(ada).get(reverse("auditing:open_news", args=[call.pk]))
    assert page.url == "/record"
    tell(ada, key="assigned:6", kind="assigned")
    assert Notice.objects.filter(user=ada, read_at__isnull=True).count() == 1


def test_news_are_paged_by_key_and_are_one_s_own(ada: User) -> None:
    for number in range(120):
        tell(ada, text=f"News number {number}.", key=str(number))
    client, eve = signed_in(ada), make_user("eve@example.org")
    first = client.get("/me/news").content.decode()
    assert 'bell-count num">99+<' in first
    older = re.search(r'rel="next" href="([^"]+)"', first)[1]  # type: ignore[index]
    second = client.get("/me/news" + older).content.decode()
    assert ("News number 119." in first, "News number 70." in first, "News number 69." in second) == (True, True, True)
    assert client.get("/me/news?after=9999999999999999999999").status_code == 200
    key = Notice.objects.filter(user=ada).latest("pk").pk
    assert signed_in(eve).get(f"/me/news/{key}").status_code == 404
    assert (may_hear(user=ada, topic=f"news.{ada.public_id}"), may_hear(user=eve, topic=f"news.{ada.public_id}")) == (
        True,
        False,
    )


def test_every_kind_of_news_has_a_title() -> None:
    assert set(TITLES) == set(Notice.Kind)
