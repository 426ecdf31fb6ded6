"""RADO: the tag format, tools, rewards, mining, pairs, dialogues, groups, splits and PROOF scores."""

import math
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditing.research.rado.core import (
    Audited,
    Dialogue,
    Evaluation,
    HardReason,
    Part,
    PartKind,
    Provenance,
    TagsRefusedError,
    Task,
    ToolRefusedError,
    accumulate,
    balance_classes,
    call_tool,
    check_row,
    dialogue_row,
    find_hard_reason,
    format_reward,
    group_advantages,
    group_rows,
    parse_dialogue,
    parse_evaluation,
    preference_pairs,
    result_agrees,
    split_of,
    total_reward,
    write_dialogue,
)
from auditing.research.rado.core.evaluations import (
    Correction,
    CorrectionTag,
    EvaluationRefusedError,
    suggest_tags,
    wrong_results,
)
from auditing.research.rado.core.trl import ColumnsRefusedError

AUDIT = (
    "<think>The expert gives [0, 0]. "
    "<search>percentage increase formula</search><doc>Increase over the old value.</doc>"
    "<function>subtract(1102, 965)</function><result>137.0</result>"
    "<function>divide(137, 965)</function><result>0.14196891191709846</result>"
    "So 14.23% is wrong.</think><answer>1</answer>"
)
SOURCES = {0: Provenance("rm-1", "am-1", "v1"), 1: Provenance("rm-2", "am-2", "v1")}
LONG = "The quotient 137 / 965 is about 0.14197, which is 14.20 percent and not 14.23 percent, so both scores are zero."


def sample(id="e1", *, score=1, scores=(0, 0), prompt="Q1", rationale=LONG, **changes) -> Audited:
    audit = replace(parse_dialogue(AUDIT), score=score)
    return Audited(id, "p1", prompt, Evaluation(*scores, rationale), audit, **changes)


PLAIN = st.text(st.characters(exclude_characters="<", exclude_categories=["Cs"]), min_size=1).filter(str.strip)
CALLS = st.sampled_from([(PartKind.SEARCH, PartKind.DOC), (PartKind.FUNCTION, PartKind.RESULT)])
TURNS = st.tuples(PLAIN, CALLS, PLAIN, PLAIN).map(
    lambda turn: (Part(PartKind.TEXT, turn[0]), Part(turn[1][0], turn[2]), Part(turn[1][1], turn[3]))
)
DIALOGUES = st.builds(
    lambda turns, score, thinks: Dialogue(tuple(part for turn in turns for part in turn), score, thinks),
    st.lists(TURNS, max_size=4),
    st.integers(0, 1),
    st.booleans(),
)


@given(DIALOGUES)
def test_a_written_audit_reads_back_equal(dialogue):
    assert parse_dialogue(write_dialogue(dialogue)) == dialogue


@given(DIALOGUES)
def test_the_turns_of_a_dialogue_joined_are_the_written_audit(dialogue):
    row = dialogue_row(audited=replace(sample(), audit=dialogue), sources=SOURCES)
    check_row(row=row, task=Task.SFT)
    assert "".join(turn["content"] for turn in row["messages"][1:]) == write_dialogue(dialogue)


@pytest.mark.parametrize(
    ("text", "position", "words"),
    [
        ("<think>a</think>", 16, "no <answer>"),
        ("<think>a<answer>1</answer>", 0, "<think> is not closed"),
        ("a<answer>2</answer>", 9, "not 0 or 1"),
        ("a<answer>1</answer>b", 19, "something follows"),
        ("a<search>b<answer>1</answer>", 1, "<search> is not closed"),
        ("<function>add(<result>1</result>, 2)</function><answer>1</answer>", 0, "do not nest"),
        ("x<doc>d</doc><answer>1</answer>", 1, "does not follow a <search>"),
        ("x</doc><answer>1</answer>", 1, "</doc> has no place"),
    ],
)
def test_a_broken_audit_is_refused_at_its_place(text, position, words):
    with pytest.raises(TagsRefusedError, match=words) as refused:
        parse_dialogue(text)
    assert refused.value.position == position


def test_a_million_opening_brackets_are_read_in_linear_time():
    assert parse_dialogue("<" * 1_000_000 + "<answer>0</answer>").score == 0


def test_the_calls_of_the_papers_example_recompute():
    assert call_tool("subtract(1102, 965)") == 137.0
    assert wrong_results(parse_dialogue(AUDIT)) == ()
    assert wrong_results(parse_dialogue(AUDIT.replace("137.0", "138.0"))) == (3,)


@given(st.lists(st.tuples(st.integers(-99, 99), st.integers(-99, 99)), min_size=2, max_size=8))
def test_correlation_and_regression_equal_a_second_calculation(points):
    x, y = map(list, zip(*points, strict=True))
    n = len(points)
    spread_x, spread_y = n * sum(a * a for a in x) - sum(x) ** 2, n * sum(b * b for b in y) - sum(y) ** 2
    joint = n * sum(a * b for a, b in points) - sum(x) * sum(y)
    if spread_x and spread_y:
        assert call_tool(f"correlation({x}, {y})") == pytest.approx(joint / math.sqrt(spread_x * spread_y), abs=1e-12)
    if spread_x:
        slope, intercept = call_tool(f"linear_regression({x}, {y})")
        assert slope == pytest.approx(joint / spread_x, abs=1e-9)
        assert intercept == pytest.approx(sum(y) / n - slope * sum(x) / n, abs=1e-9)


@pytest.mark.parametrize(
    "call",
    [
        "divide(1, 0)",
        "__import__('os')",
        "add(1, 2",
        "add(1)",
        "add([1], 2)",
        "add(9e999, 1)",
        "add(1e9999999999, 1)",
        "correlation([1, 1], [1, 2])",
        "correlation([1], [1, 2])",
        "add(" + "[" * 3000 + ", 1)",
        "add(NaN, 1)",
        "multiply(1e300, 1e300)",
        "pow(9, 9)",
        "linear_regression([[1]], [[1]])",
    ],
)
def test_a_call_that_cannot_be_carried_out_is_refused(call):
    with pytest.raises(ToolRefusedError):
        call_tool(call)


@pytest.mark.parametrize(("result", "agrees"), [("0.142", True), ("0.1420", True), ("0.1423", False), ("x", False)])
def test_a_result_agrees_to_half_a_unit_of_its_last_place(result, agrees):
    assert result_agrees(call="divide(137, 965)", result=result) is agrees


def test_the_reward_is_one_only_when_format_reasoning_and_answer_are_right():
    assert [total_reward(format=f, reason=r, answer=a) for f, r, a in product((0, 1), repeat=3)] == 7 * [0] + [1]


@pytest.mark.parametrize(
    ("text", "reward"),
    [
        ("<think>a</think>\n<answer>b</answer>", 1),
        ("<think>a</think><answer>b</answer> done", 0),
        ("<think>a</think><answer>b</answer><answer>c</answer>", 0),
        ("<answer>b</answer><think>a</think>", 0),
        ("<think>a</think><think>a</think><answer>b</answer>", 0),
        ("<think> </think><answer>b</answer>", 0),
        ("<think>a<answer></think>b</answer>", 0),
    ],
)
def test_the_format_reward_wants_one_thought_and_then_one_answer(text, reward):
    assert format_reward(text) == reward


@given(st.lists(st.integers(-9000, 9000).map(lambda n: n / 8), min_size=1, max_size=9))
def test_advantages_have_mean_zero_and_spread_one_or_are_all_zero(rewards):
    found = group_advantages(rewards)
    assert sum(found) == pytest.approx(0, abs=1e-6)
    spread = math.sqrt(sum(a * a for a in found) / len(found))
    assert spread == pytest.approx(1) or (spread == 0 and min(rewards) == max(rewards))


def test_evaluations_are_read_in_both_printed_forms():
    assert parse_evaluation("{{1, 0}}\nwhy") == Evaluation(1, 0, "why") == parse_evaluation("[1,0] why")
    with pytest.raises(EvaluationRefusedError, match="begins with two scores"):
        parse_evaluation("[1, 2] why")


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        ({"score": 0}, HardReason.DISAGREEMENT),
        ({"scores": (1, 1)}, HardReason.HIGH_SCORE),
        ({"scores": (1, 1), "audit_confidence": 0.6}, HardReason.DOUBTFUL_HIGH_SCORE),
        ({"scores": (1, 1), "rationale": "ok"}, HardReason.DOUBTFUL_HIGH_SCORE),
        ({"scores": (1, 0)}, None),
    ],
)
def test_hard_samples_are_mined_by_the_rules(made, reason):
    assert find_hard_reason(audited=sample(**made)) == reason


@pytest.mark.parametrize(
    ("rationale", "tag"),
    [
        ("Wrong.", CorrectionTag.SHORT),
        ("计算错误" * 40, CorrectionTag.LANGUAGE),
        (LONG + "\ufffd", CorrectionTag.GARBLED),
    ],
)
def test_correction_tags_that_a_rule_can_see_are_suggested(rationale, tag):
    assert tag in suggest_tags(audited=sample(rationale=rationale))


def test_a_retrieval_without_a_word_of_the_query_is_suggested_as_useless():
    audit = parse_dialogue(AUDIT.replace("Increase over the old value.", "Marble quarries of Greece."))
    assert suggest_tags(audited=replace(sample(), audit=audit)) == {CorrectionTag.USELESS_RETRIEVAL}


def test_pairs_set_a_right_evaluation_against_a_wrong_one_of_the_same_prompt():
    rows = preference_pairs(
        samples=[sample("a"), sample("b", score=0, scores=(1, 1)), sample("c", prompt="Q2")], sources=SOURCES
    )
    assert [(row["prompt"], row["meta"]["chosen_id"], row["meta"]["rejected_id"]) for row in rows] == [("Q1", "a", "b")]
    check_row(row=rows[0], task=Task.DPO)


def test_a_persons_word_goes_before_the_audits_and_adds_the_positive_sample():
    better = Evaluation(0, 0, "The quotient is 14.20%, so both are wrong.")
    correction = Correction(0, "person-1", evaluation=better, tags=frozenset({CorrectionTag.OVER_TOLERANCE}))
    rows = preference_pairs(samples=[sample(scores=(1, 1), correction=correction)], sources=SOURCES)
    assert (rows[0]["chosen"], rows[0]["rejected"][:6]) == (better.text, "[1, 1]")
    assert rows[0]["meta"]["tags"] == ["over_tolerance"]


def test_equal_pairs_are_kept_once():
    twice = [sample("a"), sample("b"), sample("c", score=0, scores=(1, 1)), sample("d", score=0, scores=(1, 1))]
    assert len(preference_pairs(samples=twice, sources=SOURCES)) == 1


def test_the_smallest_floats_do_not_divide_by_zero():
    assert max(map(abs, group_advantages([5e-324, 1e-323, 0.0]))) < 2


def test_groups_carry_rewards_and_advantages():
    rows = group_rows(prompt="Q", responses=["a", "b"], rewards=[1, 0], meta={})
    assert [(row["reward"], row["advantage"]) for row in rows] == [(1, 1.0), (0, -1.0)]
    check_row(row=rows[0], task=Task.GRPO)


@given(st.permutations([(0, 0)] * 5 + [(0, 1)] * 2 + [(1, 0)] * 3 + [(1, 1)] * 9))
def test_balancing_repeats_the_rarer_classes_and_loses_nothing_whatever_the_order(classes):
    items = [sample(f"e{n}", scores=scores) for n, scores in enumerate(classes)]
    balanced = balance_classes(items=items, key=lambda item: item.id, of=lambda item: item.evaluation.score_class)
    assert sorted(item.evaluation.score_class for item in balanced) == sorted([(0, 0), (0, 1), (1, 0), (1, 1)] * 9)
    assert {item.id for item in balanced} == {item.id for item in items}


def test_splits_have_their_shares_and_change_with_the_seed():
    splits = [split_of(problem=f"p{n}", seed="s") for n in range(4000)]
    assert splits.count("test") == pytest.approx(400, abs=80)
    assert splits.count("validation") == pytest.approx(400, abs=80)
    assert splits != [split_of(problem=f"p{n}", seed="t") for n in range(4000)]


def test_iterations_are_cumulative_and_the_latest_correction_of_a_sample_counts():
    corrected = sample("a", correction=Correction(0, "person-1"))
    assert accumulate(iterations=[[sample("a"), sample("b")], [corrected]]) == [corrected, sample("b")]


@pytest.mark.parametrize(
    ("row", "task"),
    [
        ({"prompt": "a", "chosen": "b"}, Task.DPO),
        ({"prompt": "a", "chosen": "b", "rejected": "b"}, Task.DPO),
        ({"prompt": "a", "chosen": [{"role": "assistant", "content": "x"}], "rejected": "c"}, Task.DPO),
        ({"messages": [{"role": "user", "content": "x"}]}, Task.SFT),
        ({"messages": [{"role": "bot", "content": "x"}]}, Task.SFT),
        ({"prompt": " "}, Task.GRPO),
    ],
)
def test_rows_that_trl_would_not_read_are_refused(row, task):
    with pytest.raises(ColumnsRefusedError):
        check_row(row=row, task=task)
