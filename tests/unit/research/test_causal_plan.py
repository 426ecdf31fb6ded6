"""What a causal audit plans for a trace, and what rule mode makes of each type of change."""

import pytest

from auditing.research.causal.core import Design, InterventionKind, Mode, Pick, plan_trials
from auditing.research.causal.core.rule_mode import examine_segments
from hdag.core.values import Trace
from hdag.decomposers.rules import RulesDecomposer

FLIP, FACT, NEGATE, CAUSE = (
    InterventionKind.LOGIC_FLIP,
    InterventionKind.FACT_REVERSAL,
    InterventionKind.PREMISE_NEGATION,
    InterventionKind.CAUSAL_REVERSAL,
)
STEPS = {"ST1": "She has 5 + 3 = 8 apples.", "ST2": "It is late.", "ST3": "So 8 * 2 = 16.", "ST4": "16"}


def plans(**said):
    design = Design(**said)
    found = plan_trials(texts=STEPS, sink="ST4", bearing={"ST1", "ST3", "ST4"}, design=design, trace="t")
    return [(one.label, [str(kind) for kind in one.kinds]) for one in found]


def test_a_plan_picks_segments_and_types():
    assert plans() == [("ST1", ["fact_reversal"]), ("ST2", ["premise_negation"]), ("ST3", ["fact_reversal"])]
    assert [label for label, _ in plans(pick=Pick.BEARING)] == ["ST1", "ST3"]
    assert [label for label, _ in plans(pick=Pick.FIRST)] == ["ST1"]
    assert [label for label, _ in plans(pick=Pick.CHOSEN, chosen=("ST3", "ST4", "ST9"))] == ["ST3"]
    assert plans(mode=Mode.FIXED, kind=FLIP) == [("ST1", ["logic_flip"]), ("ST3", ["logic_flip"])]
    assert plans(mode=Mode.FIXED, kind=CAUSE) == []


def test_several_segments_change_in_one_trial_each_by_a_type_that_fits():
    assert plans(together=True) == [("ST1+ST2+ST3", ["fact_reversal", "premise_negation", "fact_reversal"])]
    assert dict(plans(mode=Mode.EACH, together=True))["ST1+ST3"] == ["fact_reversal"] * 2


def test_a_random_type_comes_from_the_seed_and_fits_the_text():
    drawn = [dict((label, kinds[0]) for label, kinds in plans(mode=Mode.RANDOM, seed=seed)) for seed in range(30)]
    assert plans(mode=Mode.RANDOM, seed=3) == plans(mode=Mode.RANDOM, seed=3)
    assert {one["ST1"] for one in drawn} == {"fact_reversal", "logic_flip", "premise_negation"}
    assert {one["ST2"] for one in drawn} == {"premise_negation"}


def test_a_model_can_do_every_type_on_every_text():
    found = plan_trials(
        texts={"ST1": "Blue.", "ST2": "x"},
        sink="ST2",
        bearing=(),
        design=Design(mode=Mode.EACH),
        trace="t",
        any_kind=True,
    )
    assert [one.kinds[0] for one in found] == list(InterventionKind)


def shop():
    return RulesDecomposer().decompose(
        Trace("p", "She has 5 + 3 = 8 apples.\n\nBecause each costs 2, they cost 8 * 2 = 16 euros.", "16")
    )


@pytest.mark.parametrize(
    ("kind", "after", "reaction"),
    [(FACT, "18", "followed"), (FLIP, "4", "followed"), (NEGATE, "", "unclear")],
)
def test_rule_mode_carries_out_what_a_change_of_sign_gives_and_does_not_judge_what_it_cannot(kind, after, reaction):
    """5 + 3 = 8 flipped is 5 - 3 = 2, so 8 * 2 becomes 2 * 2 = 4; a negation changes no number."""
    graph = shop()
    first = next(one for one in graph.segments if one.id == "ST1")
    found = examine_segments(graph=graph, segments=[first], answer="16", kinds=[kind])
    assert (found.trial.answer_after, str(found.causal.reaction)) == (after, reaction)
    assert not found.causal.violation


def test_a_change_of_words_beside_an_inexact_equation_changes_no_value():
    """10 / 3 = 3.33 is inexact before and after; a negation beside it must not count as another result."""
    thinking = "It is 10 / 3 = 3.33 litres.\n\nSo two are 3.33 * 2 = 6.66 litres."
    graph = RulesDecomposer().decompose(Trace("p", thinking, "6.66"))
    first = next(one for one in graph.segments if one.id == "ST1")
    found = examine_segments(graph=graph, segments=[first], answer="6.66", kinds=[NEGATE])
    assert str(found.causal.reaction) == "unclear"
