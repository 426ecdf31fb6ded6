"""The questions that research asks models, about small examples: an endpoint is tried with them as well."""

from auditing.core.soundness.claims import BaseClaim, Chain, DerivedClaim
from auditing.research.causal.core import InterventionKind
from auditing.research.causal.reruns.agent import RUN_ON_TASK
from auditing.research.causal.reruns.critic import change_question, likeness_question
from auditing.research.rado.core import Evaluation
from auditing.research.rado.policy_sampling import policy_question
from auditing.research.rado.proof_judges import proof_question
from auditing.research.rado.reward_model import reward_question
from auditing.research.studies.attribution import attribution_question
from auditing.research.studies.chains.whole_judge import whole_chain_question
from auditing.research.studies.instruments import dag_model
from auditing.research.studies.steps.critique import critique_question
from auditing.research.studies.steps.reasons import grade_question
from auditing.research.studies.steps.tool_audits import Case, plain_audit_question
from auditing.services.model_tier.judges.conversation import opening_question
from auditing.services.model_tier.judges.tools import Toolbox
from hdag.chat.question import Question
from hdag.core.values import StepSpan, Trace

__all__ = ["research_examples"]

_PROBLEM, _THOUGHT = "What is 3 + 5?", "3 + 5 = 8, so it is 8."
_CRITICISED = Trace(problem=_PROBLEM, thinking=_THOUGHT, steps=(StepSpan(0, 0, len(_THOUGHT)),))
_CHAIN = Chain((BaseClaim("F1", "There are 3 pens and 5 pens."),), (DerivedClaim("S1", _THOUGHT),))
_TURNS = [{"turn": 0, "agent": "planner", "text": "Add them."}, {"turn": 1, "agent": "solver", "text": "So it is 9."}]


def research_examples() -> tuple[Question, ...]:
    """A rerun's first turn, changes, likeness, reward, policy, critiques, scores, audits, chains, DAG-MATH's."""
    return (
        opening_question(task=RUN_ON_TASK, toolbox=Toolbox(), data={"problem": _PROBLEM, "so_far": [_THOUGHT]}),
        change_question(problem=_PROBLEM, thought=_THOUGHT, kind=InterventionKind.FACT_REVERSAL),
        likeness_question(problem=_PROBLEM, first="8", second="eight"),
        reward_question(prompt=f"{_PROBLEM}\n\n{_THOUGHT}"),
        policy_question(problem=_PROBLEM),
        critique_question(trace=_CRITICISED),
        grade_question(problem=_PROBLEM, step="3 + 5 = 9", reference="The sum is 8.", reason="3 + 5 is not 9."),
        proof_question(problem=_PROBLEM, response=_THOUGHT),
        plain_audit_question(case=Case(_PROBLEM, _THOUGHT, Evaluation(1, 1, "The sum is right."), True)),
        whole_chain_question(chain=_CHAIN),
        attribution_question(task=_PROBLEM, turns=_TURNS),
        *dag_model.example_questions(),
    )
