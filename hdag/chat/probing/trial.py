"""Trying an endpoint: does it answer, in which modes, does it count tokens, how long does it take?"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from hdag.chat.client import ChatClient
from hdag.chat.endpoint import AnswerMode, EndpointSettings
from hdag.chat.errors import Failure, NoAnswerError
from hdag.chat.question import Message, Question, closed_object, one_of

__all__ = ["LONG_QUESTION", "SMALL_QUESTION", "WEIGHED_QUESTION", "EndpointTrial", "try_modes"]

SMALL_QUESTION = Question(
    purpose="probe",
    # With a system message, as every real question has: some chat templates refuse one.
    messages=(
        Message("system", "You answer in JSON."),
        Message("user", "Which number is 6 times 7? Answer in JSON with the field `number`."),
    ),
    schema=closed_object({"number": {"type": "integer"}}),
    longest_answer=50,
)

# As long as a real question about a long segment: some 3,000 tokens.
LONG_QUESTION = replace(
    SMALL_QUESTION,
    messages=(
        *SMALL_QUESTION.messages[:1],
        Message("user", f"{SMALL_QUESTION.messages[1].content}\n{'and so on ' * 1200}"),
    ),
)
# Whether a server gives the odds of its words.
WEIGHED_QUESTION = Question(
    purpose="odds",
    messages=(Message("user", "Is 6 times 7 more than 40? Answer in JSON with the field `label`, YES or NO."),),
    schema=closed_object({"label": one_of("YES", "NO")}),
    longest_answer=50,
    weighs="label",
)


@dataclass(frozen=True, slots=True)
class EndpointTrial:
    """One mode that was tried; `works` False comes with the reason."""

    mode: AnswerMode
    works: bool
    sentence: str


def try_modes(
    *, endpoint: EndpointSettings, client_of: Callable[[EndpointSettings], ChatClient]
) -> tuple[EndpointTrial, ...]:
    """Ask one small question in each answer mode. Costs at most three answers; never raises NoAnswerError."""
    trials = []
    for mode in AnswerMode:
        # No retries: the trial shall show what the server does, not what patience makes of it.
        with client_of(replace(endpoint, answer_mode=mode, retries=0)) as client:
            client.adapts = False
            trials.append(_try(client, mode))
    return tuple(trials)


def _try(client: ChatClient, mode: AnswerMode) -> EndpointTrial:
    """Ask once in one mode and say in a sentence what came of it."""
    try:
        answer = client.ask(question=SMALL_QUESTION, account="check_endpoint")
    except NoAnswerError as error:
        return EndpointTrial(mode, False, said_of_failure(error.failure, error.reason))
    spent, usage = answer.spent, answer.spent.usage
    right = "right" if answer.data["number"] == 42 else "wrong"
    report = (
        f"{right} answer by {answer.model or 'an unnamed model'} in {spent.seconds:.2f} s, "
        f"{answer.corrections} corrections, {usage.tokens_in} + {usage.tokens_out} tokens, "
        f"{spent.bytes_sent} bytes sent, cost {spent.cost:f}"
    )
    return EndpointTrial(mode, True, report)


# A reason is written for the model, which is asked once more with it: what a person reads names the model instead.
_TO_PEOPLE = {
    "you declined to answer": "the model declined to answer",
    "you called a tool, but there is none; answer in JSON": "the model called a tool, though there is none",
    "the answer was cut off at the token limit; be shorter": "the answer was cut off at the token limit",
}


def said_of_failure(failure: Failure, reason: str) -> str:
    """Why there is no answer, as an admin reads it.

    >>> said_of_failure(Failure.INVALID_ANSWER, "you declined to answer; the answer was empty")
    'The model declined to answer; the answer was empty (invalid answer).'
    """
    for to_model, to_people in _TO_PEOPLE.items():
        reason = reason.replace(to_model, to_people)
    return f"{reason[:1].upper()}{reason[1:].rstrip('.')} ({failure.value.replace('_', ' ')})."
