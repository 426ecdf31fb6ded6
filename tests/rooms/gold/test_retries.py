"""A calibration asks nobody for a truth that they were told: a retry waits for more gold, and everybody reads so."""

from datetime import timedelta
from typing import Any

import pytest

from auditing.core.values import Choice
from auditing.models import Auditor, GoldAnswer, GoldSegment, Qualification
from auditing.research.campaigns.selectors.home import concerns
from auditing.research.practice import services as calibration
from auditing.research.practice.selectors.attempts import attempts_that_wait, lacking_gold
from auditing.selectors.clock import database_now
from auditing.services.seating.auditors import auditor_of
from tests.factories.worlds import make_user
from tests.pages.test_calibration_asked import text_of
from tests.rooms.gold.test_gold import FIELD, line, load, reviewer, signed_in
from tests.rooms.gold.test_reviews import made

pytestmark = pytest.mark.django_db
__all__ = ["reviewer"]


def ask_all(auditor: Auditor, choice: Choice) -> list[Any]:
    asked = []
    while (question := calibration.next_question(auditor=auditor, domain=FIELD)) is not None:
        calibration.answer(auditor=auditor, gold=question, choice=choice)
        asked.append(question.name)
    return asked


def come_later(*names: str) -> None:
    # One moment is all that a test's transaction knows: what was answered is put back.
    GoldAnswer.objects.update(at=database_now() - timedelta(minutes=1))
    load(*[line(name) for name in names])


@pytest.fixture
def failed(reviewer: Auditor) -> Auditor:
    load(*[line(f"g{number}") for number in range(5)])
    assert len(ask_all(reviewer, Choice.PASS)) == 5
    return reviewer


def test_a_retry_on_a_set_of_five_waits_and_asks_nothing_again(failed: Auditor) -> None:
    calibration.start_again(auditor=failed, domain=FIELD)
    assert calibration.next_question(auditor=failed, domain=FIELD) is None
    assert calibration.progress_of(auditor=failed, domain=FIELD).missing == 5
    page = text_of(failed.user, f"/calibration?domain={FIELD}")
    assert "This calibration waits for more gold." in page
    assert "0 are in use, 5 more are missing" in page
    assert "Try again" not in page


def test_new_gold_is_kept_for_the_next_attempt_until_there_is_enough(failed: Auditor) -> None:
    come_later("n0", "n1", "n2", "n3")
    assert ask_all(failed, Choice.FAIL) == []
    assert "4 are in use, 1 more is missing" in text_of(failed.user, f"/calibration?domain={FIELD}")
    come_later("n4")
    calibration.start_again(auditor=failed, domain=FIELD)
    assert sorted(ask_all(failed, Choice.FAIL)) == ["n0", "n1", "n2", "n3", "n4"]
    assert Qualification.objects.get().state == "passed"


def test_a_told_truth_is_no_answer_however_it_is_sent(failed: Auditor) -> None:
    come_later("n0", "n1", "n2", "n3", "n4")
    calibration.start_again(auditor=failed, domain=FIELD)
    told = GoldAnswer.objects.first()
    assert told is not None
    said = {"domain": FIELD, "gold": str(told.gold_id), "choice": "fail"}
    assert "you have been told its truth already" in signed_in(failed.user).post("/calibration", said).content.decode()
    assert not GoldAnswer.objects.filter(attempt=2).exists()


def test_who_lapsed_without_gold_left_waits_and_reads_so_at_home_and_before_the_first_question(failed: Auditor) -> None:
    Qualification.objects.update(state="lapsed", attempt=2, why="Right on 0 of 10.")
    page = text_of(failed.user, f"/calibration?domain={FIELD}")
    assert "waits for more gold" in page
    assert "of 0" not in page
    assert "waits for more gold" in text_of(failed.user, "/home")
    assert "calibration is passed" in text_of(failed.user, "/record")


def test_what_a_person_wrote_or_reviewed_is_not_asked_of_them(reviewer: Auditor) -> None:
    load(*[line(f"g{number}") for number in range(7)])
    other = make_user("other@example.org", "admin")
    mine = {"review": "confirmed", "reviewed_at": database_now()}
    GoldSegment.objects.filter(name="g0").update(author=other, reviewed_by=reviewer.user, **mine)
    GoldSegment.objects.filter(name="g1").update(author=reviewer.user, reviewed_by=other, **mine)
    assert sorted(ask_all(reviewer, Choice.FAIL)) == ["g2", "g3", "g4", "g5", "g6"]


def test_an_admin_reads_who_waits_for_how_much(failed: Auditor) -> None:
    assert lacking_gold() == [(FIELD, 1, 5)]
    admin = make_user("admin@example.org", "admin")
    assert f"reviewer of {FIELD} who can calibrate only with 5 more of its gold" in text_of(admin, "/home")


@pytest.mark.parametrize("change", ["passed", "closed", "small", "enough"])
def test_nobody_waits_who_passed_or_left_or_of_whom_none_is_asked(failed: Auditor, change: str) -> None:
    if change == "passed":
        Qualification.objects.update(state="passed")
    elif change == "closed":
        type(failed.user).objects.filter(pk=failed.user_id).update(is_active=False)  # type: ignore[union-attr]
    elif change == "small":
        GoldSegment.objects.filter(name="g0").update(is_active=False)
    else:
        come_later("n0", "n1", "n2", "n3", "n4")
    assert attempts_that_wait() == []


def test_those_who_wait_cost_three_statements(failed: Auditor, django_assert_num_queries: Any) -> None:
    for name in ("a", "b"):
        other = auditor_of(user=make_user(f"{name}@example.org", "reviewer"))
        ask_all(other, Choice.PASS)
    with django_assert_num_queries(3):
        assert len(attempts_that_wait()) == 3


def test_an_adjudicator_reads_at_home_of_gold_for_a_second_editor() -> None:
    adjudicator = make_user("adjudicator@example.org", "adjudicator")
    assert "Gold that needs you" not in text_of(adjudicator, "/home")
    gold = made(make_user("author@example.org", "admin"))
    link = '<a href="/gold/reviews"><b class="num">1</b> segment of gold before a second editor</a>'
    assert link in text_of(adjudicator, "/home")
    assert link not in text_of(make_user("plain@example.org", "reviewer"), "/home")
    # The rest of a file of which one was refused stays out: nobody has to look at it.
    GoldSegment.objects.filter(pk=gold.pk).update(file="f")
    refused = made(gold.author, "refused")
    GoldSegment.objects.filter(pk=refused.pk).update(
        file="f", review="refused", is_active=False, reviewed_by=adjudicator, reviewed_at=database_now()
    )
    assert link not in text_of(adjudicator, "/home")
    assert concerns(now=database_now()) == []
