"""The learning rules against simulated adversaries (small instance of the study), skills, calibration, routing."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditing.core.consensus.ballots import Ballots, ballots_from_votes
from auditing.core.consensus.calibration import (
    brier,
    calibrate_thresholds,
    calibration_bins,
    confusion,
    cost_by_length,
    thresholds_from_costs,
)
from auditing.core.consensus.rules import RULES, by_reputation, choose_rule
from auditing.core.consensus.skills import GoldCounts, prior_skill, published_skill, shrunk_skill
from auditing.core.consensus.two_coin import Priors, gold_initialised_em, gold_only
from auditing.core.errors import BadParameterError, BadVotesError
from auditing.core.policy import DEFAULT, ConsensusRule
from auditing.core.routing.table import route
from auditing.core.values import Outcome, Tier
from auditing.research.population.pool import Attack, World, draw_world, without_gold
from auditing.research.studies.adversaries import PEER_SHARES, SHARES, adversaries, reference_failures, run_cells
from auditing.research.studies.arms.copula import captured, correlated_votes, flipped, largest_residual, share_right
from auditing.research.studies.instruments.reports import write_report
from auditing.research.studies.instruments.runner import Report, Run, Table, find_studies
from auditing.research.studies.trace_rules import REFERENCE as TRACE_REFERENCE
from auditing.research.studies.trace_rules import RULES as TRACE_RULES
from auditing.research.studies.trace_rules import WRONG, draw_traces, score
from auditing.research.studies.votes import read_votes
from hdag.core.levels import Complexity, Level
from hdag.core.values import Segment, Source
from tests.tools.sweeping import sweep_of

METHODS = ("gold-only log-odds", "gold-initialised EM", "auto")


def test_both_learning_rules_meet_their_references_and_auto_the_better_of_them() -> None:
    cells = run_cells(world=World(), methods=METHODS, seeds=20, run=Run(seed=1))
    assert reference_failures(cells) == []


@sweep_of("test_both_learning_rules_meet_their_references_and_auto_the_better_of_them")
@pytest.mark.filterwarnings("ignore:The (inplace|copy) keyword")  # pandas, of crowd-kit
def test_the_study_runs_beside_crowd_kit_to_its_end_and_only_from_thirty_percent_on() -> None:
    pytest.importorskip("crowdkit")
    found = adversaries(Run(seed=1, options={"seeds": "1", "peer_seeds": "1", "peers": "Dawid"}))
    beside = next(table for table in found.tables if table.title.startswith("Beside crowd-kit"))
    assert list(beside.columns) == ["method", *(f"rho {share}" for share in PEER_SHARES), "ms"]
    assert [row[0] for row in beside.rows] == ["auto", "crowd-kit Dawid-Skene"]
    assert all(len(row) == len(table.columns) for table in found.tables for row in table.rows)
    assert not any("crowd-kit" in note for note in found.notes)


def test_gold_free_em_flips_where_gold_does_not() -> None:
    drawn = draw_world(world=World(malicious=0.4), rng=np.random.default_rng(4))
    truth = drawn.truth[drawn.scored]
    blind = RULES[ConsensusRule.DAWID_SKENE](ballots=without_gold(drawn=drawn), priors=Priors())
    seeing = gold_initialised_em(ballots=drawn.ballots, priors=Priors()).posterior
    accuracies = [((p[drawn.scored] > 0.5) == truth).mean() for p in (blind, seeing)]
    assert accuracies[0] < 0.1
    assert accuracies[1] > 0.98


def test_a_collusion_flag_keeps_auto_on_gold() -> None:
    drawn = draw_world(world=World(malicious=0.4, attack=Attack.TARGETED), rng=np.random.default_rng(4))
    assert choose_rule(ballots=drawn.ballots, priors=Priors(), collusion=True).rule is ConsensusRule.TWO_COIN_GOLD


def test_without_gold_auto_rests_on_its_priors() -> None:
    drawn = draw_world(world=World(), rng=np.random.default_rng(4))
    blind = without_gold(drawn=drawn)
    assert choose_rule(ballots=blind, priors=Priors()).rule is ConsensusRule.TWO_COIN_GOLD
    assert set(gold_only(ballots=blind, priors=Priors()).sensitivity) == {0.7}


@pytest.mark.parametrize("rule", RULES.values(), ids=[str(name) for name in RULES])
def test_every_rule_gives_probabilities_even_without_votes(rule) -> None:
    none = np.zeros(0, dtype=np.int64)
    empty = Ballots(none, none, none, np.full(3, -1), 2)
    found = rule(ballots=empty, priors=Priors())
    assert found.shape == (3,)
    assert ((found >= 0) & (found <= 1)).all()


def test_array_posteriors_equal_the_exact_ones() -> None:
    ballots, _, _ = ballots_from_votes(votes=[("s", name, name != "e") for name in "abcde"])
    odds = 4 * Fraction(7, 3) ** 3
    assert gold_only(ballots=ballots, priors=Priors()).posterior[0] == pytest.approx(float(odds / (1 + odds)))


def test_a_double_vote_is_refused() -> None:
    with pytest.raises(BadVotesError, match="votes twice"):
        ballots_from_votes(votes=[("s", "a", True), ("s", "a", False)])


# ---- skills
def test_an_empty_cell_is_judged_as_its_domain_and_an_unknown_auditor_as_its_tier() -> None:
    nothing, domain = GoldCounts(0, 0, 0, 0), GoldCounts(10, 9, 10, 2)
    wide = shrunk_skill(counts=[domain, domain], policy=DEFAULT, tier=Tier.HUMAN)
    cell = shrunk_skill(counts=[domain, domain, nothing], policy=DEFAULT, tier=Tier.HUMAN)
    assert cell.specificity.mean == wide.specificity.mean
    assert shrunk_skill(counts=[nothing], policy=DEFAULT, tier=Tier.HUMAN) == prior_skill(
        policy=DEFAULT, tier=Tier.HUMAN
    )


def test_much_gold_outweighs_the_prior() -> None:
    stamper = shrunk_skill(counts=[GoldCounts(50, 49, 50, 1)], policy=DEFAULT, tier=Tier.HUMAN)
    assert stamper.sensitivity.mean > Fraction(95, 100)
    assert stamper.specificity.mean < Fraction(9, 100)


@given(st.integers(0, 50), st.integers(0, 50))
def test_published_skills_are_hundredths_inside_the_unit_interval(valid: int, wrong: int) -> None:
    skill = published_skill(
        skill=shrunk_skill(counts=[GoldCounts(valid, valid, wrong, 0)], policy=DEFAULT, tier=Tier.HUMAN)
    )
    assert all(
        (beta.mean * 100).denominator == 1 and 0 < beta.mean < 1 for beta in (skill.sensitivity, skill.specificity)
    )


def test_counts_that_do_not_nest_are_refused() -> None:
    with pytest.raises(BadParameterError):
        shrunk_skill(counts=[GoldCounts(1, 1, 0, 0), GoldCounts(2, 2, 0, 0)], policy=DEFAULT, tier=Tier.HUMAN)


# ---- calibration
def test_thresholds_follow_from_costs_and_gold_moves_them() -> None:
    assert thresholds_from_costs(miss=Fraction(10), false_alarm=Fraction(4), review=Fraction(1)) == (
        Fraction(9, 10),
        Fraction(1, 4),
    )
    found = calibrate_thresholds(
        posterior=[0.1, 0.2, 0.3, 0.4, 0.5, 0.6], truth=[0, 0, 1, 0, 1, 1], miss=10, false_alarm=4, review=1
    )
    assert found == (0.5, 0.2)


@given(st.lists(st.tuples(st.integers(0, 8), st.booleans()), min_size=1, max_size=12))
def test_calibrated_thresholds_are_the_cheapest_pair(rows: list[tuple[int, bool]]) -> None:
    p, t = [n / 8 for n, _ in rows], [int(right) for _, right in rows]

    def cost(high: float, low: float) -> float:
        return sum((10 * (1 - v) if x >= high else 4 * v if x <= low else 1) for x, v in zip(p, t, strict=True))

    values = [-1.0, *sorted(set(p)), 2.0]
    best = min(cost(high, low) for low in values for high in values if high > low)
    high, low = calibrate_thresholds(posterior=p, truth=t, miss=10, false_alarm=4, review=1)
    assert cost(high, low) == pytest.approx(best)


def test_brier_confusion_bins_and_costs() -> None:
    assert brier(posterior=[1.0, 0.5], truth=[1, 0]) == 0.125
    seen = confusion(
        outcomes=[(Outcome.FAIL, False), (Outcome.PASS, False), (Outcome.FAIL, True), (Outcome.HUNG, True)]
    )
    assert (seen.f1, seen.accuracy, seen.undecided) == (0.5, 0.25, 1)
    assert [item.count for item in calibration_bins(posterior=[0.05, 0.95, 1.0], truth=[0, 1, 1])] == [1, 2]
    report = cost_by_length(rows=[(3, 0.95, False), (30, 0.5, True)], thresholds=(0.9, 0.25), costs=(10, 4, 1))
    assert [(item.longest, item.cost) for item in report] == [(5, 10), (40, 1)]


# ---- routing: the paper's criteria and printed assignments
def segment(level: str, kind: str = "", complexity: str = "low", **features: float) -> Segment:
    return Segment(
        "X1", Level(level), "x", Source.THINKING, 0, 1, kind=kind, complexity=Complexity(complexity), features=features
    )


@pytest.mark.parametrize(
    ("level", "kind", "tier"),
    [
        ("operation", "calculation", Tier.COMPUTER),
        ("step", "algebraic_combination", Tier.COMPUTER),
        ("step", "format", Tier.COMPUTER),
        ("strategy", "approach_description", Tier.LLM),
        ("tactic", "", Tier.LLM),
        ("step", "inference", Tier.LLM),
        ("goal", "objective_statement", Tier.HUMAN),
        ("step", "ethics", Tier.HUMAN),
        ("operation", "high_stakes", Tier.HUMAN),
        ("tactic", "novelty", Tier.HUMAN),
        ("step", "ambiguity", Tier.HUMAN),
    ],
)
def test_the_papers_assignment_criteria_hold(level: str, kind: str, tier: Tier) -> None:
    assert route(segment=segment(level, kind), policy=DEFAULT).primary is tier


def test_a_feature_sends_a_calculation_to_people() -> None:
    assert route(segment=segment("operation", high_stakes=1.0), policy=DEFAULT).primary is Tier.HUMAN


def test_without_models_people_take_over_and_the_reason_is_said() -> None:
    found = route(segment=segment("step"), policy=DEFAULT, available={Tier.COMPUTER, Tier.HUMAN})
    assert (found.primary, found.k) == (Tier.HUMAN, 5)
    assert "llm tier is not available" in found.why


def test_medicine_goes_to_people_when_it_is_hard() -> None:
    hard = segment("operation", "lookup", "medium")
    assert route(segment=hard, policy=DEFAULT, domain="medicine").primary is Tier.COMPUTER
    assert route(segment=segment("step", "", "high"), policy=DEFAULT, domain="medicine").primary is Tier.HUMAN


# ---- studies
def test_every_printed_row_of_table_one_is_a_flip_of_the_decision() -> None:
    assert largest_residual() < 0.42


def test_flipped_votes_hurt_less_than_flipped_decisions() -> None:
    rng = np.random.default_rng(5)
    right = correlated_votes(traces=40_000, rng=rng)
    clean, corrupted = (share_right(right=flipped(right=right, share=c, rng=rng)) for c in (0.0, 0.2))
    assert clean == pytest.approx(0.687, abs=0.01)
    assert corrupted == pytest.approx(0.641, abs=0.012)


def test_reputation_learned_on_gold_turns_captured_auditors_back() -> None:
    rng = np.random.default_rng(3)
    right = correlated_votes(traces=40_000, rng=rng)
    votes, weights = captured(right=right, share=0.2, rng=rng)
    free, weighed, counted = (
        share_right(right=right),
        share_right(right=votes, weights=weights),
        share_right(right=votes),
    )
    assert abs(weighed - free) < 0.015
    assert counted < free - 0.03


def test_real_votes_are_read() -> None:
    path = Path("../shared/data/usmle_gpt4_errors/raw_annotator_level.jsonl")
    if not path.exists():
        pytest.skip("../shared/data is not here")
    found = read_votes(path=path)
    assert (len(found), sum(len(votes) for votes in found.values())) == (149, 517)


def test_studies_are_found_and_reports_written_without_raw_markup(tmp_path: Path) -> None:
    assert {"adversaries", "table1", "votes"} <= set(find_studies())
    report = Report(
        "<b>",
        [
            Table(
                "t",
                ["a"],
                [
                    [
                        "<script>",
                    ],
                    [1.5],
                ],
            )
        ],
    )
    as_json, as_html = write_report(report=report, run=Run(seed=3), name="x", folder=tmp_path)
    assert '"seed": 3' in as_json.read_text()
    assert "<script>" not in as_html.read_text()


def test_the_same_seed_gives_the_same_draw() -> None:
    draws = [draw_world(world=World(), rng=Run(seed=9).rng(stream=2)) for _ in range(2)]
    assert (draws[0].ballots.passed == draws[1].ballots.passed).all()
    assert len(SHARES) == 5


@pytest.mark.parametrize("wrong", WRONG)
def test_trace_rules_are_within_three_standard_errors_of_the_printed_table(wrong: int) -> None:
    """20 seeds of 2,000 traces; the printed column is one such run, rounded to .001."""
    draws = [draw_traces(wrong=wrong, count=2000, rng=np.random.default_rng([wrong, seed])) for seed in range(20)]
    for name, (best, auc) in TRACE_REFERENCE[wrong].items():
        found = np.array([score(value=TRACE_RULES[name](draw), right=draw.right) for draw in draws])
        error = 3 * found.std(0, ddof=1) + 0.0015
        assert abs(found[:, 0].mean() - best) < error[0], name
        assert auc is None or abs(found[:, 1].mean() - auc) < error[1], name


def test_w_against_beta_misses_a_single_wrong_segment_that_noisy_and_finds() -> None:
    draw = draw_traces(wrong=1, count=10_000, rng=np.random.default_rng(1))
    paper, ours = (
        score(value=TRACE_RULES[name](draw), right=draw.right)[0] for name in ("W, paper's weights", "noisy-AND")
    )
    assert ours > paper + 0.1


def test_reputation_weighs_by_its_log_odds_and_moves_by_gamma() -> None:
    """Right 7 of 10, base rate 4 of 5: odds 4 * 7/3; then r = .98 * .7 + .02 for a vote that the outcome confirms."""
    ones = np.array([1, 1])
    ballots = Ballots(segment=np.array([0, 1]), auditor=np.array([0, 0]), passed=ones, gold=-ones, auditors=1)
    found = by_reputation(ballots=ballots, priors=Priors(right=7.0, wrong=3.0, base_rate=0.8), gamma=0.02)
    odds = np.array([4 * 7 / 3, 4 * 0.706 / 0.294])
    assert found == pytest.approx(odds / (1 + odds))
