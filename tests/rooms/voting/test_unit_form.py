"""The desk with a unit: numbered steps, plan seats, missing premises, bad cuts, one sitting."""

from dataclasses import replace

import pytest

from auditing.core.values import Choice
from auditing.models import Remark, Seat
from auditing.research.reports.selectors.report import report_of
from auditing.selectors.clock import database_now
from auditing.selectors.voting.desk import desk_of
from auditing.selectors.voting.outline import outline_of
from auditing.services.seating.assignment import claim_next
from auditing.services.seating.auditors import auditor_of
from auditing.services.seating.disclosure import open_panes
from auditing.services.voting.remarks import RemarkRefusedError, name_premise, open_outline, report_cut
from tests.factories.passages import PLANNED, one_seat_passages
from tests.factories.worlds import TRACE

pytestmark = pytest.mark.django_db


@pytest.fixture
def world():
    return one_seat_passages()


def next_seat(world):
    seat = claim_next(auditor=auditor_of(user=world.reviewers[0]), now=database_now())
    if seat is not None:
        open_panes(seat=seat)
    return seat


def opened(world, trace=PLANNED):
    world.submit(trace)
    world.settle_machines()
    return next_seat(world)


def all_seats(world):
    """Every seat of the reviewer in the order in which the desk gives them, each sealed behind."""
    seats = [opened(world)]
    while (seat := seats[-1]) is not None:
        world.seal(seat, seat.auditor, Choice.PASS)
        seats.append(next_seat(world))
    return seats[:-1]


def seat_with_outline(world):
    """The first seat that has an outline."""
    seat = opened(world)
    while not outline_of(seat=seat):
        world.seal(seat, seat.auditor, Choice.PASS)
        seat = next_seat(world)
    return seat


def test_the_pieces_of_a_passage_are_its_text_and_its_steps_are_numbered(world):
    seat = opened(world, TRACE)
    desk = desk_of(seat=seat)
    numbers = [piece.number for piece in desk.unit.pieces if piece.number]
    assert numbers == list(range(1, len(numbers) + 1))
    assert all(desk.text[piece.start :].startswith(piece.text) for piece in desk.unit.pieces)


def test_what_the_computer_verified_stands_at_its_step(world):
    desk = desk_of(seat=opened(world, TRACE))
    certain = {piece.number: piece.text for piece in desk.unit.steps if piece.certain}
    assert any("12 * 5 = 60" in text for text in certain.values())


def test_what_was_verified_outside_of_the_steps_is_no_word_about_a_step(world):
    proved = r"We have $\int_0^1 x^2\,dx=\left[\frac{x^3}{3}\right]_0^1=\frac13$."
    supposed = r"By induction, $\sum_{k=1}^n k = \frac{n(n+1)}{2}$ for every n."
    seat = opened(world, replace(TRACE, thinking=f"{proved} {supposed}"))
    carried, step = desk_of(seat=seat).unit.pieces[:2]
    assert (carried.number, bool(carried.certain)) == (0, True)
    assert (step.number, step.text, step.certain) == (1, supposed, ())
    lines = report_of(audit=seat.round.audit, reasons=True).by_id
    assert [line.state for line in lines[seat.round.segment.label].unit.steps if line.text == supposed] == [""]


def test_plan_seats_ask_about_the_whole_trace(world):
    questions = {}
    for seat in all_seats(world):
        form = desk_of(seat=seat).unit
        questions[str(form.kind)] = form.question
    assert questions["goal"].startswith("Is the problem read")
    assert questions["answer"].startswith("Does the answer follow")
    assert set(questions) == {"goal", "strategy", "answer", "passage"}


def test_one_form_asks_everything_of_a_short_trace(world):
    form = desk_of(seat=opened(world, TRACE)).unit
    assert "does the answer follow" in form.question


def test_a_sitting_is_one_trace_in_reading_order(world):
    world.submit(replace(PLANNED, thinking=PLANNED.thinking.replace("hens", "geese"), title="Geese"))
    seats = all_seats(world)
    audits = [seat.round.audit_id for seat in seats]
    assert len(set(audits)) == 2
    assert audits == sorted(audits, key=audits.index)
    positions = [seat.round.segment.position for seat in seats]
    first = positions[: audits.count(audits[0])]
    assert first == sorted(first)


def test_a_missing_premise_is_stored_shown_and_counted(world):
    seat = seat_with_outline(world)
    before = seat.shown["view"]["spans"]
    open_outline(seat=seat)
    label = outline_of(seat=seat)[0].label
    name_premise(seat=seat, label=label)
    desk = desk_of(seat=seat)
    assert [neighbour.label for neighbour in desk.picked] == [label]
    assert desk.picked[0].text
    assert len(seat.shown["view"]["spans"]) >= len(before)
    assert Remark.objects.get().kind == "missing_premise"


def test_the_same_premise_twice_is_one_remark(world):
    seat = seat_with_outline(world)
    label = outline_of(seat=seat)[0].label
    name_premise(seat=seat, label=label)
    name_premise(seat=seat, label=label)
    assert Remark.objects.count() == 1


def test_no_premise_outside_the_outline_is_taken(world):
    seat = seat_with_outline(world)
    with pytest.raises(RemarkRefusedError):
        name_premise(seat=seat, label=seat.round.segment.label)


def test_a_bad_cut_is_noted_once_and_only_by_who_holds_the_seat(world):
    seat = opened(world)
    report_cut(seat=seat)
    report_cut(seat=seat)
    assert Remark.objects.filter(kind="badly_cut").count() == 1
    world.seal(seat, seat.auditor, Choice.PASS)
    with pytest.raises(RemarkRefusedError):
        report_cut(seat=Seat.objects.get(pk=seat.pk))
