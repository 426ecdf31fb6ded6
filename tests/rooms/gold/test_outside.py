"""The outside of gold: what the desk shows of it is of the same sort as what it shows of any passage."""

import random
from dataclasses import replace

import pytest

from auditing.checker.findings import Finding, Verdict
from auditing.checker.planting import Shape, lean, nearest_first, shape_of
from auditing.core.policy import Grain, Order
from auditing.core.values import Choice
from auditing.core.voting.rationale import read
from auditing.models import Audit, Decoy, Round, SegmentOutcome, Vote
from auditing.research.campaigns.selectors.home import provider_home
from auditing.selectors.clock import database_now
from auditing.selectors.voting.neighbourhood import neighbourhood_of
from auditing.services.gold import sources
from auditing.services.gold import texts as texts_of_traces
from auditing.services.gold.decoys import plant
from auditing.services.gold.recorded import _adjudicated
from auditing.services.gold.sources import _from_texts
from auditing.services.gold.texts import JUDGED, leaning, passages_of, real_shapes, usable_texts
from auditing.services.seating.assignment import claim_next
from auditing.services.seating.auditors import auditor_of, seat_newcomers
from hdag.core.values import Trace
from hdag.store import content
from tests.factories.passages import PLANNED
from tests.factories.worlds import ONE_SEAT, make_user, make_world
from tests.rooms.gold.test_decoys import gold_of, gold_world, sweep

pytestmark = pytest.mark.django_db


def evidence_on(audit: Audit) -> tuple[str, tuple[Finding, ...]]:
    """The computer's vote on the gold of a decoy, and what it says of it."""
    vote = Vote.objects.get(seat__round__segment=gold_of(audit).segment, seat__round__tier="computer")
    return vote.choice, read(text=content.read(vote.rationale)).evidence


def test_gold_shows_what_the_computer_verified_in_it_and_nothing_that_it_accuses() -> None:
    audits = sweep(gold_world())
    assert {audit.trace.decoy.truth for audit in audits} == {Choice.PASS, Choice.FAIL}
    for audit in audits:
        choice, evidence = evidence_on(audit)
        assert choice == Choice.ABSTAIN
        if audit.trace.decoy.truth == Choice.PASS:  # the planted error may stand in all that there was to verify
            assert any(finding.verdict is Verdict.VERIFIED for finding in evidence)
        assert not any(finding.accuses for finding in evidence)


@pytest.mark.parametrize(("order", "states"), [(Order.PARALLEL, set()), (Order.PREMISES_FIRST, {"verified by quorum"})])
def test_a_neighbour_stands_as_it_stood_when_people_were_first_asked(order: Order, states: set[str]) -> None:
    world = make_world(reviewers=1, policy=replace(ONE_SEAT, order=order), grain=Grain.PASSAGE)
    world.submit(PLANNED)
    auditor = auditor_of(user=world.reviewers[0])
    shown: set[str] = set()
    for _ in range(20):
        world.settle_machines()
        seat = claim_next(auditor=auditor, now=database_now())
        if seat is None:
            break
        shown |= {standing.words for standing in neighbourhood_of(round=seat.round).standings.values()}
        world.seal(seat, auditor, Choice.PASS)
    assert SegmentOutcome.objects.filter(round__tier="human").count() > 3
    assert {words for words in shown if "computer" not in words} == states


def test_the_shape_of_a_passage_is_its_length_its_lines_its_formulas_and_its_place() -> None:
    text = "Twelve hens.\n\nThey lay $5 * 12 = 60$ eggs."
    looks = shape_of(text=text, start=14, end=len(text))
    assert looks == Shape(len(text) - 14, 0, 2, 14 / len(text), len(text), paragraphs=1, numbers=3, relations=1)


def test_the_shape_of_a_text_counts_its_boxed_answers_and_its_variables() -> None:
    text = "Let x be a hen.\n\nThen 3x = 6, so x = 2 and I say \\boxed{2}."
    looks = shape_of(text=text, start=0, end=15)
    assert (looks.boxes, looks.letters) == (1, 3)


def test_gold_is_planted_where_it_looks_most_like_what_is_asked() -> None:
    shapes = [Shape(900, 9, 0, 0.5), Shape(90, 1, 0, 0.5), Shape(90, 1, 40, 0.5), Shape(90, 1, 0, 0.0)]
    nearest = [
        nearest_first(shapes=shapes, asked=replace(shape, characters=shape.characters + 20))[0] for shape in shapes
    ]
    assert nearest == [0, 1, 2, 3]
    assert nearest_first(shapes=shapes, asked=None)[0] == 0
    prose, sums = (Shape(90, 1, 0, 0.5, numbers=numbers, relations=numbers // 3) for numbers in (0, 6))
    assert nearest_first(shapes=[sums, prose], asked=replace(prose, position=0.4))[0] == 1
    boxed, plain = (Shape(90, 1, 0, 0.5, commands=commands) for commands in (3, 0))
    assert nearest_first(shapes=[plain, boxed], asked=boxed)[0] == 1
    alone, among = (Shape(90, 1, 0, 0.5, passages=passages) for passages in (1, 5))
    assert nearest_first(shapes=[alone, among], asked=among)[0] == 1
    told, hinted = (Shape(90, 1, 0, 0.5, problem=characters) for characters in (800, 100))
    assert nearest_first(shapes=[hinted, told], asked=told)[0] == 1
    letters, digits = (Shape(90, 1, 0, 0.5, letters=letters) for letters in (9, 0))
    assert nearest_first(shapes=[digits, letters], asked=letters)[0] == 1
    long, short = (Shape(90, 1, 0, 0.5, around) for around in (4000, 400))
    assert nearest_first(shapes=[long, short], asked=replace(short, position=0.4))[0] == 1


def test_gold_looks_like_what_is_asked_or_is_not_planted_where_there_are_other_texts(monkeypatch) -> None:
    world, rng = gold_world(), random.Random(1)
    given = {"campaign": world.campaign, "seats": 1, "truth": Choice.FAIL, "words": {}, "rng": rng}
    [(_, trace)] = usable_texts(campaign=world.campaign, seats=1, rng=rng)
    alike = real_shapes(campaign=world.campaign, rng=rng, most=4)
    assert 0 < len(alike) <= 4
    far = Shape(90_000, 900, 300, 0.9, around=99_000, paragraphs=700, numbers=9000, relations=2000, commands=4000)
    assert [draft.trace.problem for draft in _from_texts(asked=alike, **given)][:1] == [trace.problem]
    assert list(_from_texts(asked=[far], **given))  # a small campaign has no other text
    monkeypatch.setattr(sources, "FEW", 0)
    assert not list(_from_texts(asked=[far], **given))
    assert list(_from_texts(asked=[far, *alike], **given))


def test_what_is_chosen_leans_against_what_was_chosen_before() -> None:
    world = gold_world()
    assert not any(leaning(campaign=world.campaign))
    sweep(world)
    apart = list(Decoy.objects.values_list("apart", flat=True))
    assert apart
    assert all(apart)
    assert leaning(campaign=world.campaign) == lean(apart=apart)


def test_after_gold_that_was_all_alike_another_sort_of_passage_is_chosen() -> None:
    world = gold_world()
    alike = real_shapes(campaign=world.campaign, rng=random.Random(1), most=4)
    given = {"campaign": world.campaign, "seats": 1, "truth": Choice.FAIL, "words": {}}
    found = {draft.span.start: draft for draft in _from_texts(**given, asked=alike, rng=random.Random(1))}
    late, early = found[max(found)], found[min(found)]
    assert late.shape is not None
    assert early.shape is not None
    asked = [late.shape]
    assert next(iter(_from_texts(**given, asked=asked, rng=random.Random(1)))).span.start == late.span.start
    # As far from what was asked as four times the way from the early one to the late one.
    apart = tuple(4 * more for more in late.shape.apart(early.shape))
    plant(draft=replace(late, apart=apart), campaign=world.campaign, rng=random.Random(1))
    assert next(iter(_from_texts(**given, asked=asked, rng=random.Random(1)))).span.start == early.span.start


def test_of_many_texts_those_are_read_that_are_as_long_as_what_is_asked(monkeypatch) -> None:
    world, rng = make_world(reviewers=1, policy=ONE_SEAT, grain=Grain.PASSAGE), random.Random(1)
    texts = [f"There are {n} hens. " + "Each of them lays an egg. " * n + f"So 2 + {n} = {n + 2}." for n in (1, 9, 30)]
    for text in texts:
        world.everybody_votes(world.submit(Trace(problem="How many?", thinking=text, answer="")))
    world.reviewers += [make_user("new@example.org", "reviewer")]
    seat_newcomers()
    monkeypatch.setattr(texts_of_traces, "TRIES", 1)
    for text in texts:
        like = [shape_of(text=text, start=0, end=len(text))]
        [(_, trace)] = usable_texts(campaign=world.campaign, seats=1, rng=rng, like=like)
        assert trace.thinking == text


def test_the_passages_of_a_text_are_those_that_are_judged_in_its_graph() -> None:
    gold_world()
    graph, asked = Audit.objects.get().decomposition_id, Round.objects.filter(segment__unit__in=JUDGED)
    assert passages_of(graphs=[graph]) == {graph: asked.values("segment").distinct().count()}
    assert passages_of(graphs=[graph])[graph] > 1


def test_a_verdict_is_gold_once_nobody_can_appeal_and_nobody_did() -> None:
    world = gold_world()
    [(audit, trace)] = usable_texts(campaign=world.campaign, seats=1, rng=random.Random(1))
    row = SegmentOutcome.objects.filter(audit=audit, round__tier="human").select_related("segment", "round").first()
    row.round.adjudicates = True  # here alone: what a database full of verdicts would hold
    assert _adjudicated(audit, trace, row, Choice.PASS) is None
    audit.released_at = database_now()
    assert _adjudicated(audit, trace, row, Choice.FAIL) is None
    assert _adjudicated(audit, trace, row, Choice.PASS).origin == "adjudicated"
    columns = {"trace": audit.trace, "campaign": audit.campaign, "policy": audit.policy}
    Audit.objects.create(**columns, decomposition=audit.decomposition, follows=audit, seed=b"s" * 32)
    assert _adjudicated(audit, trace, row, Choice.PASS) is None
    assert [count for _, count in provider_home(user=world.provider).by_outcome] == [1]  # the second stands for both
