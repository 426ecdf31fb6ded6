"""Gold comes in whole or not at all, every bad line named; a calibration asks each reviewer in another order."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from auditing.core.values import Choice
from auditing.models import Auditor, GoldAnswer, GoldSegment, Notice, Qualification
from auditing.research.practice import services as calibration
from auditing.research.practice.selectors.attempts import ASKED
from auditing.services import gold
from auditing.services.seating.auditors import auditor_of
from tests.factories.worlds import make_user

pytestmark = pytest.mark.django_db
FIELD = "school maths"


def line(name: str, **other: str) -> str:
    said = {"name": name, "domain": FIELD, "text": "1 = 2", "truth": "fail", **other}
    return "{" + ", ".join(f'"{key}": "{value}"' for key, value in said.items()) + "}"


def load(*lines: str | bytes) -> int:
    return gold.import_jsonl(lines=[one if isinstance(one, bytes) else one.encode() for one in lines], actor=None)


def signed_in(user: Any) -> Client:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture
def reviewer() -> Auditor:
    return auditor_of(user=make_user("new@example.org", "reviewer"))


def test_every_bad_line_is_named_at_once_and_nothing_is_stored() -> None:
    with pytest.raises(gold.BadGoldError) as refused:
        load(line("a"), "nonsense", "", b"\xff", line("b", truth="maybe"), line("c", text="\\ud800"), "[]", "[" * 9000)
    said = str(refused.value)
    assert said.startswith("Nothing was stored.")
    for number in (2, 4, 5, 6, 7, 8):
        assert f"line {number}:" in said, said
    assert not GoldSegment.objects.exists()


def test_a_name_twice_in_the_file_or_taken_before_is_named_with_its_line() -> None:
    load(line("old"))
    with pytest.raises(gold.BadGoldError, match=r"line 2: the name 'a' is taken; line 3: the name 'old' is taken"):
        load(line("a"), line(" a "), line("old"))
    assert GoldSegment.objects.count() == 1


def test_a_file_of_a_hundred_faults_names_a_dozen_and_counts_the_rest() -> None:
    with pytest.raises(gold.BadGoldError, match=r"line 12: .*; and 88 more$"):
        load(*["nonsense"] * 100)


def test_a_byte_order_mark_is_forgiven_and_an_empty_file_is_not() -> None:
    assert load(b"\xef\xbb\xbf" + line("a").encode()) == 1
    with pytest.raises(gold.BadGoldError, match="the file is empty"):
        load("", "  ")


def test_gold_comes_back_into_use_unless_it_was_overturned() -> None:
    admin = make_user("admin@example.org", "admin")
    load(line("right"), line("overturned"))
    GoldSegment.objects.filter(name="overturned").update(is_overturned=True)
    for active, names in ((False, ["overturned"]), (True, ["overturned", "right"])):
        gold.set_active(gold=GoldSegment.objects.get(name="right"), active=active, actor=admin)
        assert list(GoldSegment.objects.filter(is_active=True).order_by("name").values_list("name", flat=True)) == names
    GoldSegment.objects.update(is_active=False)
    gold.set_active(gold=GoldSegment.objects.get(name="overturned"), active=True, actor=admin)
    assert not GoldSegment.objects.filter(is_active=True).exists()


def test_the_admins_page_says_at_which_field_or_line_something_is_wrong_and_keeps_what_was_typed() -> None:
    admin = signed_in(make_user("admin@example.org", "admin"))
    typed = {
        "name": "g",
        "domain": FIELD,
        "text": "Typed at length",
        "truth": "pass",
        "error_type": "factual",
        "purpose": "calibration",
    }
    answer = admin.post("/gold", typed)
    page = answer.content.decode()
    assert (answer.status_code, "A right segment has no error" in page, "Typed at length" in page) == (400, True, True)
    answer = admin.post("/gold", {"file": SimpleUploadedFile("gold.jsonl", b"nonsense")})
    assert (answer.status_code, "line 1" in answer.content.decode()) == (400, True)
    assert not GoldSegment.objects.exists()
    admin.post("/gold", {**typed, "truth": "fail", "premises": "one\n\ntwo "})
    page = admin.get("/gold").content.decode()
    # What one admin wrote is none of the set before another has confirmed it.
    assert "5 more needed" in page
    assert "no trace names this field" in page


def test_an_attempt_asks_ten_and_the_next_one_those_not_seen_yet(reviewer: Auditor) -> None:
    load(*[line(f"g{number}") for number in range(25)])
    seen: list[Any] = []
    for attempt in range(2):
        while (asked := calibration.next_question(auditor=reviewer, domain=FIELD)) is not None:
            assert calibration.next_question(auditor=reviewer, domain=FIELD) == asked
            calibration.answer(auditor=reviewer, gold=asked, choice=Choice.PASS)
            seen.append(asked.pk)
        assert len(seen) == ASKED * (attempt + 1)
        calibration.start_again(auditor=reviewer, domain=FIELD)
    assert len(set(seen)) == len(seen)


def test_two_reviewers_are_asked_in_different_orders(reviewer: Auditor) -> None:
    load(*[line(f"g{number}") for number in range(25)])
    orders = []
    for one in (reviewer, auditor_of(user=make_user("other@example.org", "reviewer"))):
        order = []
        while (asked := calibration.next_question(auditor=one, domain=FIELD)) is not None:
            calibration.answer(auditor=one, gold=asked, choice=Choice.FAIL)
            order.append(asked.name)
        orders.append(order)
    assert orders[0] != orders[1]
    assert set(Qualification.objects.values_list("state", flat=True)) == {"passed"}


def test_an_attempt_whose_rest_was_retired_is_judged_by_what_was_answered(reviewer: Auditor) -> None:
    load(*[line(f"g{number}") for number in range(6)])
    for _ in range(5):
        asked = calibration.next_question(auditor=reviewer, domain=FIELD)
        assert asked is not None
        calibration.answer(auditor=reviewer, gold=asked, choice=Choice.FAIL)
    GoldSegment.objects.exclude(pk__in=GoldAnswer.objects.values("gold")).update(is_active=False)
    page = signed_in(reviewer.user).get(f"/calibration?domain={FIELD}").content.decode()
    assert "Passed: live seats in this field are open to you." in page


def test_a_honeypot_is_no_question_even_by_its_name(reviewer: Auditor) -> None:
    load(*[line(f"g{number}") for number in range(5)], line("trap", purpose="honeypot"))
    trap = GoldSegment.objects.get(name="trap")
    page = signed_in(reviewer.user).post("/calibration", {"domain": FIELD, "gold": str(trap.pk), "choice": "fail"})
    assert "The segment is" not in page.content.decode()
    assert not GoldAnswer.objects.exists()


def test_who_lapsed_hears_of_it_once_with_the_way_back(reviewer: Auditor) -> None:
    load(*[line(f"g{number}") for number in range(5)])
    row = Qualification.objects.create(auditor=reviewer, domain=FIELD, state="passed")
    for _ in range(2):
        calibration._say_lapsed(row, "Agreed with 3 of the last 20 outcomes.")
    told = Notice.objects.get(user=reviewer.user)
    assert signed_in(reviewer.user).get(told.link).status_code == 200
