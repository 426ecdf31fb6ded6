"""Being taught: calibration at the desk, a sandbox that keeps nothing, the card of a day, calibration after drift."""

import json
from typing import Any

import pytest

from auditing.core.values import Choice
from auditing.models import AuditEvent, Auditor, GoldAnswer, GoldSegment, GoldTruth, Leaf, Posting, Qualification, Vote
from auditing.research.practice import services as calibration
from auditing.research.practice.selectors.exercises import exercise_of
from auditing.research.practice.selectors.own_gold import own_gold
from auditing.services import gold
from auditing.services.seating.auditors import auditor_of
from tests.factories.worlds import ONE_SEAT, make_world
from tests.rooms.gold.test_gold import FIELD, load, reviewer, signed_in

pytestmark = pytest.mark.django_db
__all__ = ["reviewer"]

TEXT = "Each week the hens lay 60 eggs. In 3 weeks they lay 190 eggs. So the farmer has 190 eggs."


def exercise_line(name: str = "eggs", **other: Any) -> str:
    record = {"name": name, "domain": FIELD, "text": TEXT, "truth": "fail", "place": "190 eggs. So"}
    lists = {"premises": ["A week has seven days."], "implications": ["He sells 190 eggs."]}
    return json.dumps({**record, **lists, "explanation": "60 * 3 is 180.", **other})


def test_calibration_shows_four_panes_and_asks_for_place_criteria_and_confidence(reviewer: Auditor) -> None:
    load(exercise_line(), *[exercise_line(f"g{number}") for number in range(4)])
    page = signed_in(reviewer.user).get(f"/calibration?domain={FIELD}").content.decode()
    for words in ("Current reasoning", "Prompt context", "Dependencies", "Implications", "He sells 190 eggs."):
        assert words in page
    for name in ("confidence", "step", "error_type", "criterion.logical_consistency"):
        assert f'name="{name}"' in page
    assert "60 * 3 is 180." not in page


def test_an_answer_keeps_place_and_confidence_and_the_feedback_names_both(reviewer: Auditor) -> None:
    load(*[exercise_line(f"g{number}") for number in range(5)])
    asked = calibration.next_question(auditor=reviewer, domain=FIELD)
    assert asked is not None
    said = {"domain": FIELD, "gold": str(asked.pk), "choice": "fail", "step": "3", "confidence": "90"}
    page = signed_in(reviewer.user).post("/calibration", said).content.decode()
    stored = GoldAnswer.objects.get()
    assert (stored.step, stored.confidence, stored.is_right) == (3, 9000, True)
    assert "The error stands in step 2; you named step 3" in " ".join(page.split())
    assert "You were 90 % sure." in page
    assert "60 * 3 is 180." in page


@pytest.mark.parametrize(("sent", "kept"), [("49", None), ("101", None), ("x", None), ("50", 5000)])
def test_a_confidence_that_is_none_is_not_stored(reviewer: Auditor, sent: str, kept: int | None) -> None:
    load(*[exercise_line(f"g{number}") for number in range(5)])
    asked = calibration.next_question(auditor=reviewer, domain=FIELD)
    assert asked is not None
    said = {"domain": FIELD, "gold": str(asked.pk), "choice": "pass", "confidence": sent, "step": "2"}
    signed_in(reviewer.user).post("/calibration", said)
    stored = GoldAnswer.objects.get()
    assert (stored.confidence, stored.step) == (kept, None)


def test_the_sandbox_stores_nothing(reviewer: Auditor) -> None:
    load(exercise_line(purpose="practice"))
    segment = GoldSegment.objects.get()
    rows = (GoldAnswer, Vote, Posting, Leaf, AuditEvent, Qualification)
    before = [model.objects.count() for model in rows]
    client = signed_in(reviewer.user)
    assert "190 eggs" in client.get("/practice").content.decode()
    said = {"domain": FIELD, "gold": str(segment.pk), "choice": "pass", "confidence": "100"}
    page = client.post("/practice", said).content.decode()
    assert "Not right." in page
    assert "60 * 3 is 180." in page
    assert [model.objects.count() for model in rows] == before


def test_the_sandbox_gives_no_truth_away_that_is_still_to_be_asked(reviewer: Auditor) -> None:
    load(*[exercise_line(f"g{number}") for number in range(5)], exercise_line("trap", purpose="honeypot"))
    client = signed_in(reviewer.user)
    assert "There is nothing to practise on yet" in client.get(f"/practice?domain={FIELD}").content.decode()
    for segment in GoldSegment.objects.all():
        said = {"domain": FIELD, "gold": str(segment.pk), "choice": "fail"}
        assert client.post("/practice", said).status_code == 404
    asked = GoldSegment.objects.exclude(name="trap")[0]
    calibration.answer(auditor=reviewer, gold=asked, choice=Choice.FAIL)
    assert client.post("/practice", {"domain": FIELD, "gold": str(asked.pk), "choice": "fail"}).status_code == 200


def test_the_sandbox_goes_round(reviewer: Auditor) -> None:
    load(*[exercise_line(f"p{number}", purpose="practice") for number in range(3)])
    seen, after = [], None
    for _ in range(4):
        segment = calibration.next_exercise(auditor=reviewer, domain=FIELD, after=after)
        assert segment is not None
        seen.append(segment.pk)
        after = segment.pk
    assert len(set(seen[:3])) == 3
    assert seen[3] == seen[0]


@pytest.mark.parametrize("lie", [{"place": "not in it"}, {"truth": "pass"}])
def test_a_place_is_words_of_a_wrong_text(lie: dict[str, str]) -> None:
    with pytest.raises(gold.BadGoldError, match="place must be words of the text"):
        load(exercise_line(**lie))


def test_a_text_without_sentences_is_one_step() -> None:
    load(exercise_line(text="1 = 2", place=""))
    exercise = exercise_of(gold=GoldSegment.objects.get())
    assert (exercise.steps, exercise.wrong) == (("1 = 2",), 0)


@pytest.fixture
def drifted(monkeypatch: pytest.MonkeyPatch) -> Auditor:
    """Somebody who passed calibration, then was wrong on every passage that turns out to be gold."""
    monkeypatch.setattr(calibration, "ENOUGH_GOLD", 4)
    world = make_world(reviewers=1, policy=ONE_SEAT)
    audit = world.submit()
    auditor = auditor_of(user=world.reviewers[0])
    Qualification.objects.create(auditor=auditor, domain=FIELD, state="passed")
    world.everybody_votes(audit)
    for vote in Vote.objects.filter(seat__auditor=auditor).select_related("seat__round"):
        GoldTruth.objects.create(segment_id=vote.seat.round.segment_id, truth="fail", source="test")
    return auditor


def test_who_is_wrong_on_gold_calibrates_again(drifted: Auditor) -> None:
    count = Vote.objects.filter(seat__auditor=drifted).count()
    assert calibration.lapse_poor_performers() == 1
    row = Qualification.objects.get(auditor=drifted)
    assert (row.state, row.attempt, row.why) == ("lapsed", 2, f"Right on 0 of {count} gold passages.")
    assert calibration.lapse_poor_performers() == 0


def test_the_card_of_a_day_counts_its_gold(drifted: Auditor) -> None:
    card = own_gold(auditor=drifted)
    assert card.day is not None
    assert (card.day.right, card.day.of, card.day.stated) == (0, card.of, pytest.approx(0.9))
    assert len(card.day.missed) == len(card.lines) == card.of
    page = " ".join(signed_in(drifted.user).get("/record").content.decode().split())
    assert f"<strong>0 of {card.of}</strong> gold passages right" in page
