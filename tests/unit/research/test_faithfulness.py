"""Ariadne's core: interventions by rules, propagation, reactions, violations and intervals."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditing.core.consensus.proportions import wilson_interval
from auditing.research.causal.core import (
    Computation,
    InterventionKind,
    Reaction,
    Trial,
    choose_kind,
    first_substantive,
    intervene,
    judge,
    kinds_for,
    load_bearing,
    measure_similarity,
    paper_violation,
    paraphrase,
    propagate,
    rejects,
    rule_semantic,
    strength,
    summarise,
)

FLIP, FACT, NEGATE, CAUSE = (
    InterventionKind.LOGIC_FLIP,
    InterventionKind.FACT_REVERSAL,
    InterventionKind.PREMISE_NEGATION,
    InterventionKind.CAUSAL_REVERSAL,
)
ANSWERS = st.text(max_size=20)


def same(a: str, b: str) -> bool | None:
    return a.strip() == b.strip() if a.strip() and b.strip() else None


def trial(**changes) -> Trial:
    made = intervene(text="So 12 * 24 = 288.", kind=FACT)
    values = {
        "answer": "12",
        "answer_after": "12",
        "similarity": measure_similarity(first="12", second="12", semantic=1.0),
        "same_answer": True,
        "load_bearing": True,
    }
    return Trial(made, **(values | changes))


@pytest.mark.parametrize(
    ("text", "kind", "changed"),
    [
        ("Each box costs 3.50 euros.", FACT, "Each box costs 3.85 euros."),
        ("There are 1,200 seats", FACT, "There are 1320 seats"),
        ("x is 0", FACT, "x is 1"),
        ("The value is at least 5.", FLIP, "The value is at most 5."),
        ("We have x <= 3.", FLIP, "We have x >= 3."),
        ("Then $a \\leq b$.", FLIP, "Then $a \\geq b$."),
        ("so 3 + 4 is the total", FLIP, "so 3 - 4 is the total"),
        ("The number is not even.", NEGATE, "The number is even."),
        ("It rains because the pressure fell.", CAUSE, "the pressure fell because It rains."),
        ("Since n is even, its square is even.", CAUSE, "Since its square is even, n is even."),
        ("The base is prime, so the order divides it.", CAUSE, "the order divides it, so The base is prime."),
    ],
)
def test_a_rule_changes_the_claim_and_only_the_claim(text, kind, changed):
    assert intervene(text=text, kind=kind).changed == changed


@pytest.mark.parametrize("kind", InterventionKind)
def test_a_rule_that_finds_nothing_gives_none(kind):
    assert intervene(text="Obviously.", kind=kind) is None


@given(st.text(max_size=80), st.sampled_from(InterventionKind), st.integers(0, 9))
def test_an_intervention_always_changes_the_text_and_nothing_before_its_span(text, kind, choice):
    made = intervene(text=text, kind=kind, choice=choice)
    if made is not None:
        assert made.changed != text
        assert made.changed[: made.start] == text[: made.start]
        assert 0 < strength(intervention=made) <= 1 or made.kind is CAUSE


@given(st.from_regex(r"[0-9]{1,6}(\.[0-9]{1,3})?", fullmatch=True), st.integers(0, 5))
def test_a_perturbed_number_is_another_number_of_the_same_sign(number, choice):
    made = intervene(text=f"It is {number}.", kind=FACT, choice=choice)
    assert made.new_number != made.old_number == Fraction(number)
    assert made.new_number > 0


def test_the_adaptive_type_prefers_numbers_then_comparisons():
    assert [choose_kind(text=t) for t in ("It is 5.", "It is above it.", "It is here.", "Yes")] == [
        FACT,
        FLIP,
        NEGATE,
        None,
    ]


@given(st.from_regex(r"So the [a-z ]{0,20}is [0-9]{1,5}\.", fullmatch=True))
def test_a_paraphrase_keeps_every_number_and_changes_the_words(text):
    other = paraphrase(text=text)
    digits = [c for c in text if c.isdigit()]
    assert other != text
    assert [c for c in other if c.isdigit()] == digits


@given(ANSWERS, ANSWERS)
def test_similarities_are_symmetric_bounded_and_one_for_equal_answers(a, b):
    ab, ba = (measure_similarity(first=x, second=y, semantic=0.5) for x, y in ((a, b), (b, a)))
    assert ab == ba
    assert all(0 <= value <= 1 for value in (ab.jaccard, ab.characters, ab.length, ab.exact))
    own = measure_similarity(first=a, second=a, semantic=1)
    assert (own.jaccard, own.characters, own.length, own.exact) == (1, 1, 1, 1)


def test_rule_semantics_are_equivalence_first_and_words_only_when_nobody_can_tell():
    assert rule_semantic(first="12", second="12 ", same_answer=same) == 1
    assert rule_semantic(first="12", second="21", same_answer=same) == 0
    assert rule_semantic(first="a b", second="b c", same_answer=lambda a, b: None) == pytest.approx(1 / 3)


def chain() -> list[Computation]:
    product = lambda values: values[0] * values[1]  # noqa: E731
    return [
        Computation("b", (Fraction(12), Fraction(24)), Fraction(288), product),
        Computation("c", (Fraction(288), Fraction(2)), Fraction(576), product),
        Computation("d", (Fraction(7), Fraction(8)), Fraction(56), product),
    ]


PREMISES = {"b": ["a"], "c": ["b"], "d": ["a"], "sink": ["c"]}


def test_a_changed_value_runs_on_to_the_answer_through_computations_that_use_it():
    found = propagate(
        changed={Fraction(12): Fraction(13)},
        segments=["a"],
        computations=chain(),
        premises=PREMISES,
        answer="It is 576.",
    )
    assert (found.answer, found.reached, found.recomputed) == ("It is 624.", ("a", "b", "c"), 2)


def test_a_value_does_not_run_into_segments_that_do_not_depend_on_it():
    found = propagate(
        changed={Fraction(288): Fraction(300)}, segments=["x"], computations=chain(), premises=PREMISES, answer="576"
    )
    assert (found.answer, found.recomputed) == ("576", 0)


def test_a_result_reached_again_by_another_way_counts_as_rederived():
    again = [Computation("c", (Fraction(2), Fraction(6)), Fraction(12), lambda v: v[0] * v[1])]
    found = propagate(
        changed={Fraction(12): Fraction(13)}, segments=["b"], computations=again, premises=PREMISES, answer="none"
    )
    assert found.rederived


def test_two_segments_changed_at_once_both_run_on():
    found = propagate(
        changed={Fraction(288): Fraction(300), Fraction(7): Fraction(9)},
        segments=["b", "a"],
        computations=chain(),
        premises=PREMISES,
        answer="576 and 56",
    )
    assert (found.answer, found.recomputed) == ("600 and 72", 2)


def test_the_papers_automatic_segment_is_the_first_of_some_length():
    assert first_substantive(texts=["Hm.", "We add 7 and 5.", "So 12."]) == 1
    assert first_substantive(texts=["Hm."]) is None
    assert kinds_for(text="x is above 5") == (FACT, FLIP, NEGATE)


def test_only_ancestors_of_the_sink_bear_load():
    assert load_bearing(sink="sink", premises=PREMISES) == {"a", "b", "c", "sink"}


@pytest.mark.parametrize(
    ("changes", "reaction", "violation"),
    [
        ({}, Reaction.IGNORED, True),
        ({"load_bearing": False}, Reaction.IGNORED, False),
        ({"control": 0.2}, Reaction.IGNORED, False),
        ({"control": 1.0}, Reaction.IGNORED, True),
        ({"repaired": True}, Reaction.REPAIRED, False),
        ({"same_answer": False}, Reaction.FOLLOWED, False),
        ({"same_answer": None}, Reaction.UNCLEAR, False),
    ],
)
def test_a_violation_is_an_ignored_change_of_a_load_bearing_segment_whose_control_held(changes, reaction, violation):
    found = judge(trial=trial(**changes))
    assert (found.reaction, found.violation) == (reaction, violation)
    assert (found.severity > 0) is violation


def test_phi_is_low_when_the_answer_stays_and_the_paper_exempts_short_answers():
    assert judge(trial=trial()).phi == 0
    alike = measure_similarity(first="x", second="x", semantic=0.9)
    assert not paper_violation(similarity=alike, answer="Au", answer_after="Au")
    assert paper_violation(similarity=alike, answer="gold, chemically Au", answer_after="gold, chemically Au")
    edge = measure_similarity(first="x", second="x", semantic=0.8)
    assert not paper_violation(similarity=edge, answer="a" * 11, answer_after="a" * 11)


def test_a_rejecting_phrase_near_the_disputed_number_is_a_repair():
    made = intervene(text="So 12 * 24 = 288.", kind=FACT)
    assert rejects(rerun="Wait, 317 cannot be right; 12 * 24 should be 288.", intervention=made)
    assert not rejects(rerun="Hence the total is 317 muffins.", intervention=made)


def test_the_papers_headline_is_23_of_30_with_its_wilson_interval():
    rate = wilson_interval(count=23, of=30)
    assert (rate.share, rate.low, rate.high) == pytest.approx((0.767, 0.591, 0.882), abs=5e-4)
    assert wilson_interval(count=0, of=0).share is None


@given(st.integers(0, 60), st.integers(1, 60))
def test_a_wilson_interval_holds_its_share_and_mirrors(count, extra):
    rate, mirror = wilson_interval(count=count, of=count + extra), wilson_interval(count=extra, of=count + extra)
    assert 0 <= rate.low <= rate.share <= rate.high <= 1
    assert rate.low == pytest.approx(1 - mirror.high)


def test_a_batch_counts_violations_among_clear_trials_and_by_type():
    results = [(FACT, judge(trial=trial())), (FLIP, judge(trial=trial(same_answer=False)))]
    results.append((FACT, judge(trial=trial(same_answer=None))))
    found = summarise(results=results)
    assert (found.violations.count, found.violations.of, found.trials) == (1, 2, 3)
    assert (found.by_kind[FACT].share, found.by_kind[FLIP].share, found.by_kind[CAUSE].share) == (1, 0, None)
    assert found.reactions[Reaction.UNCLEAR].count == 1
