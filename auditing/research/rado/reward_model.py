"""A reward model at an endpoint: scores of the reasoning and of the answer (0 or 1), and why.

Source: RADO, section 3.1; sampled at temperature .5, several times a response.
"""

from auditing.research.rado.core.evaluations import Evaluation
from auditing.services.model_tier.judges.answer import NoVote
from hdag.chat.client import ChatClient
from hdag.chat.endpoint import MaySee
from hdag.chat.errors import NoAnswerError
from hdag.chat.fence import fenced_question
from hdag.chat.question import Question
from hdag.chat.usage import NOTHING_SPENT

__all__ = ["evaluate", "reward_question"]

# The rationale comes first, so that the scores follow from it and not the reverse.
_RULES = """You judge a response to a problem; both stand in `item`. `reason` is 1 if its reasoning holds from the \
first step to the last, otherwise 0; `answer` is 1 if its final answer is right, otherwise 0. Give the `rationale` \
first: name the first step that fails, if one does, and why, in at most ten sentences and at least one hundred \
characters."""
_REFERENCE = """`reference_answer` is the right final answer: a response with another one is wrong, and one that \
reaches it by a wrong path has a wrong reasoning."""
_SCORE = {"type": "integer", "minimum": 0, "maximum": 1}
_PROPERTIES = {"rationale": {"type": "string", "minLength": 1, "maxLength": 8000}, "reason": _SCORE, "answer": _SCORE}


def evaluate(*, client: ChatClient, prompt: str, sample: int, account: str, reference: str = "") -> Evaluation | NoVote:
    """One evaluation of the response in `prompt`; `sample` from 0 tells repeated ones apart.

    reference: the right final answer, where it is known.
    """
    if client.endpoint.may_see is not MaySee.TRACES:
        return NoVote(f"{client.endpoint.name} may see segments only", "may_not_see", NOTHING_SPENT)
    try:
        answer = client.ask(
            question=reward_question(prompt=prompt, sample=sample, reference=reference), account=account
        ).data
    except NoAnswerError as error:
        return NoVote(error.reason, error.failure, error.spent)
    return Evaluation(int(answer["reason"]), int(answer["answer"]), answer["rationale"].strip())


def reward_question(*, prompt: str, sample: int = 0, reference: str = "") -> Question:
    """What a reward model is asked about the response in `prompt`."""
    data = {"item": prompt} | ({"reference_answer": reference} if reference else {})
    rules = f"{_RULES} {_REFERENCE}" if reference else _RULES
    return fenced_question(
        purpose="reward", rules=rules, data=data, properties=_PROPERTIES, temperature=0.5, sample=sample
    )
