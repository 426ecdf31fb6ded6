"""The twenty demo traces are what they claim to be: well formed, right where right, wrong exactly where planted."""

import ast
import json
import operator
import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

from auditing.core.values import Choice
from auditing.research.studies.instruments.examination import examine
from hdag.readers.records import read_record

TRACES = [
    json.loads(line)
    for line in (Path(__file__).parents[3] / "auditing/research/population/traces.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]
PLANTED = [trace for trace in TRACES if trace["planted"]]
OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}
RUN = re.compile(r"[0-9.+\-*/() =~^]+")


def value(node: ast.expr) -> Fraction:
    """The exact value of a parsed arithmetic expression."""
    if isinstance(node, ast.UnaryOp):
        return -value(node.operand)
    if isinstance(node, ast.BinOp):
        if isinstance(node.op, ast.Pow):
            return value(node.left) ** int(value(node.right))
        return OPERATORS[type(node.op)](value(node.left), value(node.right))
    return Fraction(str(node.value))


def statements(text: str) -> Iterator[tuple[str, str, str]]:
    """(left, relation, right) for every equation between numbers that stands alone between dollar signs."""
    for inline in text.replace("$$", "").split("$")[1::2]:
        plain = inline.replace(r"\times", "*").replace(r"\cdot", "*").replace(r"\div", "/").replace(r"\approx", "~")
        plain = plain.replace(")(", ")*(")
        if not RUN.fullmatch(plain) or "//" in plain:
            continue
        parts = re.split("([=~])", plain)
        yield from zip(parts[::2], parts[1::2], parts[2::2], strict=False)


def holds(left: str, relation: str, right: str) -> bool:
    """Exact for =; to half a unit of the last printed place for the approximate sign."""
    a, b = (value(ast.parse(side.strip().replace("^", "**"), mode="eval").body) for side in (left, right))
    places = len(right.strip().partition(".")[2])
    return a == b if relation == "=" else abs(a - b) <= Fraction(1, 2 * 10**places)


def false_statements(text: str) -> list[tuple[str, str, str]]:
    return [found for found in statements(text) if not holds(*found)]


def test_there_are_twenty_traces_in_six_domains_and_half_of_them_are_wrong():
    assert len({trace["id"] for trace in TRACES}) == 20
    assert len({trace["domain"] for trace in TRACES}) == 6
    assert len(PLANTED) == 10
    assert len({trace["planted"]["kind"] for trace in PLANTED}) == 10


@pytest.mark.parametrize("trace", PLANTED, ids=lambda trace: trace["id"])
def test_each_planted_sentence_occurs_exactly_once_in_the_thinking(trace):
    assert trace["thinking"].count(trace["planted"]["segment_text"]) == 1


@pytest.mark.parametrize("trace", TRACES, ids=lambda trace: trace["id"])
def test_every_arithmetic_statement_outside_the_planted_sentence_holds(trace):
    text = trace["thinking"]
    if trace["planted"]:
        text = text.replace(trace["planted"]["segment_text"], "")
    assert false_statements(text) == []


def test_a_planted_calculation_is_false_and_the_texts_hold_many_readable_statements():
    wrong = {trace["id"] for trace in PLANTED if false_statements(trace["planted"]["segment_text"])}
    assert wrong == {"demo-02", "demo-11"}
    assert sum(1 for trace in TRACES for _ in statements(trace["thinking"])) >= 90


def _is_wrong(trace, content):
    """Whether it is the planted sentence, or the answer that follows from it where the problem can be computed."""
    is_answer = content == trace["answer"] != trace["reference_answer"]
    return bool(trace["planted"]) and (is_answer or content in trace["planted"]["segment_text"])


def test_the_computer_tier_refutes_planted_sentences_only():
    refuted = set()
    for trace in TRACES:
        examined = examine(trace=read_record(trace, where=trace["id"]))
        failed = [s.content for s in examined.graph.segments if examined.votes[s.id].choice is Choice.FAIL]
        assert all(_is_wrong(trace, content) for content in failed)
        refuted |= {trace["id"]} if failed else set()
    assert refuted >= {"demo-02", "demo-11"}


@pytest.mark.parametrize("trace", [t for t in TRACES if "steps" in t], ids=lambda trace: trace["id"])
def test_steps_occur_in_the_thinking_in_order(trace):
    starts = [trace["thinking"].index(step) for step in trace["steps"]]
    assert all(a < b for a, b in pairwise(starts))


def first_at_least(a: list[int], x: int) -> tuple[int, int]:
    lo, hi, rounds = 0, len(a), 0
    while lo < hi:
        mid, rounds = (lo + hi) // 2, rounds + 1
        lo, hi = (mid + 1, hi) if a[mid] < x else (lo, mid)
    return lo, rounds


def test_the_reference_answers_of_the_counting_problems_agree_with_a_count():
    answer = {trace["id"]: trace["reference_answer"] for trace in TRACES}
    squares = sum((x * x - 2025) ** 0.5 % 1 == 0 for x in range(46, 1014))
    assert answer["demo-05"] == str(squares)
    assert answer["demo-07"] == str(sum((x % 6 == 0 or x % 10 == 0) and x % 15 > 0 for x in range(1, 1001)))
    assert answer["demo-08"] == str(sum(x for x in range(101, 1000, 2) if x % 7 == 0))
    most = max(first_at_least(list(range(1000)), x)[1] for x in range(1001))
    assert answer["demo-18"] == f"{first_at_least([1, 3, 3, 5, 8], 4)[0]}; {most}"
    assert answer["demo-19"].startswith(f"{sum(1024 for power in range(20) if 2**power < 1024):,} times")
