"""Groups of policy responses from a file, or sampled from a policy at an endpoint, scored by a reward model.

Reads lines that it is given; writes nothing. Source: RADO, section 3.3 and appendix A (G = 4, temperature .7).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from auditing.research.rado.core import Evaluation, Response, policy_rows
from auditing.research.rado.public_problems import as_problem
from auditing.research.rado.records import item_prompt
from auditing.research.rado.reward_model import evaluate
from auditing.services.model_tier.judges.answer import NoVote
from hdag.chat.client import ChatClient
from hdag.chat.errors import NoAnswerError
from hdag.chat.fence import fenced_question
from hdag.chat.question import Question

__all__ = ["Problem", "Scoring", "group_of", "policy_question", "read_problems", "sample_responses"]

_RULES = (
    """Solve `problem`. Write your reasoning as `thinking`, step by step, and the final answer alone as `answer`."""
)
_TEXT = {"type": "string", "minLength": 1, "maxLength": 20_000}
_PROPERTIES = {"thinking": _TEXT, "answer": {"type": "string", "minLength": 1, "maxLength": 2000}}


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem, its right answer where it is known, and the responses that came with it."""

    text: str
    gold: str = ""
    responses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scoring:
    """How responses are scored: by which reward model, how often, paid by whom; whether tags are asked for."""

    client: ChatClient
    account: str
    samples: int = 1
    needs_tags: bool = True


def read_problems(*, records: Iterable[Mapping[str, Any]]) -> list[Problem]:
    """Lines {problem, response?, responses?, gold?}, or of a public set; lines of one problem belong together.

    Raises ValueError.
    """
    texts: dict[str, list[str]] = {}
    golds: dict[str, str] = {}
    for number, line in enumerate(records, 1):
        try:
            record = as_problem(line)
        except ValueError as error:
            raise ValueError(f"record {number}: {error}") from None
        problem, single, several = record.get("problem"), record.get("response"), record.get("responses", [])
        if not isinstance(problem, str) or not problem.strip():
            raise ValueError(f"record {number}: problem is missing")
        # Both spellings of published sets: one response a line, or all of a problem in one.
        responses = [*several, *([single] if single is not None else [])]
        if not isinstance(several, list) or not all(isinstance(text, str) and text.strip() for text in responses):
            raise ValueError(f"record {number}: a response must be text that is not blank")
        texts.setdefault(problem, []).extend(responses)
        # Only one of several lines of a problem may state its answer; a later line without one takes nothing away.
        golds[problem] = str(record.get("gold") or golds.get(problem, ""))
    if not texts:
        raise ValueError("there is no problem")
    return [Problem(text, golds[text], tuple(responses)) for text, responses in texts.items()]


def sample_responses(
    *, client: ChatClient, problem: Problem, count: int, account: str, temperature: float = 0.7
) -> tuple[str, ...]:
    """The responses of a policy in tags; those that it did not give are left out."""
    responses = []
    for sample in range(count):
        question = policy_question(problem=problem.text, sample=sample, temperature=temperature)
        try:
            data = client.ask(question=question, account=account).data
        except NoAnswerError:
            continue
        responses.append(f"<think>{data['thinking']}</think><answer>{data['answer']}</answer>")
    return tuple(responses)


def policy_question(*, problem: str, sample: int = 0, temperature: float = 0.7) -> Question:
    """What a policy is asked."""
    return fenced_question(
        purpose="policy",
        rules=_RULES,
        data={"problem": problem},
        properties=_PROPERTIES,
        temperature=temperature,
        sample=sample,
        longest_answer=4096,
    )


def group_of(*, problem: Problem, responses: Sequence[str], scoring: Scoring) -> list[dict[str, Any]]:
    """The GRPO rows of one problem; a response that the reward model did not score leaves its group."""
    scored = []
    for text in responses:
        prompt = item_prompt(question=problem.text, response=text)
        verdicts = [
            evaluate(client=scoring.client, prompt=prompt, sample=n, account=scoring.account, reference=problem.gold)
            for n in range(scoring.samples)
        ]
        evaluations: list[Evaluation] = [verdict for verdict in verdicts if not isinstance(verdict, NoVote)]
        if evaluations:
            scored.append(Response(text, tuple(evaluations)))
    return policy_rows(prompt=problem.text, responses=scored, needs_tags=scoring.needs_tags)
