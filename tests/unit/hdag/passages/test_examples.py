"""The examples that a reader knows: the tunnel printed in the paper, and a clinical note of 250 words."""

from pathlib import Path

import pytest

from hdag.core.passages import PassagePlan, plan_passages
from hdag.core.values import Trace
from hdag.decomposers.rules import RulesDecomposer
from tests.unit.hdag.passages.test_properties import CLINIC

PAPER = Path(__file__).parents[5] / "shared" / "seeds" / "trust.txt"


def plan_of(trace: Trace) -> PassagePlan:
    return plan_passages(trace=trace, graph=RulesDecomposer().decompose(trace))


def units(plan: PassagePlan) -> set[str]:
    """Passages that are asked and plan seats; the answer's passage and seat are one."""
    return {passage.id for passage in plan.asked} | {seat.id for seat in plan.plan_seats}


@pytest.mark.skipif(not PAPER.exists(), reason="the paper is not here")
def test_the_printed_tunnel_makes_8_to_20_units() -> None:
    text = PAPER.read_text(encoding="utf-8")
    problem, _, rest = text[text.index("A construction company") :].partition("## Thinking Process:")
    thinking, _, answer = rest.partition("## Final Output:")
    plan = plan_of(Trace(problem.strip(), thinking.strip(), answer.split("0.0.9.1.1 Step 1")[0].strip()))
    assert 8 <= len(units(plan)) <= 20


def test_a_clinical_note_of_250_words_asks_six_passages_and_three_plan_seats_at_most() -> None:
    others = (("63", "heart"), ("58", "liver"), ("71", "lung"))
    note = "\n".join(CLINIC.replace("63", age).replace("heart", organ) for age, organ in others)
    plan = plan_of(Trace("Which option fits best?", note, "Option A"))
    assert len(note.split()) > 250
    assert (len(plan.asked) <= 6, len(plan.plan_seats) <= 3) == (True, True)
