"""Every question that this product asks a model, about small examples: what an endpoint is tried with.

Reads and writes no table.
"""

from auditing.core.soundness.entailment import Query
from auditing.services.model_tier.judges.audit_model import AUDIT_TASK
from auditing.services.model_tier.judges.conversation import opening_question
from auditing.services.model_tier.judges.entailment import entailment_question
from auditing.services.model_tier.judges.judge import judge_question
from auditing.services.model_tier.judges.shown import Dependency, ShownContext
from auditing.services.model_tier.judges.tools import Toolbox
from auditing.services.model_tier.question_sources import SOURCES
from hdag.chat.question import Question
from hdag.decomposers.llm import examples as decomposition

__all__ = ["example_questions"]

_SHOWN = ShownContext(
    context="Anna has 17 pens and buys 25 more. How many has she now?",
    reasoning="So she has 17 + 25 = 42 pens.",
    dependencies=(Dependency("ST1", "She buys 25 pens.", "passed"),),
    implications=("The answer is 42.",),
)


def judge_examples() -> tuple[Question, ...]:
    """A judge's question, the first turn of an audit with tools, an entailment on both scales."""
    query = Query((_SHOWN.context,), "She has more than 17 pens.")
    piece = {**_SHOWN.untrusted, "piece": _SHOWN.reasoning}
    del piece["reasoning"]
    return (
        judge_question(shown=_SHOWN),
        opening_question(task=AUDIT_TASK, toolbox=Toolbox(), data=piece),
        entailment_question(query=query, granular=True),
        entailment_question(query=query, granular=False),
    )


def example_questions() -> tuple[Question, ...]:
    """All of them, in the order of their rooms; those above the corridor come last."""
    sources = (judge_examples, decomposition.example_questions, *SOURCES)
    return tuple(question for source in sources for question in source())
