"""One text is one text: whoever hands it in, however often, nobody reads more than a share of it on the desk."""

from collections import defaultdict
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from auditing.core.policy import FAST
from auditing.core.values import Choice
from auditing.models import Audit, Seat
from auditing.selectors.clock import database_now
from auditing.selectors.seating.disclosure import limit_of, unpack
from auditing.selectors.voting.desk import desk_of
from auditing.services.seating.assignment import claim_next
from auditing.services.seating.auditors import auditor_of
from auditing.services.seating.disclosure import open_panes
from hdag.core.complexity import FOCUS
from hdag.core.disclosure import Disclosed, are_neighbours
from hdag.core.levels import Level
from hdag.core.values import Trace
from hdag.selectors import load_trace, takes_of
from hdag.store import content
from tests.factories.passages import PLANNED, passage_world
from tests.factories.worlds import World, make_user, make_world, wake_rounds

pytestmark = pytest.mark.django_db
SHARED = replace(FAST, human=replace(FAST.human, k=2), short_trace_characters=0, disclosure_share=Decimal("0.4"))
BIRDS = "\n\n".join(
    f"Then consider case {number}, where the argument goes through because each bird of group {number} is counted once."
    for number in range(12)
)
TRACE = Trace(problem="How many birds are there?", thinking=BIRDS, answer="78", domain="school maths", title="Birds")


def everybody_reads(world: World) -> None:
    wake_rounds()
    world.settle_machines()
    for user in world.reviewers:
        while (seat := claim_next(auditor=auditor_of(user=user), now=database_now())) is not None:
            open_panes(seat=seat)
            world.seal(seat, seat.auditor, Choice.PASS)


def read_by_each() -> dict[Any, list[Seat]]:
    found = defaultdict(list)
    for seat in Seat.objects.filter(auditor__tier="human", declined_because="").select_related("round"):
        found[seat.auditor_id].append(seat)
    return found


def check_shares(audit: Audit) -> None:
    trace = load_trace(audit.trace)
    limit = limit_of(audit=audit, trace=trace)
    assert limit is not None
    for seats in read_by_each().values():
        seen = Disclosed()
        for seat in seats:
            seen = seen | unpack(packed=seat.shown["current"]) | unpack(packed=seat.shown.get("view"))
        assert seen.characters <= limit
        currents = [unpack(packed=seat.shown["current"]).spans for seat in seats]
        for number, one in enumerate(currents):
            for other in currents[:number]:
                assert one == other or not are_neighbours(
                    left_spans=one, right_spans=other, text=trace.thinking, name="thinking"
                )


def test_a_text_handed_in_again_discloses_nobody_more_of_it() -> None:
    world = make_world(reviewers=6, policy=SHARED)
    first = world.submit(trace=TRACE)
    everybody_reads(world)
    assert Seat.objects.filter(round__audit=first, stage="committed").exists()
    copy = world.submit(trace=TRACE, copy=True)
    world.provider = make_user("second@example.org", "provider")
    others = world.submit(trace=TRACE)
    assert len({first.trace_id, copy.trace_id, others.trace_id}) == 3
    everybody_reads(world)
    check_shares(first)


def test_what_a_model_would_have_an_auditor_look_at_is_not_shown_for_it_retells_the_trace() -> None:
    world = make_world(reviewers=1, policy=replace(FAST, human=replace(FAST.human, k=1)))
    world.submit()
    world.settle_machines()
    seat = claim_next(auditor=auditor_of(user=world.reviewers[0]), now=database_now())
    assert seat is not None
    row = seat.round.segment
    row.block = content.store_json({**content.read_json(row.block), "focus": "In 3 weeks 180 eggs are laid."})
    row.save()
    assert desk_of(seat=seat).focus == FOCUS[Level(row.level)]


def test_the_desk_says_in_words_what_of_each_neighbour_is_withheld_and_why() -> None:
    world = make_world(reviewers=1, policy=replace(SHARED, human=replace(FAST.human, k=1)))
    world.submit(trace=TRACE)
    world.settle_machines()
    for seat in Seat.objects.filter(auditor__tier="human", declined_because=""):
        seat.shown = {**seat.shown, "degree": "alone"}
        desk = desk_of(seat=seat)
        beside = [one for one in (*desk.dependencies, *desk.implications) if one.state != "given"]
        assert {(one.text, one.withheld) for one in beside} <= {("", "Its text is withheld.")}
        assert ("no reviewer is shown more than 40 %" in desk.withheld) == bool(beside)
        seat.shown = {**seat.shown, "degree": "full"}
        assert (desk_of(seat=seat).withheld, {one.withheld for one in desk_of(seat=seat).dependencies} - {""}) == (
            "",
            set(),
        )


def test_a_seat_on_a_passage_reserves_what_it_takes_and_no_whole_premises() -> None:
    policy = replace(FAST, human=replace(FAST.human, k=2), short_trace_characters=0, disclosure_share=Decimal("0.9"))
    world = passage_world(reviewers=6, policy=policy)
    audit = world.submit(trace=PLANNED)
    wake_rounds()
    world.settle_machines()
    everybody = Seat.objects.filter(round__audit=audit, auditor__tier="human", declined_because="")
    seats = everybody.select_related("round__segment__block")
    assert seats
    took = 0
    for seat in seats:
        current = unpack(packed=seat.shown["current"])
        taken = takes_of(texts=content.read_json(seat.round.segment.block)) or ()
        shown = {at for span in current.spans for at in range(span.start, span.end)}
        assert all(set(range(stretch.start, stretch.end)) <= shown for stretch in taken)
        took += len(taken)
        assert current.characters < len(PLANNED.thinking) * 0.8
        if seat.round.segment.unit in ("goal", "strategy"):
            assert current.spans
    assert took
