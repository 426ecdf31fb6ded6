"""Bad input at the forms and the audit command: a clear error or inert text, never a fault of ours."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django import forms
from django.core.management import CommandError, call_command
from django.urls import get_resolver

from auditing.models import Audit
from tests.factories.worlds import World
from tests.pages.test_corridor_pages import signed_in

pytestmark = pytest.mark.django_db
FIELDS = {"domain": "law", "problem": "Why?", "answer": "So."}
BOMBS = (
    "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "$" + "{" * 5_000 + "$ and \\(\\rule{500000em}{500000em}\\)",
    "$\\def\\a{\\a\\a}\\a$ " + "\\frac" * 3_000,
    "\u202eabc\u200b" + "e" + "\u0301" * 20_000,
    "(" * 20_000 + " 9^9^9^9 = 1 ",
)


def hand_in(world: World, **said: str) -> Any:
    fields = {**FIELDS, "campaign": str(world.campaign.pk), **said}
    return signed_in(world.provider).post("/submit", fields)


@pytest.mark.parametrize(
    "said",
    [
        {"problem": "", "answer": ""},
        {"answer": "", "thinking": "   "},
        {"problem": "nul \x00"},
        {"answer": "x" * 3_000_000},
        {"domain": "astrology"},
        {"campaign": "not-an-id"},
        {"title": "t" * 201},
    ],
    ids=lambda said: next(iter(said)) + str(len(next(iter(said.values())))),
)
def test_a_bad_form_is_sent_back_and_stores_nothing(idle_hens: World, said: dict[str, str]) -> None:
    assert hand_in(idle_hens, **said).status_code == 400
    assert not Audit.objects.exists()


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        (
            "domain",
            "astrology" * 20,
            "“" + ("astrology" * 20)[:60] + "” is not to be chosen here, or not any more: choose",
        ),
        ("campaign", "00000000-0000-0000-0000-000000000007", "This is not to be chosen here, or not any more: choose"),
    ],
)
def test_a_choice_that_there_is_not_is_told_in_words_of_this_house(
    idle_hens: World, field: str, value: str, words: str
) -> None:
    assert words in hand_in(idle_hens, **{field: value}).content.decode()


def test_a_trace_without_any_reasoning_is_told_which_fields_of_the_form_are_blank(idle_hens: World) -> None:
    page = hand_in(idle_hens, thinking=" \n", answer="").content.decode()
    assert "Thinking and answer are both blank" in page
    assert "steps are all blank" not in page


def test_no_trace_goes_to_a_field_that_nobody_chose(idle_hens: World) -> None:
    form = signed_in(idle_hens.provider).get("/submit").context["form"]
    chosen = form["domain"].value() or next(value for value, _ in form.fields["domain"].choices)
    assert hand_in(idle_hens, domain=chosen).status_code == 302
    assert Audit.objects.get().trace.domain == ""


def test_no_form_says_it_in_the_words_of_django() -> None:
    assert get_resolver().url_patterns  # every view is loaded, and with it its forms
    ours = [form for form in forms_below(forms.BaseForm) if not form.__module__.startswith("django.")]
    fields = [field for form in ours for field in getattr(form, "base_fields", {}).values()]
    words = [field.error_messages["invalid_choice"] for field in fields if isinstance(field, forms.ChoiceField)]
    assert len(words) > 30
    assert all("choose one of the list" in each for each in words)


def forms_below(kind: type[forms.BaseForm]) -> Iterator[type[forms.BaseForm]]:
    for form in kind.__subclasses__():
        yield form
        yield from forms_below(form)


def test_more_than_a_form_may_hold_is_refused(idle_hens: World) -> None:
    answer = hand_in(idle_hens, answer="x" * 13_000_000)
    assert answer.status_code == 413
    assert "larger than 12 MB" in answer.content.decode()


@pytest.mark.parametrize("bomb", BOMBS, ids=lambda bomb: ascii(bomb)[:20])
def test_a_bomb_in_the_text_is_inert_on_every_page(idle_hens: World, bomb: str) -> None:
    answer = hand_in(idle_hens, problem=bomb, thinking=f"First {bomb}\n\nThen 2 + 2 = 5.", title="Bomb")
    assert answer.status_code == 302, answer.content.decode()[:500]
    audit = Audit.objects.get()
    idle_hens.settle_machines()
    client = signed_in(idle_hens.provider)
    for place in ("", "/report", "/report.json", "/graph"):
        page = client.get(f"/audits/{audit.pk}{place}")
        assert page.status_code == 200, place
        assert place.endswith("json") or "<script>alert" not in page.content.decode()
        assert place.endswith("json") or "<img" not in page.content.decode()


def test_the_audit_command_answers_every_bad_line_and_goes_on(tmp_path: Path) -> None:
    good = json.dumps({"id": "g", "problem": "p", "answer": "2 + 2 = 4"}).encode()
    bad = [
        b"\xff\xfe",
        b"[" * 100_000,
        b"7",
        b'{"id": 1}',
        b'{"id":"n","problem":"p","answer":"\\u0000"}',
        b'{"id":"w"}',
    ]
    big = json.dumps({"id": "b", "problem": "p", "answer": "x" * 10_000_000}).encode()
    given, taken = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    given.write_bytes(b"\n".join([good, *bad, big, good]) + b"\n")
    with pytest.raises(CommandError, match="7 of 9 records"):
        call_command("audit", str(given), output=str(taken), workers=1)
    records = [json.loads(line) for line in taken.read_text().splitlines()]
    assert ["error" in record for record in records] == [False, *[True] * 7, False]


def test_the_audit_command_stops_at_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(CommandError) as refused:
        call_command("audit", str(tmp_path / "none.jsonl"))
    assert refused.value.returncode == 1


def test_the_audit_command_takes_an_empty_file(tmp_path: Path) -> None:
    given, taken = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    given.write_bytes(b"")
    call_command("audit", str(given), output=str(taken))
    assert taken.read_text() == ""
