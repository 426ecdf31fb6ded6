"""Arms of an audit: the rules by hand, corruption replayed, cuts, self-preference, and votes that are read again."""

import io
import json
from dataclasses import replace

import numpy as np
import pytest
from django.core.management import call_command

from auditing.core.values import Choice, Tier
from auditing.research.studies.arms.corruption import Corruption, corrupt
from auditing.research.studies.arms.cuts import CUTS, cut_by
from auditing.research.studies.arms.deciding import (
    ENSEMBLES,
    Judged,
    decide_by_passages,
    decide_by_share,
    decide_by_weight,
    read_arm,
)
from auditing.research.studies.arms.favour import Opinion, as_judgements, favour_of, read_opinion
from auditing.research.studies.arms.figures import brier_of, gap, measure
from auditing.research.studies.arms.printed import TABLE1, TABLE3
from auditing.research.studies.arms.public_replay import majority_cases
from auditing.research.studies.arms.recording import ArmVote, Case, as_records, by_arm, read_vote
from auditing.research.studies.arms.simulated_judges import FAVOURS
from auditing.research.studies.instruments.labelled import Labelled
from auditing.research.studies.instruments.runner import OptionError, Run, find_studies
from hdag.readers.records import read_record

PASS, FAIL = Choice.PASS, Choice.FAIL


def votes(*choices, unit="", tier=Tier.LLM):
    return tuple(ArmVote(unit, f"m{number}", tier, choice) for number, choice in enumerate(choices))


def whole(is_right, *choices):
    return Case("t", is_right, votes(*choices))


def labelled(first_error=1):
    steps = ["Anna has 4 pens. They are blue.", "She buys 3, so 4 + 3 = 8 pens.", "So she has 8 pens."]
    return Labelled(read_record({"problem": "Anna has 4 pens and buys 3.", "steps": steps}, where="test"), first_error)


@pytest.mark.parametrize(
    ("rule", "four_of_six", "five_of_six"), [("majority", 1, 1), ("supermajority", 1, 1), ("unanimous", 0, 0)]
)
def test_ensembles_pass_by_their_shares(rule, four_of_six, five_of_six):
    cases = [whole(True, *[PASS] * passes, *[FAIL] * (6 - passes)) for passes in (3, 4, 5, 6)]
    passed = [int(judged.passes) for judged in ENSEMBLES[rule](cases)]
    assert passed == [0, four_of_six, five_of_six, 1]
    three_of_five = ENSEMBLES[rule]([whole(True, PASS, PASS, PASS, FAIL, FAIL)])[0]
    assert (three_of_five.passes, three_of_five.probability) == (rule == "majority", 0.6)


def test_a_weighted_ensemble_learns_whom_to_follow_on_the_other_half():
    """m0 is always right, m1 and m2 always wrong: turned around, all three agree."""
    cases = [whole(right, PASS if right else FAIL, *[FAIL if right else PASS] * 2) for right in [True, True, False] * 8]
    weighted = ENSEMBLES["weighted"](cases)
    assert all(judged.passes == judged.is_right for judged in weighted)
    assert not any(judged.passes == judged.is_right for judged in decide_by_share(cases))


def test_a_weight_is_never_learned_on_the_trace_that_it_decides():
    """m1 votes in every other trace alone: what is known of it comes from the half that it decides, so nothing is."""
    cases = [
        Case("t", True, votes(PASS)) if n % 2 else Case("t", True, (replace(votes(PASS)[0], auditor="m1"),))
        for n in range(12)
    ]
    assert {judged.probability for judged in ENSEMBLES["weighted"](cases)} == {0.5}


def test_a_refutation_fails_the_trace_and_a_proof_leaves_it_to_the_others():
    open_unit = votes(PASS, PASS, PASS, unit="P1")
    refuted = ArmVote("P2", "computer", Tier.COMPUTER, FAIL)
    case = Case("t", False, (*open_unit, refuted), ("P1", "P2"))
    assert decide_by_passages([case])[0] == Judged(False, 0.0, False)
    proved = replace(case, votes=(*open_unit, replace(refuted, choice=PASS)))
    # Three passes of models at odds 19 : 1 each leave little of P1, and nothing of P2.
    assert decide_by_passages([proved])[0].probability > 0.99


def test_one_failed_unit_of_three_fails_by_our_rule_and_passes_by_the_papers():
    cast = [vote for unit in ("P1", "P2") for vote in votes(PASS, PASS, PASS, unit=unit)]
    case = Case("t", False, (*cast, *votes(FAIL, FAIL, FAIL, unit="P3")), ("P1", "P2", "P3"))
    assert not decide_by_passages([case])[0].passes
    by_weight = decide_by_weight([case])[0]
    assert (by_weight.passes, by_weight.probability) == (True, pytest.approx(2 / 3))


def test_an_arm_is_read_by_every_rule_that_fits_it():
    people = [Case("t", True, votes(PASS, tier=Tier.HUMAN))]
    assert [name for name, _, _ in read_arm(name="people", cases=people)] == ["people"]
    models = [whole(True, PASS, FAIL)]
    assert [name for name, _, _ in read_arm(name="m", cases=models)] == [
        *("m: m0", "m: m1"),
        *(f"m: {ensemble}" for ensemble in ENSEMBLES),
    ]
    pieces = [Case("t", True, votes(PASS, unit="P1"), ("P1",))]
    assert [name for name, _, _ in read_arm(name="p", cases=pieces)] == ["p", "p, the paper's W"]


def test_corruption_turns_votes_and_leaves_what_can_be_recomputed():
    cases = [Case("t", True, (*votes(PASS, FAIL, unit="P1"), ArmVote("P2", "computer", Tier.COMPUTER, PASS)))] * 50
    spares = frozenset({Tier.COMPUTER})
    turned = corrupt(cases=cases, kind=Corruption.VOTES, share=1, rng=np.random.default_rng(1), spares=spares)
    assert [vote.choice for vote in turned[0].votes] == [FAIL, PASS, PASS]
    same = corrupt(cases=cases, kind=Corruption.VOTES, share=0, rng=np.random.default_rng(1), spares=spares)
    assert same == cases


def test_a_captured_auditor_turns_every_vote_of_its_own_and_no_other():
    cases = [whole(True, *[PASS] * 20)] * 30
    rng = np.random.default_rng(3)
    turned = corrupt(cases=cases, kind=Corruption.AUDITORS, share=0.3, rng=rng, spares=frozenset())
    assert len({case.votes for case in turned}) == 1
    captured = {vote.auditor for vote in turned[0].votes if vote.choice is FAIL}
    assert 0 < len(captured) < 20


def test_figures_of_an_arm_by_hand_and_intervals_by_traces():
    cases = [whole(True, PASS), whole(True, FAIL), whole(False, FAIL), whole(False, PASS)] * 10
    measured, judged = measure(cases=cases, rule=decide_by_share, rng=np.random.default_rng(1))
    assert (measured.accuracy.value, measured.f1.value, brier_of(judged)) == (0.5, 0.5, 0.5)
    # 40 traces, half of them hit: the standard error is .079.
    assert (measured.accuracy.low, measured.accuracy.high) == pytest.approx((0.345, 0.655), abs=0.05)
    lead = gap(first=judged, second=judged, rng=np.random.default_rng(1))
    assert (lead.value, lead.low, lead.high) == (0, 0, 0)


def test_what_a_trace_took_has_an_interval_over_traces_and_not_over_votes():
    """Half of 40 traces cost 4 by four votes of 1, half nothing: the standard error is .316, of lone votes .079."""
    dear = ArmVote("", "a", Tier.HUMAN, PASS, 10.0, 1.0)
    cases = [Case(str(n), True, tuple(replace(dear, auditor=str(v)) for v in range(4 * (n % 2)))) for n in range(40)]
    cases = [case if case.votes else replace(case, votes=(replace(dear, cost=0, seconds=0),)) for case in cases]
    measured, _ = measure(cases=cases, rule=decide_by_share, rng=np.random.default_rng(1), resamples=2000)
    assert (measured.cost.value, measured.seconds.value) == (2.0, 20.0)
    assert (measured.cost.low, measured.cost.high) == pytest.approx((1.4, 2.6), abs=0.1)
    assert (measured.seconds.low, measured.seconds.high) == pytest.approx((14, 26), abs=1)


@pytest.mark.parametrize("name", [name for name in CUTS if "cuts" in name])
def test_cuts_by_sentences_cover_the_thinking_and_one_of_them_holds_the_error(name):
    units = cut_by(cuts=[name], labelled=labelled(), seed=1, number=0)[0]
    texts = "".join(unit.shown.reasoning for unit in units)
    assert texts.split() == labelled().trace.thinking.split()
    assert sum(unit.holds_error is True for unit in units) >= 1
    # Two sentences a piece: the piece behind the wrong step has no label.
    if name.startswith("fixed cuts, 2"):
        assert next(unit.holds_error for unit in units) is False


def test_the_computer_settles_a_piece_with_a_wrong_sum_in_every_cut():
    by_cut = cut_by(cuts=list(CUTS), labelled=labelled(), seed=1, number=0)
    for name, units in zip(CUTS, by_cut, strict=True):
        fails = [unit for unit in units if unit.computer is FAIL]
        assert bool(fails) == (name != "whole trace"), name
        assert all(unit.holds_error for unit in fails)


def test_a_right_trace_holds_no_error_anywhere():
    by_cut = cut_by(cuts=list(CUTS), labelled=labelled(None), seed=1, number=0)
    assert {unit.holds_error for units in by_cut for unit in units} == {False}


def opinions(favour):
    """Judge of family a: passes right traces, and of wrong ones those of its own where it favours them."""
    rows = []
    for author, right, count in (("a", True, 8), ("a", False, 2), ("b", True, 2), ("b", False, 8)):
        for number in range(count):
            passed = right or (favour and author == "a")
            rows.append(Opinion("judge", "a", author, f"{author} {right} {number}", right, passed))
    return rows


def test_self_preference_at_equal_truth_does_not_blame_skill():
    """The paper's score calls a perfect judge biased whose family solves more problems than the other."""
    fair = favour_of(opinions=opinions(favour=False))
    assert (fair.bias, fair.at_equal_truth) == (pytest.approx(0.6), 0)
    biased = favour_of(opinions=opinions(favour=True))
    # Of ten own traces two are wrong; those two are passed, others' are not: .2 * 1.
    assert (biased.bias, biased.at_equal_truth) == (pytest.approx(0.8), pytest.approx(0.2))


def test_opinions_and_votes_are_read_as_they_are_written():
    rows = opinions(favour=True)
    assert [read_opinion(record) for record in as_judgements(rows)] == rows
    arms = {"a": [Case("t", True, votes(PASS, FAIL, unit="P1"), ("P1",))], "b": [Case("t", True, votes(PASS))]}
    assert by_arm(map(read_vote, as_records(arms))) == arms


@pytest.mark.parametrize(
    "wrong", [{"right": "yes"}, {"choice": "maybe"}, {"tier": "dog"}, {"seconds": -1}, {"cost": "nan"}]
)
def test_a_bad_line_of_votes_is_refused(wrong):
    record = {"arm": "a", "trace": "t", "right": True, "auditor": "x", "choice": "pass"}
    assert read_vote(record)[0] == "a"
    with pytest.raises(ValueError, match=r"."):
        read_vote({**record, **wrong})


def test_a_trace_cannot_be_right_in_one_line_and_wrong_in_another():
    record = {"arm": "a", "trace": "t", "right": True, "auditor": "x", "choice": "pass"}
    with pytest.raises(ValueError, match="right in one line"):
        by_arm(map(read_vote, [record, {**record, "right": False, "arm": "b"}]))


def test_the_table_of_people_without_gold_takes_their_own_majority():
    sheet = {"i1": {"a": PASS, "b": PASS, "c": FAIL}, "i2": {"a": PASS, "b": FAIL}, "i3": {"a": FAIL, "b": FAIL}}
    assert [(case.trace, case.is_right) for case in majority_cases(sheet)] == [("i1", True)]


@pytest.mark.parametrize("name", ["table1", "table3"])
def test_a_table_measures_simulated_votes_says_so_and_reads_them_again(name, tmp_path):
    study = find_studies()[name]
    path = tmp_path / "traces.jsonl"
    steps = labelled().trace
    record = {"problem": steps.problem, "steps": ["Anna has 4 pens.", "So 4 + 3 = 8."], "label": 1}
    path.write_text("\n".join(json.dumps({**record, "label": label}) for label in (1, -1) * 3))
    first = study.run(Run(file=path, shape=study.reads))
    assert "votes of models and people" in first.simulated
    votes_path = tmp_path / "votes.jsonl"
    votes_path.write_text("".join(json.dumps(vote) + "\n" for vote in first.votes))
    again = study.run(Run(file=votes_path, shape=study.reads))
    assert again.simulated == ""
    assert again.tables[0].rows[0][:4] == first.tables[0].rows[0][:4]
    with pytest.raises(OptionError, match="asks no endpoint"):
        study.run(Run(file=votes_path, shape=study.reads, options={"endpoint": "x"}))


def test_votes_that_chance_cast_are_called_simulated_again_when_they_are_read(tmp_path):
    """Whoever gets the file alone must not take it for votes that somebody cast."""
    lines = ['{"author": "a", "problem": "1 + 1?", "thinking": "We add.", "answer": "2", "correct": true}\n'] * 4
    (tmp_path / "solutions.jsonl").write_text("".join(lines))
    call_command("study", "table2", file=tmp_path / "solutions.jsonl", out=tmp_path, stdout=io.StringIO())
    printed = io.StringIO()
    call_command("study", "bias", file=tmp_path / "table2.votes.jsonl", out=tmp_path, stdout=printed)
    assert "Simulated: 12 of 12 lines of table2.votes.jsonl, as they say of themselves." in printed.getvalue()
    assert "12 of 12 lines of table2" in json.loads((tmp_path / "bias.json").read_text())["simulated"]
    first = json.loads((tmp_path / "table2.json").read_text())["simulated"]
    assert first == "the judges' votes; planted self-preference: none, so that whatever stands there is chance."


def test_printed_rows_are_those_of_the_paper():
    assert (TABLE1["TRUST"][0], TABLE3["TRUST, HDAG"]) == (72.4, (0.89, 0.074))


def test_table_two_finds_planted_favour_and_its_votes_are_read_by_the_study_of_bias(tmp_path):
    path = tmp_path / "solutions.jsonl"
    lines = [
        {"author": author, "problem": f"{n} + {n}?", "thinking": "We add.", "answer": "9", "correct": n % 2 == 0}
        for n in range(150)
        for author in FAVOURS
    ]
    path.write_text("\n".join(map(json.dumps, lines)))
    report = find_studies()["table2"].run(Run(file=path, shape="authors"))
    assert "planted self-preference" in report.simulated
    figures = {str(row[0]).rpartition(": ")[2]: row for row in report.tables[0].rows}
    for author, planted in FAVOURS.items():
        # 75 right and 75 wrong traces a side: the standard error is about .05.
        assert figures[author][7] == pytest.approx(planted, abs=3 * figures[author][8])
        assert figures[author][8] < 0.07
    assert figures["majority"][5] is None
    votes_path = tmp_path / "votes.jsonl"
    votes_path.write_text("".join(json.dumps(vote) + "\n" for vote in report.votes))
    bias = find_studies()["bias"].run(Run(file=votes_path, shape="judgements"))
    by_family = {row[0]: row[3] for row in bias.tables[0].rows}
    assert {name: pytest.approx(figures[name][5], abs=1e-4) for name in FAVOURS} == {n: by_family[n] for n in FAVOURS}
    again = find_studies()["table2"].run(Run(file=votes_path, shape="authors"))
    assert (again.simulated, again.tables[0].rows[0][:3]) == ("", report.tables[0].rows[0][:3])
