"""Links to reports: made by the provider alone, without a word of the trace unless they say so, and they end."""

import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from auditing.core.values import Choice
from auditing.models import Audit, AuditEvent, Share
from auditing.research.erasure.services import ask, confirm
from auditing.research.reports.appeals import appeal
from auditing.selectors.clock import database_now
from auditing.services.intake.submission import withdraw
from tests.factories.worlds import ANSWER, PROBLEM, THINKING, TRACE, World, make_user
from tests.pages.test_corridor_pages import signed_in

pytestmark = pytest.mark.django_db
OTHER = replace(TRACE, problem=f"{PROBLEM} Count twice.", title="Twice")
TEXTS = (PROBLEM, ANSWER, *(line for line in THINKING.splitlines() if line))


def make_link(world: World, audit: Audit, **fields: str) -> str:
    page = signed_in(world.provider).post(f"/audits/{audit.pk}/share", {"days": "30", **fields}).content.decode()
    return re.search(r'id="secret">http://testserver(/shared/[\w-]+)<', page)[1]  # type: ignore[index]


def words_of(page: Any) -> str:
    return re.sub(r"<[^>]+>", " ", page.content.decode())


def test_a_link_shows_verdict_and_outline_and_not_a_word_of_the_trace(
    recorded_hens: World, recorded_audit: Audit
) -> None:
    page = Client().get(make_link(recorded_hens, recorded_audit))
    words = words_of(page)
    assert page.status_code == 200
    assert "The reasoning holds" in words
    assert "Outline" in words
    assert [text for text in TEXTS if text in words] == []
    assert page["X-Robots-Tag"] == "noindex"
    assert page["Referrer-Policy"] == "no-referrer"


def test_the_text_is_there_once_the_provider_says_so(recorded_hens: World, recorded_audit: Audit) -> None:
    page = Client().get(make_link(recorded_hens, recorded_audit, with_text="on"))
    assert "A farmer has 12 hens" in words_of(page)


def test_what_was_found_is_text_too(recorded_hens: World) -> None:
    audit = recorded_hens.submit(OTHER)
    recorded_hens.everybody_votes(audit, Choice.FAIL)
    page = words_of(Client().get(make_link(recorded_hens, audit)))
    assert "Fails at" in page
    assert "It does not follow" not in page


def test_a_link_expires_and_ends(recorded_hens: World, recorded_audit: Audit) -> None:
    address = make_link(recorded_hens, recorded_audit, days="7")
    Share.objects.update(expires_at=database_now() - timedelta(seconds=1))
    assert Client().get(address).status_code == 404
    Share.objects.update(expires_at=database_now() + timedelta(days=1))
    assert Client().get(address).status_code == 200
    link = Share.objects.get()
    provider = signed_in(recorded_hens.provider)
    assert provider.post(f"/audits/{recorded_audit.pk}/share/{link.pk}/end").status_code == 302
    assert Client().get(address).status_code == 404
    assert Client().get(f"{address}/badge.svg").status_code == 404
    assert provider.post(f"/audits/{recorded_audit.pk}/share/{link.pk}/end").status_code == 404
    kinds = AuditEvent.objects.filter(kind__startswith="report.").order_by("pk").values_list("kind", flat=True)
    assert list(kinds) == ["report.shared", "report.unshared"]


def test_nobody_else_makes_or_ends_a_link(recorded_hens: World, recorded_audit: Audit) -> None:
    make_link(recorded_hens, recorded_audit)
    link = Share.objects.get()
    for person in (make_user("p2@example.org", "provider"), recorded_hens.campaign.owner, recorded_hens.reviewers[0]):
        client = signed_in(person)
        assert client.get(f"/audits/{recorded_audit.pk}/share").status_code in (403, 404)
        assert client.post(f"/audits/{recorded_audit.pk}/share/{link.pk}/end").status_code in (403, 404)
    assert Share.objects.get().ended_at is None


def test_an_audit_under_way_is_not_shared(recorded_hens: World) -> None:
    under_way = recorded_hens.submit(OTHER)
    assert signed_in(recorded_hens.provider).get(f"/audits/{under_way.pk}/share").status_code == 404


def test_what_was_erased_is_gone_from_its_links_too(recorded_hens: World, recorded_audit: Audit) -> None:
    address = make_link(recorded_hens, recorded_audit, with_text="on")
    request = ask(trace=recorded_audit.trace, by=recorded_hens.provider, because="")
    if request.decided_at is None:
        confirm(erasure=request, by=recorded_hens.campaign.owner)
    page = Client().get(address)
    assert page.status_code == 410
    assert "<h1>The text of this audit was erased</h1>" in page.content.decode()
    assert page["X-Robots-Tag"] == "noindex"
    told = words_of(page)
    assert [text for text in ("Eggs", *TEXTS, "holds", str(recorded_audit.pk)) if text in told] == []


def test_the_secret_is_stored_nowhere(recorded_hens: World, recorded_audit: Audit) -> None:
    secret = make_link(recorded_hens, recorded_audit).removeprefix("/shared/")
    assert secret not in str(Share.objects.values())
    assert secret not in str(list(AuditEvent.objects.values_list("body", flat=True)))


def test_the_badge_says_the_outcome_and_stands_on_pages_of_others(recorded_hens: World, recorded_audit: Audit) -> None:
    badge = Client().get(f"{make_link(recorded_hens, recorded_audit)}/badge.svg")
    assert badge["Content-Type"].startswith("image/svg+xml")
    assert badge["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert ">holds<" in badge.content.decode()


def test_a_link_and_its_badge_say_what_stands_after_an_appeal(recorded_hens: World, recorded_audit: Audit) -> None:
    link = make_link(recorded_hens, recorded_audit)
    recorded_hens.reviewers = [make_user(f"second{number}@example.org", "reviewer") for number in range(3)]
    now = database_now()
    made = appeal(audit=recorded_audit, by=recorded_hens.provider, reason="misread", text="", now=now)
    assert ">appealed<" in Client().get(f"{link}/badge.svg").content.decode()
    assert "Somebody appealed" in words_of(Client().get(link))
    recorded_hens.everybody_votes(made.successor, Choice.FAIL)
    assert ">fails<" in Client().get(f"{link}/badge.svg").content.decode()
    assert "says fail: read that instead" in words_of(Client().get(link))


def test_a_link_says_nothing_of_a_second_audit_that_was_taken_back(recorded_hens: World, recorded_audit: Audit) -> None:
    link = make_link(recorded_hens, recorded_audit)
    now = database_now()
    made = appeal(audit=recorded_audit, by=recorded_hens.provider, reason="misread", text="", now=now)
    assert withdraw(audit=made.successor, actor=recorded_hens.provider)
    assert ">holds<" in Client().get(f"{link}/badge.svg").content.decode()
    assert "appealed" not in words_of(Client().get(link))


def test_old_and_new_votes_stand_side_by_side_after_an_appeal(recorded_hens: World, recorded_audit: Audit) -> None:
    provider = signed_in(recorded_hens.provider)
    assert f"/audits/{recorded_audit.pk}/appeal" in provider.get(f"/audits/{recorded_audit.pk}/report").content.decode()
    assert provider.get(f"/audits/{recorded_audit.pk}/before").status_code == 404
    recorded_hens.reviewers = [make_user(f"second{number}@example.org", "reviewer") for number in range(3)]
    now = database_now()
    made = appeal(audit=recorded_audit, by=recorded_hens.provider, reason="misread", text="Look again.", now=now)
    recorded_hens.everybody_votes(made.successor, Choice.FAIL)
    page = provider.get(f"/audits/{made.successor_id}/before")
    pairs = page.context["pairs"]
    assert pairs[0].differs
    assert {vote.choice for vote in pairs[0].before.votes if vote.tier == "human"} == {"pass"}
    assert {vote.choice for vote in pairs[0].after.votes if vote.tier == "human"} == {"fail"}
    assert [pair.differs for pair in pairs] == sorted((pair.differs for pair in pairs), reverse=True)
    assert "It does not follow." in words_of(page)
    stranger = signed_in(make_user("p3@example.org", "provider"))
    assert stranger.get(f"/audits/{made.successor_id}/before").status_code == 404


def test_a_report_is_had_as_a_pdf_by_whoever_may_read_it_and_by_nobody_else(
    recorded_hens: World, recorded_audit: Audit
) -> None:
    address = f"/audits/{recorded_audit.pk}/report.pdf"
    answer = signed_in(recorded_audit.trace.provider).get(address)
    assert (answer.status_code, answer.content[:5], answer["Content-Type"]) == (200, b"%PDF-", "application/pdf")
    assert signed_in(make_user("nosy@example.org", "provider")).get(address).status_code == 404
