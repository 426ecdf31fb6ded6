"""A form that comes after its session ended: what was typed is shown once more, escaped, for copying; no secret is."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.forms import BaseForm
from django.test import Client
from django.urls import get_resolver

from accounts.signed_out import BUTTONS
from auditing.models import Audit, Campaign
from tests.factories.worlds import World
from tests.pages.test_bad_input import forms_below
from tests.pages.test_corridor_pages import signed_in

pytestmark = pytest.mark.django_db
TEXT = "\nFirst <b>six</b> times seven.\nThen & one."
ESCAPED = "\nFirst &lt;b&gt;six&lt;/b&gt; times seven.\nThen &amp; one.</textarea>"
SITE = "http://testserver"
TEMPLATES = Path(settings.BASE_DIR) / "templates"
TAG = re.compile(r'<(button|input|select|textarea)\b[^>]*?\bname="([^"]*)"')


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("/campaigns/new", "guidelines"),
        ("/policies/new", "note"),
        ("/submit", "thinking"),
        ("/audits/00000000-0000-0000-0000-000000000007/segments/S1/comments", "text"),
        ("/me", "languages"),
    ],
)
def test_what_somebody_typed_is_there_after_the_session_ended(db: None, path: str, field: str) -> None:
    sent = {field: TEXT, "title": "Geese", "csrfmiddlewaretoken": "abc", "password": "hunter 2", "otp_code": "12 34"}
    page = Client().post(path, sent, headers={"Referer": f"{SITE}{path}?copy=1"})
    body = page.content.decode()
    assert (page.status_code, page["Cache-Control"]) == (403, "no-store")
    assert ESCAPED in body
    assert ">\nGeese</textarea>" in body
    assert "/accounts/login/?next=" in body
    assert "copy%3D1" in body
    assert not any(secret in body for secret in ("abc", "hunter 2", "12 34", "<b>six"))


def test_the_button_that_was_pressed_is_not_shown_as_if_somebody_had_typed_it(db: None) -> None:
    body = Client().post("/campaigns/new", {"guidelines": TEXT, "check": "1"}).content.decode()
    assert ESCAPED in body
    assert ">Check" not in body


def test_every_name_that_only_buttons_have_is_known() -> None:
    assert get_resolver().url_patterns  # every view is loaded, and with it its forms
    tags = [tag for path in TEMPLATES.rglob("*.html") for tag in TAG.findall(path.read_text())]
    buttons = {name for tag, name in tags if tag == "button"}
    typed = {name for tag, name in tags if tag != "button"}
    typed |= {name for form in forms_below(BaseForm) for name in getattr(form, "base_fields", {})}
    # "verb" is a field of forms that read it, and a button on every page.
    assert {name for name in buttons - (typed - {"verb"}) if name.isidentifier()} - {"login"} == BUTTONS


@pytest.mark.parametrize(
    ("path", "sent"),
    [
        ("/campaigns/00000000-0000-0000-0000-000000000007/state", {"state": "paused"}),
        ("/submit", {"campaign": "00000000-0000-0000-0000-000000000007"}),
        ("/campaigns/new", {"password": "Typed here by mistake"}),
    ],
    ids=["a button", "a choice", "a secret"],
)
def test_where_nothing_was_typed_the_login_page_comes_at_once(db: None, path: str, sent: dict[str, str]) -> None:
    answer = Client().post(path, sent)
    assert (answer.status_code, answer["Location"][:16]) == (302, "/accounts/login/")


def test_a_button_pressed_too_late_leads_back_to_its_page_which_says_that_nothing_was_done(idle_hens: World) -> None:
    client, page = Client(), f"/campaigns/{idle_hens.campaign.pk}"
    answer = client.post(f"{page}/state", {"state": "paused"}, headers={"Referer": f"{SITE}{page}"})
    assert answer["Location"] == f"/accounts/login/?next={page}"
    assert "nothing was changed" in client.get(answer["Location"]).content.decode()
    idle_hens.campaign.refresh_from_db()
    assert idle_hens.campaign.state == "open"


def test_an_address_that_only_buttons_lead_to_shows_a_page_to_browsers_and_nothing_to_programs(
    idle_hens: World,
) -> None:
    client, path = signed_in(idle_hens.provider), f"/campaigns/{idle_hens.campaign.pk}/state"
    page = client.get(path, headers={"Accept": "text/html,*/*"})
    assert (page.status_code, page["Allow"]) == (405, "POST")
    assert "Nothing was changed" in page.content.decode()
    assert client.get(path).content == b""


def test_programs_of_a_page_and_other_sites_get_no_text_back(db: None) -> None:
    sent = {"thinking": TEXT}
    assert Client().post("/submit", sent, headers={"Accept": "application/json"}).status_code == 302
    assert Client().post("/submit", sent, headers={"Origin": "https://evil.example"}).status_code == 302


def test_a_part_of_a_page_says_so_above_the_form_and_leaves_it_alone(db: None) -> None:
    answer = Client().post("/campaigns/new", {"guidelines": TEXT}, headers={"HX-Request": "true"})
    assert (answer.status_code, answer["HX-Retarget"], answer["HX-Reswap"]) == (200, "#notices", "innerHTML")
    assert "You are signed out. What you typed still stands in the form" in " ".join(answer.content.decode().split())


def test_a_form_whose_token_is_too_old_gives_its_text_back_to_a_page_of_ours_alone(idle_hens: World) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(idle_hens.provider, backend="django.contrib.auth.backends.ModelBackend")
    own = strict.post("/submit", {"thinking": TEXT}, headers={"Origin": SITE})
    assert (own.status_code, ESCAPED in own.content.decode()) == (403, True)
    assert "The form was too old" in own.content.decode()
    for headers in ({}, {"Origin": "https://evil.example"}):
        other = strict.post("/submit", {"thinking": TEXT}, headers=headers)
        assert (other.status_code, "six" in other.content.decode()) == (403, False)


def test_nobody_loses_a_form_while_signed_in(idle_hens: World) -> None:
    sent: dict[str, Any] = {"campaign": idle_hens.campaign.pk, "problem": "What?", "thinking": TEXT, "domain": "law"}
    assert signed_in(idle_hens.provider).post("/submit", sent).status_code == 302
    assert (Audit.objects.count(), Campaign.objects.count()) == (1, 1)
