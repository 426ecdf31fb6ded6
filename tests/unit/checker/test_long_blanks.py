"""Runs of blanks: checks are given none longer than 32, and every finding stands where it stood."""

import re

import pytest

from auditing.checker.examination import decide_all
from auditing.checker.reading.long_blanks import FILL, bounded
from auditing.checker.reading.passages import script_of
from hdag.core.values import Graph, ToolCall, Trace
from hdag.decomposers.rules import RulesDecomposer

BLANKS = [" " * 2_000, "\n" * 2_000, " \n" * 1_000, "\t\u00a0" * 1_000]
TOO_LONG = re.compile(r"\s{33}")


@pytest.mark.parametrize("blanks", BLANKS, ids=["spaces", "lines", "empty lines", "others"])
def test_no_check_meets_a_long_run(blanks: str) -> None:
    text = f"1 + 1 {blanks} = 2"
    call = ToolCall("calculator", text, text)
    script = script_of(Trace(problem=text, thinking=text, answer=text, tool_calls=(call,)))
    read = [script.problem.text, *(passage.text for passage in script.passages), script.trace.tool_calls[0].text]
    assert not [text for text in read if TOO_LONG.search(text)]
    assert len(script.trace.thinking) == len(text)


def test_a_finding_behind_a_long_run_stands_at_its_place() -> None:
    thinking = "Let us add." + " " * 5_000 + "Then 17 + 25 = 41."
    trace = Trace(problem="What is 17 + 25?", thinking=thinking)
    graph = RulesDecomposer().decompose(trace)
    accused = [accusation for accusation in accusations(trace, graph) if "41" in accusation]
    assert accused == ["17 + 25 = 41"]


def accusations(trace: Trace, graph: Graph) -> list[str]:
    decisions = decide_all(trace=trace, graph=graph)
    by_id = {segment.id: segment for segment in graph.segments}
    return [
        by_id[name].content[finding.evidence.start : finding.evidence.end]
        for name, decision in decisions.items()
        for finding in decision.findings
        if finding.accuses
    ]


def test_two_lines_stay_two_and_a_shorter_run_is_left_alone() -> None:
    far = bounded("x = 3" + " " * 40 + "\n" + " " * 40 + "y = 4")
    assert far.count("\n") == 1
    assert FILL in far
    assert bounded("a" + " " * 32 + "b") == "a" + " " * 32 + "b"


def test_a_gap_between_paragraphs_is_no_paragraph() -> None:
    passages = script_of(Trace(problem="", thinking="One." + "\n" * 500 + "Two.")).passages
    assert [passage.text.strip() for passage in passages] == ["One.", "Two."]
