"""The five questions of the pipeline about a trace of two lines, for trying an endpoint."""

from hdag.chat.question import Question
from hdag.decomposers.llm import step_question
from hdag.decomposers.llm.prompts import LEVELS, REFINE, RELATIONS, SEGMENTS, TIERS

__all__ = ["example_questions"]

_TEXT = "First, add both.\nSo 17 + 25 = 42."
_BLOCKS = [{"level": "strategy", "text": "First, add both."}, {"level": "step", "text": "So 17 + 25 = 42."}]
_SEGMENTS = [
    {"id": "G1", "level": "goal", "text": "What is 17 + 25?"},
    {"id": "S1", "level": "strategy", "text": "First, add both."},
    {"id": "ST1", "level": "step", "text": "So 17 + 25 = 42."},
]
_PROBLEM = "the premises run in a circle: ST1 depends_on S1 depends_on ST1"


def example_questions() -> tuple[Question, ...]:
    """One question a step."""
    edges = [["ST1", "depends_on", "S1"], ["S1", "depends_on", "ST1"]]
    return (
        step_question(step=LEVELS, data={"task": "What is 17 + 25?", "text": _TEXT}),
        step_question(step=SEGMENTS, data={"blocks": _BLOCKS}),
        step_question(step=RELATIONS, data={"segments": _SEGMENTS}),
        step_question(step=TIERS, data={"segments": _SEGMENTS}),
        step_question(step=REFINE, data={"problems": [_PROBLEM], "segments": _SEGMENTS, "edges": edges}),
    )
