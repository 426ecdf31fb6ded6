"""Gold about wholes: drafted from what people passed, confirmed by an editor, then asked like any other."""

import json
import random
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from auditing.core.events import EventKind
from auditing.core.values import Choice
from auditing.models import Audit, AuditEvent, Auditor, GoldSegment, Notice, Round, Seat
from auditing.research.erasure import services as erasure
from auditing.selectors.gold.decoys import apart_from_family
from auditing.selectors.gold.reviews import gold_reviews
from auditing.selectors.ledger.published import bundle_of
from auditing.services.gold import decoys
from auditing.services.gold.drafts import Draft
from auditing.services.gold.reviews import ReviewRefusedError, review
from auditing.services.gold.sources import find_draft
from auditing.services.gold.wholes import draft_wholes
from auditing.verifier import verify_audit
from hdag.selectors import load_trace
from hdag.store import content
from tests.factories.passages import PLANNED
from tests.factories.worlds import World, make_user
from tests.rooms.gold.test_decoys import MUCH_GOLD, gold_of, gold_world
from tests.rooms.gold.test_gold import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def admin() -> Any:
    return make_user("asks@example.org", "admin")


@pytest.fixture
def editor() -> Any:
    return make_user("editor@example.org", "adjudicator")


@pytest.fixture(scope="module")
def _world(built_once: None) -> World:
    return gold_world()


@pytest.fixture
def world(_world: World, db: None) -> World:
    return _world.afresh()


def drafts_of(world: World, admin: Any, most: int = 10, seed: int = 1) -> list[GoldSegment]:
    draft_wholes(campaign=world.campaign, by=admin, most=most, rng=random.Random(seed))
    return list(GoldSegment.objects.order_by("unit"))


def texts_of(gold: GoldSegment) -> Any:
    return content.read_json(gold.block)


def drafted(world: World, admin: Any, unit: str, truth: Choice) -> GoldSegment:
    """The draft of that kind and truth: the first of a seed that drew it."""
    for seed in range(30):
        for gold in drafts_of(world, admin, seed=seed):
            if (gold.unit, gold.truth) == (unit, truth):
                return gold
        GoldSegment.objects.all().delete()
    raise AssertionError("no seed drew it")


def test_one_draft_a_whole_waits_for_an_editor_and_every_editor_is_told(world: World, admin: Any, editor: Any) -> None:
    drafts = drafts_of(world, admin)
    assert [gold.unit for gold in drafts] == ["answer", "goal", "strategy"]
    assert not any(gold.is_active for gold in drafts)
    assert drafts_of(world, admin) == drafts
    assert Notice.objects.filter(user=editor, link="/gold/reviews").count() == 1
    assert AuditEvent.objects.filter(kind=EventKind.GOLD_ADDED, actor=admin).count() == 1


def test_a_misread_problem_states_one_number_other_than_its_trace_reads(world: World, admin: Any) -> None:
    texts_there = texts_of(drafted(world, admin, "goal", Choice.FAIL))
    error = texts_there["error"]
    assert texts_there["problem"] == PLANNED.problem[: error["start"]] + error["new"] + PLANNED.problem[error["end"] :]
    assert error["old"] in texts_there["text"]
    assert texts_there["reasoning"] == PLANNED.thinking


def test_a_wrong_plan_answers_what_was_asked_before_one_word_changed(world: World, admin: Any) -> None:
    texts_there = texts_of(drafted(world, admin, "strategy", Choice.FAIL))
    assert PLANNED.problem == texts_there["problem"].replace(texts_there["error"]["new"], texts_there["error"]["old"])
    assert texts_there["problem"] != PLANNED.problem
    assert texts_there["reasoning"] == PLANNED.thinking
    plan = texts_of(drafted(world, admin, "strategy", Choice.PASS))
    assert plan["text"] == texts_there["text"]


def test_a_wrong_answer_is_not_what_the_reasoning_came_to(world: World, admin: Any) -> None:
    texts_there = texts_of(drafted(world, admin, "answer", Choice.FAIL))
    assert texts_there["text"] != PLANNED.answer
    assert texts_there["text"].replace(texts_there["error"]["new"], texts_there["error"]["old"]) == PLANNED.answer
    assert (texts_there["problem"], texts_there["reasoning"]) == (PLANNED.problem, PLANNED.thinking)


@pytest.mark.parametrize("unit", ["goal", "strategy", "answer"])
def test_what_is_held_for_right_stands_as_people_passed_it(world: World, admin: Any, unit: str) -> None:
    gold = drafted(world, admin, unit, Choice.PASS)
    assert texts_of(gold)["problem"] == PLANNED.problem
    assert texts_of(gold)["error"] is None


@pytest.mark.parametrize("unit", ["goal", "strategy", "answer"])
def test_a_confirmed_draft_is_asked_as_that_whole_and_its_bundle_verifies(
    world: World, admin: Any, editor: Any, unit: str
) -> None:
    gold = drafted(world, admin, unit, Choice.FAIL)
    assert review(gold=gold, verdict=Choice.FAIL, why="", by=editor)
    audit = planted(world, gold)
    asked = Round.objects.get(audit=audit, tier="human").segment
    assert asked.unit == unit
    assert (gold_of(audit).segment, gold_of(audit).truth) == (asked, Choice.FAIL)
    assert content.read_json(asked.block)["own"] == texts_of(gold)["text"]
    assert load_trace(audit.trace).problem == texts_of(gold)["problem"]
    world.everybody_votes(audit)
    audit.refresh_from_db()
    assert audit.stage == "recorded"
    report = verify_audit.verify(json.dumps(bundle_of(audit=audit)).encode())
    assert all(holds for holds, _, _ in report.lines), [line for line in report.lines if not line[0]]


def drawn(world: World, truth: Choice, seeds: int = 60) -> Iterator[Draft]:
    """What decoys of that truth would be made of, one seed after another."""
    for seed in range(seeds):
        draft = find_draft(campaign=world.campaign, policy=MUCH_GOLD, truth=truth, rng=random.Random(seed))
        if draft is not None:
            yield draft


def planted(world: World, gold: GoldSegment) -> Audit:
    """The decoy of a confirmed draft, as a sweep whose draw asks for its kind would plant it."""
    draft = next(draft for draft in drawn(world, Choice(gold.truth)) if draft.gold == gold)
    audit = decoys.plant(draft=draft, campaign=world.campaign, rng=random.Random(1))
    world.settle_machines()
    return Audit.objects.select_related("trace__decoy").get(pk=audit.pk)


def test_a_draft_that_an_editor_refuses_is_never_planted(world: World, admin: Any, editor: Any) -> None:
    for gold in drafts_of(world, admin):
        other = Choice.PASS if gold.truth == Choice.FAIL else Choice.FAIL
        assert not review(gold=gold, verdict=other, why="No.", by=editor)
    assert not any(draft.gold for truth in (Choice.PASS, Choice.FAIL) for draft in drawn(world, truth, seeds=20))


def test_whoever_asked_for_drafts_confirms_none(world: World, admin: Any) -> None:
    for gold in drafts_of(world, admin):
        with pytest.raises(ReviewRefusedError, match="yours"):
            review(gold=gold, verdict=gold.truth, why="", by=admin)


def test_an_editor_reads_the_question_the_text_and_the_reasoning(world: World, admin: Any, editor: Any) -> None:
    drafts_of(world, admin)
    lines = {line.gold.unit: line for line in gold_reviews(reader=editor)}
    assert lines["goal"].question.startswith("Is the problem read")
    assert lines["strategy"].question.startswith("Does this plan")
    assert lines["answer"].text.startswith("The farm takes")
    page = signed_in(editor).get("/gold/reviews").content.decode()
    for line in lines.values():
        assert line.heading in page
        assert line.question in page
    assert "We check the order of size" in page


def test_drafts_are_erased_with_their_trace(world: World, admin: Any, editor: Any) -> None:
    draft, waiting, _ = drafts_of(world, admin)
    review(gold=draft, verdict=draft.truth, why="", by=editor)
    assert draft.original is not None
    erasure.confirm(erasure=erasure.ask(trace=draft.original, by=draft.original.provider, because=""), by=None)
    for gold in (draft, waiting):
        gold.refresh_from_db()
        assert not gold.is_active
        with pytest.raises(content.ContentGoneError):
            texts_of(gold)
    assert gold_reviews(reader=editor) == []
    with pytest.raises(ReviewRefusedError, match="erased"):
        review(gold=GoldSegment.objects.get(pk=waiting.pk), verdict=waiting.truth, why="", by=editor)


def test_whoever_saw_the_trace_is_seated_on_no_decoy_of_its_draft(world: World, admin: Any, editor: Any) -> None:
    # Both of the first reviewers, unless the draw gave every seat to the same.
    seen = set(Seat.objects.filter(auditor__user__isnull=False).values_list("auditor__user", flat=True))
    assert seen
    others: set[Any] = set()  # who met the draft before
    for gold in drafts_of(world, admin):
        review(gold=gold, verdict=gold.truth, why="", by=editor)
        audit = planted(world, gold)
        seats = Seat.objects.filter(round__audit=audit, round__tier="human")
        people = set(seats.values_list("auditor__user", flat=True))
        assert people
        assert not people & seen
        apart = apart_from_family(people=Auditor.objects.filter(user__in=world.reviewers), trace=audit.trace)
        assert set(apart.values_list("user", flat=True)) == {user.pk for user in world.reviewers} - seen - others
        others |= people


def test_the_command_drafts_in_every_open_campaign(world: World, admin: Any) -> None:
    out = StringIO()
    call_command("gold", "draft", "--by", admin.email, "--most", "1", stdout=out)
    assert out.getvalue().startswith("1 drafts about readings, plans and answers")
    assert GoldSegment.objects.count() == 1


def test_the_page_of_gold_drafts_for_another_editor(world: World, admin: Any, editor: Any) -> None:
    page = signed_in(admin).post("/gold/drafts", {"most": "2"}, follow=True)
    assert "2 drafts wait for another editor" in page.content.decode()
    assert "You asked for this draft" in signed_in(admin).get("/gold/reviews").content.decode()
    assert "It is right" in signed_in(editor).get("/gold/reviews").content.decode()


def test_the_page_of_gold_says_why_nothing_was_drafted(empty_database: None, admin: Any) -> None:
    page = signed_in(admin).post("/gold/drafts", {"most": "2"}, follow=True).content.decode()
    assert "Nothing to draft: that needs an open campaign" in page
    assert not GoldSegment.objects.exists()


@pytest.mark.parametrize("most", ["0", "51", "", "many"])
def test_a_number_of_drafts_that_nobody_would_read_is_refused(world: World, admin: Any, most: str) -> None:
    page = signed_in(admin).post("/gold/drafts", {"most": most}, follow=True).content.decode()
    assert "1 to 50" in page
    assert not GoldSegment.objects.exists()
