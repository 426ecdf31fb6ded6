"""The file that strangers download is asked before a refutation accuses: what it refuses is a doubt."""

import json
from dataclasses import replace

import pytest

from auditing.checker.examination import examine_graph
from auditing.checker.findings import Finding, Grade
from auditing.checker.proofs.rechecking import rechecked
from hdag.core.levels import Level
from hdag.core.values import Graph, Segment, Source, Trace

LINE = "So 7 + 8 = 16."


def segment(content: str) -> Segment:
    return Segment("s1", Level.OPERATION, content, Source.THINKING, 0, len(content))


def found(text: str, content: str = "") -> tuple[Finding, ...]:
    """What is found in a text whose one segment says the same, or something else."""
    return examine_graph(trace=Trace("Work it out.", thinking=text), graph=Graph((segment(content or text),), ()))["s1"]


def accusation() -> Finding:
    (finding,) = (finding for finding in found(LINE) if finding.accuses)
    return finding


def proved_by(finding: Finding, **changed: object) -> Finding:
    return replace(finding, proof=json.dumps({**json.loads(finding.proof), **changed}))


def test_a_proof_that_the_file_accepts_accuses():
    assert [finding.grade for finding in rechecked([accusation()], segment(LINE), LINE)] == [Grade.CERTAIN]


@pytest.mark.parametrize(
    "changed",
    [
        {"right": ["17"]},  # stands nowhere in the text
        {"left": [["+", "8", "8"]], "right": ["16"]},  # holds
        {"kind": "said so"},
        {"left": 7},
        {"relation": None},
    ],
)
def test_a_proof_that_the_file_refuses_is_likely_at_most(changed):
    (finding,) = rechecked([proved_by(accusation(), **changed)], segment(LINE), LINE)
    assert finding.doubts


def test_what_accuses_without_a_proof_and_what_holds_stay_as_they_are():
    unproved, verified = replace(accusation(), proof=""), found("So 7 + 8 = 15.")
    assert rechecked([unproved, *verified], segment(LINE), LINE) == (unproved, *verified)


@pytest.mark.parametrize(("content", "accuses"), [(LINE, True), ("So 7 + 8 = 15.", False)])
def test_a_refutation_of_what_its_segment_does_not_say_accuses_nobody(content, accuses):
    assert any(finding.accuses for finding in found(LINE, content)) is accuses


def test_a_fraction_without_braces_behind_a_blank_is_read_by_the_file():
    assert any(finding.accuses for finding in found(r"5x = 2, so x = \frac 35."))
