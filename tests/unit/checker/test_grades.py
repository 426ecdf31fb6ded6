"""How sure a finding is: only a certain one fails a segment, and measured alarms demote a rule by themselves."""

import re
from pathlib import Path

import pytest

from auditing.checker.alarms import UNFIRED
from auditing.checker.demotion import grades_of, lower_bound, measured_grade, read_table
from auditing.checker.findings import Evidence, Finding, Grade, Verdict
from auditing.checker.registry import CHECKERS
from auditing.core.routing.computer_tier import PlacedFinding, unit_votes, vote_on
from auditing.core.values import Choice
from auditing.core.voting.rationale import Rationale, read, write
from hdag.core.units import Stretch
from hdag.core.values import Graph, Level, Segment, Source
from tests.unit.checker.readings import findings, is_doubted, is_refuted

LONGEST_UNFIRED = 39
SEGMENT = Segment("O1", Level.OPERATION, "3 * 4 = 13", Source.THINKING, 0, 10)


def finding(grade: Grade) -> Finding:
    return Finding(Verdict.REFUTED, Evidence("arithmetic", "unequal", "3 * 4 = 13", "3 * 4 is 12, not 13."), grade)


@pytest.mark.parametrize(
    ("grade", "choice"), [(Grade.CERTAIN, Choice.FAIL), (Grade.LIKELY, Choice.ABSTAIN), (Grade.NOTE, Choice.ABSTAIN)]
)
def test_only_a_certain_refutation_fails_a_segment(grade, choice):
    vote = vote_on(segment=SEGMENT, findings=(finding(grade),), graph=Graph((SEGMENT,), ()))
    assert vote.choice is choice
    assert "3 * 4 is 12" in vote.reason


@pytest.mark.parametrize(
    ("grade", "choice"), [(Grade.CERTAIN, Choice.FAIL), (Grade.LIKELY, Choice.ABSTAIN), (Grade.NOTE, Choice.ABSTAIN)]
)
def test_only_a_certain_refutation_fails_a_passage(grade, choice):
    placed = PlacedFinding("O1", Source.THINKING, 0, 0, finding(grade))
    votes = unit_votes(placed=[placed], units={"P1": [Stretch(Source.THINKING, 0, 0, 10)]}, proved=())
    assert votes["P1"].choice is choice
    assert "3 * 4 is 12" in votes["P1"].reason


@pytest.mark.parametrize("grade", Grade)
def test_a_vote_keeps_the_grade_of_its_findings(grade):
    text = write(rationale=Rationale(reason="", evidence=(finding(grade),)))
    assert read(text=text).evidence == (finding(grade),)


def test_a_finding_written_before_there_were_grades_is_certain():
    text = write(rationale=Rationale(reason="", evidence=(finding(Grade.CERTAIN),)))
    assert "grade" not in text
    assert read(text=text).evidence[0].accuses


def test_alarms_that_are_surely_too_many_demote_a_rule():
    table = read_table(text="a | often | x | 400 | 6\nb | rarely | y | 400 | 1")
    assert grades_of(table=table) == {("a", "often"): Grade.LIKELY, ("b", "rarely"): Grade.CERTAIN}


def test_a_rare_rule_is_measured_with_its_family():
    table = read_table(text="a | rare | x | 9 | 1\nb | common | x | 900 | 0\nc | alone | y | 9 | 1")
    grades = grades_of(table=table)
    assert grades["a", "rare"] is Grade.CERTAIN
    assert grades["c", "alone"] is Grade.LIKELY


def test_the_bound_is_the_share_at_which_so_many_alarms_are_just_surprising():
    # one alarm in n: 1 - (1 - p)^n = .1
    assert lower_bound(alarms=1, firings=50) == pytest.approx(1 - 0.9 ** (1 / 50))
    assert lower_bound(alarms=0, firings=5) == 0


def test_what_the_table_allows_is_in_effect():
    assert measured_grade(checker="arithmetic", rule="unequal") is Grade.CERTAIN


def test_a_rule_that_nobody_has_counted_refutes_nothing_for_certain():
    assert measured_grade(checker="arithmetic", rule="a rule of tomorrow") is Grade.LIKELY
    rules = [item.finding.evidence.rule for item in findings("We have $3x + 2y = 14$, so $3x = 14 + 2y$.")]
    assert measured_grade(checker="transitions", rule="follows at once") is Grade.LIKELY
    assert "follows at once" in rules
    assert not is_refuted("We have $3x + 2y = 14$, so $3x = 14 + 2y$.")


def test_every_rule_of_the_table_has_refuted_a_labelled_step():
    assert [row for row in read_table() if row.firings < 1 or row.alarms > row.firings] == []


def test_no_rule_is_added_to_those_that_are_measured_with_their_family_alone():
    # it may become shorter: a rule that has refuted a labelled step moves into the table
    older = {(row.checker, row.rule) for row in read_table(text=UNFIRED)}
    assert len(older) <= LONGEST_UNFIRED
    assert not older & {(row.checker, row.rule) for row in read_table()}


def test_every_row_belongs_to_a_check():
    names = {checker.name for checker in CHECKERS} | {"blocks"}
    assert {row.checker for row in (*read_table(), *read_table(text=UNFIRED))} <= names


# each reason to doubt, beside the plain error that it must not hide
LIKELY = [
    ("0.435 g / 143.32 g/mol = 0.003038 mol", "0.435 g / 143.32 g/mol = 0.0031 mol"),
    ("7 / 2 = 4", "7 / 2 = 5"),
    ("1Dachshund + 1/4Papillon = 3/4", "1 + 1/4 = 3/4"),
    ("If we had 12 / 4 = 4, all would be well.", "If it rains, 12 / 4 = 4 go in."),
    ("Ann says 6 * 7 = 48.", "So 6 * 7 = 48."),
    ("```\nx = 7 / 2 = 3 + 2\n```", "x = 7 / 2 = 3 + 2"),
    ("4.5% + 25 bps = 4.75%", "4.5% + 25% = 4.75%"),
]


@pytest.mark.parametrize(("doubted", "false"), LIKELY)
def test_a_reason_to_doubt_lowers_a_refutation_and_hides_no_plain_error(doubted, false):
    assert not is_refuted(doubted)
    assert is_refuted(false)


def test_what_follows_from_one_contradiction_is_told_and_fails_nothing_more():
    steps = [r"\(2x + 3 = 11\)", r"\(x = 5\)", r"\(2x = 10\)"]
    assert [item.finding.grade for item in findings(*steps) if item.finding.verdict is Verdict.REFUTED] == [
        Grade.CERTAIN,
        Grade.LIKELY,
    ]


def test_of_two_steps_that_contradict_the_one_with_a_strange_number_may_be_wrong():
    problem = "Two records sold 88,000 copies, one 10 times as many as the other."
    assert is_doubted("We know m + h = 80,000 and m = 10h.", "So 10h + h = 88,000.", problem=problem)
    assert not is_refuted("We know m + h = 80,000 and m = 10h.", "So 10h + h = 88,000.", problem=problem)
    assert is_refuted("We know m + h = 88,000 and m = 10h.", "So 10h + h = 80,000.", problem=problem)


def test_the_guide_names_every_check_that_decides_nothing():
    guide = (Path(__file__).parents[3] / "docs" / "guides" / "computer-tier.md").read_text(encoding="utf-8")
    (listed,) = re.findall(r"These checks decide nothing yet: ([^.]+)\.", guide)
    assert set(listed.split(", ")) == {checker.name for checker in CHECKERS if not checker.decides}
