"""Gold made by hand teaches and measures nobody until a second editor has said the same of it."""

import json
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from auditing.models import AuditEvent, GoldSegment, Notice
from auditing.research.norming.selectors import practice_items
from auditing.selectors.gold.lookup import calibration_set, practice_set
from auditing.selectors.gold.reviews import SAMPLE, gold_reviews
from auditing.selectors.seating.eligible import CALIBRATION_SIZE, needs_calibration
from auditing.services.gold import read_gold, set_active
from auditing.services.gold.reviews import ReviewRefusedError, add_by_hand, confirm_file, import_file, review
from auditing.services.gold.sets import FEWEST_OF_A_FILE
from auditing.services.seating.auditors import auditor_of
from tests.factories.worlds import make_user, make_world
from tests.rooms.gold.test_decoys import MUCH_GOLD, decoy_audits, sweep
from tests.rooms.gold.test_gold import FIELD, signed_in

pytestmark = pytest.mark.django_db
SECRET = "Four apples are not five."


@pytest.fixture
def author() -> Any:
    return make_user("author@example.org", "admin")


@pytest.fixture
def editor() -> Any:
    return make_user("editor@example.org", "adjudicator")


def made(author: Any, name: str = "apples", purpose: str = "calibration", truth: str = "fail") -> GoldSegment:
    record = {
        "name": name,
        "domain": FIELD,
        "text": f"2 + 2 = 5 {name}",
        "truth": truth,
        "purpose": purpose,
        "explanation": SECRET,
    }
    return add_by_hand(record=read_gold(record=record, where="test"), author=author)


def in_use(gold: GoldSegment) -> bool:
    gold.refresh_from_db()
    return gold.is_active


def test_until_a_second_editor_confirms_it_it_is_asked_nowhere(author: Any, editor: Any) -> None:
    reviewer = auditor_of(user=make_user("new@example.org", "reviewer"))
    items = [made(author, f"gold{number}") for number in range(CALIBRATION_SIZE)]
    exercise = made(author, "exercise", purpose="practice")
    assert not calibration_set(domain=FIELD).exists()
    assert not needs_calibration(domain=FIELD)
    assert not practice_set(auditor=reviewer).exists()
    assert not practice_items().exists()
    assert all(review(gold=gold, verdict="fail", why="", by=editor) for gold in [*items, exercise])
    assert needs_calibration(domain=FIELD)
    assert (practice_set(auditor=reviewer).get(), practice_items().get()) == (exercise, exercise)


def test_it_is_planted_in_no_decoy_before_it_is_confirmed(author: Any, editor: Any) -> None:
    world = make_world(reviewers=2, policy=MUCH_GOLD)
    world.everybody_votes(world.submit())
    # Of either truth: what is rarer so far is planted next, and nothing where there is none of it.
    name = "If all bats have wings then a bat is a bird"
    both = {truth: made(author, f"{name}: {truth}", purpose="honeypot", truth=truth) for truth in ("fail", "pass")}
    sweep(world)
    assert all(audit.trace.decoy.gold is None for audit in decoy_audits())
    for truth, gold in both.items():
        review(gold=gold, verdict=truth, why="", by=editor)
    planted: set[GoldSegment | None] = set()
    for _ in range(12):  # the draw may take passages of recorded audits first
        world.everybody_votes(world.submit(copy=True))
        planted |= {audit.trace.decoy.gold for audit in sweep(world)}
        if planted & set(both.values()):
            break
    assert planted & set(both.values())


def test_whoever_disagrees_keeps_it_out_for_good_and_says_why(author: Any, editor: Any) -> None:
    gold = made(author)
    with pytest.raises(ReviewRefusedError, match="say why"):
        review(gold=gold, verdict="pass", why=" ", by=editor)
    assert not review(gold=gold, verdict="pass", why="In base three it is right.", by=editor)
    set_active(gold=gold, active=True, actor=editor)
    assert not in_use(gold)
    with pytest.raises(ReviewRefusedError, match="already"):
        review(gold=gold, verdict="fail", why="", by=editor)


def test_nobody_confirms_the_own_gold_and_no_page_brings_it_into_use(author: Any) -> None:
    gold = made(author)
    with pytest.raises(ReviewRefusedError, match="yours"):
        review(gold=gold, verdict="fail", why="", by=author)
    signed_in(author).post(f"/gold/{gold.pk}")
    assert not in_use(gold)
    assert not AuditEvent.objects.filter(kind="gold.active").exists()


@pytest.mark.parametrize(
    "change",
    [
        {"is_active": True},
        {"is_active": True, "review": "confirmed"},
        {"is_active": True, "review": "refused"},
        {"review": "confirmed", "reviewed_by": "author", "reviewed_at": "2026-01-01T00:00Z"},
    ],
)
def test_the_database_refuses_what_no_second_editor_said(author: Any, change: dict[str, Any]) -> None:
    gold = made(author)
    values = {name: author if value == "author" else value for name, value in change.items()}
    with pytest.raises(IntegrityError), transaction.atomic():
        GoldSegment.objects.filter(pk=gold.pk).update(**values)


def test_it_stands_in_the_log_who_made_it_and_who_confirmed_it(author: Any, editor: Any) -> None:
    gold = made(author)
    assert Notice.objects.filter(user=editor, link="/gold/reviews").exists()
    review(gold=gold, verdict="fail", why="", by=editor)
    events = AuditEvent.objects.filter(kind__startswith="gold.").order_by("pk")
    assert list(events.values_list("kind", "actor")) == [("gold.added", author.pk), ("gold.confirmed", editor.pk)]


def test_what_is_written_on_the_page_waits_and_the_page_says_so(author: Any) -> None:
    client = signed_in(author)
    form = {"name": "hand", "domain": FIELD, "text": "1 = 2", "truth": "fail", "purpose": "practice"}
    assert client.post("/gold", form).status_code == 302
    assert not GoldSegment.objects.get(name="hand").is_active
    assert "waits for a second editor" in client.get("/gold").content.decode()


def test_the_page_asks_the_second_editor_and_never_the_author(author: Any, editor: Any) -> None:
    gold = made(author)
    action = f'action="/gold/{gold.pk}/review"'
    assert action not in signed_in(author).get("/gold/reviews").content.decode()
    client: Client = signed_in(editor)
    page = client.get("/gold/reviews").content.decode()
    assert action in page
    # What the author holds for true is folded behind the form's own question, and opened by whoever asks for it.
    assert page.index("2 + 2 = 5") < page.index("<details>", page.index("2 + 2 = 5")) < page.index(SECRET)
    client.post(f"/gold/{gold.pk}/review", {"verdict": "fail"})
    assert in_use(gold)


@pytest.mark.parametrize("role", ["reviewer", "provider", "researcher"])
def test_no_other_role_reads_what_waits(author: Any, role: str) -> None:
    gold = made(author)
    client = signed_in(make_user("other@example.org", role))
    assert client.get("/gold/reviews").status_code in (302, 403, 404)
    assert client.post(f"/gold/{gold.pk}/review", {"verdict": "fail"}).status_code in (302, 403, 404)
    assert not in_use(gold)


def hand_in(author: Any, count: int, provenance: str) -> list[GoldSegment]:
    record = {"domain": FIELD, "text": "2 + 2 = 5", "truth": "fail"}
    lines = [json.dumps({**record, "name": f"line {number}"}).encode() + b"\n" for number in range(count)]
    import_file(lines=lines, author=author, provenance=provenance)
    return list(GoldSegment.objects.order_by("pk"))


@pytest.mark.parametrize(("count", "provenance"), [(1, "a book"), (FEWEST_OF_A_FILE - 1, "a book"), (60, " ")])
def test_a_small_file_or_one_without_a_source_is_reviewed_segment_by_segment(
    author: Any, count: int, provenance: str
) -> None:
    rows = hand_in(author, count, provenance)
    assert not any(row.is_active or row.file for row in rows)
    assert {row.author for row in rows} == {author}


def test_of_a_large_file_a_sample_is_judged_and_then_another_admin_brings_the_rest_into_use(
    author: Any, editor: Any
) -> None:
    rows, admin = hand_in(author, FEWEST_OF_A_FILE, "a book"), make_user("second@example.org", "admin")
    shown = [line.gold for line in gold_reviews(reader=editor)]
    assert {row.pk for row in shown} == {row.pk for row in rows[:SAMPLE]}
    file = rows[0].file
    for gold in rows[:SAMPLE]:
        with pytest.raises(ReviewRefusedError, match="sample first"):
            confirm_file(file=file, by=admin)
        review(gold=gold, verdict="fail", why="", by=editor)
    with pytest.raises(ReviewRefusedError, match="another admin"):
        confirm_file(file=file, by=author)
    signed_in(editor).post("/gold/files", {"file": file})
    assert GoldSegment.objects.filter(is_active=True).count() == SAMPLE
    assert f'name="file" value="{file}"' in signed_in(admin).get("/gold/reviews").content.decode()
    signed_in(admin).post("/gold/files", {"file": file})
    assert GoldSegment.objects.filter(is_active=True, reviewed_by=admin).count() == FEWEST_OF_A_FILE - SAMPLE


def test_one_segment_that_was_refused_keeps_the_rest_of_a_file_out(author: Any, editor: Any) -> None:
    rows, admin = hand_in(author, FEWEST_OF_A_FILE, "a book"), make_user("second@example.org", "admin")
    for gold in rows[:SAMPLE]:
        review(gold=gold, verdict="fail", why="", by=editor)
    review(gold=rows[-1], verdict="pass", why="In base three.", by=editor)
    with pytest.raises(ReviewRefusedError, match="stays out"):
        confirm_file(file=rows[0].file, by=admin)
    assert GoldSegment.objects.filter(is_active=True).count() == SAMPLE


def test_no_file_without_a_name_is_confirmed(author: Any, editor: Any) -> None:
    hand_in(author, 3, "a book")
    with pytest.raises(ReviewRefusedError, match="no such file"):
        confirm_file(file="", by=editor)
