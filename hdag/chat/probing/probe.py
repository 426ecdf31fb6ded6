"""Probing an endpoint: every question of the product once in each answer mode; what works, and the best of it.

1. On what terms does the server answer at all? A small question in words goes out as the endpoint is set; where that
   is refused, with the fewest fields that are accepted, to which one field after the other is added again. Error
   messages are not read for it: their forms differ too much.
2. Each mode is asked every question. The mode that answers most wins, the stricter one where two answer as many.
3. What was seen beside: whether the model thinks before it answers, under which name it answers, and whether it gives
   the odds of its words.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

from hdag.chat.book import THREAD_PREFIX
from hdag.chat.client import ChatClient
from hdag.chat.dialects import ANY_NAME, LIMIT_FIELDS, NO_LIMIT, RESPONSES_LIMIT
from hdag.chat.endpoint import AnswerMode, EndpointSettings
from hdag.chat.errors import TRANSIENT, Failure, NoAnswerError
from hdag.chat.probing.trial import LONG_QUESTION, SMALL_QUESTION, WEIGHED_QUESTION
from hdag.chat.question import Answer, Question
from hdag.chat.replies.reply import is_same_model
from hdag.chat.request import answer_limit
from hdag.chat.retries import Circuit
from hdag.chat.usage import NOTHING_SPENT, Spent

__all__ = ["Asked", "ModeReport", "ProbeReport", "probe"]

ACCOUNT = "probe"
LONGEST_ANSWER = 8_000  # tokens of the longest answer that the product asks for
_LIMITS = (16_000, 8_000, 4_000, 2_000)  # tokens that servers write at most, where they refuse more
_TRIES = 3  # after a first one: a server that asks to wait now and then is not one that refuses a mode
_ROOM = 8_000  # tokens of thinking that a model is given which was seen to think
_PATIENCE = Circuit(rest_seconds=0.0)  # a server that refuses ten questions in a row is what a probe is for
# The request itself is refused, or the server breaks over it: other terms may do.
_REFUSED = frozenset({Failure.REJECTED, Failure.SERVER_ERROR, Failure.GARBAGE})

ClientOf = Callable[[EndpointSettings], ChatClient]


@dataclass(frozen=True, slots=True)
class Asked:
    """One question in one mode; `failure` is empty where it was answered in the form that was asked for."""

    purpose: str
    failure: str = ""
    reason: str = ""
    corrections: int = 0
    is_sound: bool = True  # it also keeps the rules that no schema can express
    model: str = ""
    thinks: bool = False
    gives_odds: bool = False
    spent: Spent = NOTHING_SPENT


@dataclass(frozen=True, slots=True)
class ModeReport:
    """One answer mode, question by question."""

    mode: AnswerMode
    questions: tuple[Asked, ...]

    @property
    def answered(self) -> int:
        """How many questions were answered."""
        return sum(not asked.failure for asked in self.questions)

    @property
    def works(self) -> bool:
        """Whether all were."""
        return self.answered == len(self.questions)


@dataclass(frozen=True, slots=True)
class ProbeReport:
    """What a probe found; `best` is the endpoint as it should be asked, None where nothing was answered."""

    modes: tuple[ModeReport, ...]
    best: EndpointSettings | None
    reason: str = ""  # why nothing was asked, where the server refuses even a small question
    spent: Spent = NOTHING_SPENT

    def as_json(self) -> dict[str, Any]:
        """Values to keep with the endpoint's row."""
        return {
            "reason": self.reason,
            "modes": {
                report.mode.value: {
                    "asked": len(report.questions),
                    "answered": report.answered,
                    "failed": {asked.purpose: asked.reason for asked in report.questions if asked.failure},
                }
                for report in self.modes
            },
        }


def probe(*, endpoint: EndpointSettings, client_of: ClientOf, questions: Sequence[Question]) -> ProbeReport:
    """Ask everything once in each mode; never raises NoAnswerError."""
    patient = replace(endpoint, retries=_TRIES, circuit=_PATIENCE, answers_as=ANY_NAME)
    patient = replace(patient, gives_logprobs=False)  # tried at the end, by a question that wants them
    patient = replace(patient, thinking_tokens=max(patient.thinking_tokens, _ROOM // 2))
    terms, small = _find_terms(patient, client_of)
    if terms is None:
        return ProbeReport((), None, small.reason, small.spent)
    terms = _with_context(terms, client_of)
    reports = tuple(_ask_all(replace(terms, answer_mode=mode), client_of, questions) for mode in AnswerMode)
    asked = [small, *(question for report in reports for question in report.questions)]
    spent = sum((question.spent for question in asked), NOTHING_SPENT)
    # max keeps the first of equals: modes stand in the order of their strictness.
    best = max(reports, key=lambda report: report.answered)
    if not best.answered:
        return ProbeReport(reports, None, best.questions[0].reason if best.questions else "", spent)
    settled = _settled(endpoint, terms, best, asked)
    weighed = replace(settled, gives_logprobs=True)
    with client_of(replace(weighed, retries=_TRIES, circuit=_PATIENCE)) as client:
        odds = _ask(client, WEIGHED_QUESTION)
    settled = weighed if odds.gives_odds else settled
    return ProbeReport(reports, settled, spent=spent + odds.spent)


def _find_terms(endpoint: EndpointSettings, client_of: ClientOf) -> tuple[EndpointSettings | None, Asked]:
    """The endpoint on terms that the server accepts, asked in words; None with the refusal where there are none."""
    own = replace(endpoint, answer_mode=AnswerMode.TEXT)
    first = _ask_small(own, client_of)
    if first.failure not in _REFUSED:
        return (None, first) if _is_hopeless(first) else (own, first)
    accepted = next((terms for terms in _bare_terms(own) if _accepts(terms, client_of)), None)
    if accepted is None:
        return None, first
    # One field after the other, each kept in the first form that the server still answers.
    for forms in _additions(own, accepted):
        richer = (replace(accepted, **form) for form in forms)
        accepted = next((terms for terms in richer if terms == accepted or _accepts(terms, client_of)), accepted)
    return accepted, first


def _with_context(terms: EndpointSettings, client_of: ClientOf) -> EndpointSettings:
    """The terms with a smaller context where the server refuses a longer question with as long an answer.

    A limit that is accepted beside a few words may be refused beside a real question: the context holds both.
    """
    if _accepts(terms, client_of, LONG_QUESTION):
        return terms
    limit = answer_limit(endpoint=terms, question=replace(SMALL_QUESTION, longest_answer=LONGEST_ANSWER))
    return replace(terms, context_tokens=min(terms.context_tokens, limit))


def _bare_terms(own: EndpointSettings) -> Iterator[EndpointSettings]:
    """The fewest fields first: none at all, a limit under either name, no system message; then the Responses API."""
    bare = replace(own, sends_temperature=False, limit_field=NO_LIMIT, reasoning_effort="", extra_body={})
    for takes_system in (True, False):
        for limit in (NO_LIMIT, *LIMIT_FIELDS[:2]):
            yield replace(bare, limit_field=limit, takes_system=takes_system, most_tokens=_LIMITS[-1])
    # Some models answer at the other door only.
    yield replace(bare, limit_field=RESPONSES_LIMIT, most_tokens=_LIMITS[-1])


def _additions(own: EndpointSettings, bare: EndpointSettings) -> Iterator[list[dict[str, Any]]]:
    """Fields to add to a bare request that was accepted, each with the forms to try in turn."""
    names = dict.fromkeys(name for name in (own.limit_field, *LIMIT_FIELDS) if name in LIMIT_FIELDS[:2])
    if bare.limit_field == RESPONSES_LIMIT:
        names = dict.fromkeys([RESPONSES_LIMIT])
    # A limit above what the server can write is refused as well. The own name in every size first: a name that a server
    # does not know it may also ignore, and then nothing limits an answer.
    sizes = dict.fromkeys((own.most_tokens, *_LIMITS))
    yield [{"limit_field": name, "most_tokens": size} for name in names for size in sizes]
    yield [{"sends_temperature": own.sends_temperature}]
    yield [{"reasoning_effort": own.reasoning_effort}]
    yield [{"extra_body": own.extra_body}]


def _accepts(terms: EndpointSettings, client_of: ClientOf, question: Question = SMALL_QUESTION) -> bool:
    """Whether the server takes a request on these terms, whatever it answers."""
    asked = _ask_small(terms, client_of, question)
    return asked.failure not in _REFUSED and not _is_hopeless(asked)


def _is_hopeless(asked: Asked) -> bool:
    """Whether no answer came for a reason that other terms cannot mend."""
    return asked.failure not in ("", Failure.INVALID_ANSWER, Failure.FILTERED)


def _ask_small(terms: EndpointSettings, client_of: ClientOf, question: Question = SMALL_QUESTION) -> Asked:
    """The small question with the limit of the longest one: what is refused for that is found here."""
    with client_of(terms) as client:
        return _ask(client, replace(question, longest_answer=LONGEST_ANSWER))


def _ask_all(endpoint: EndpointSettings, client_of: ClientOf, questions: Sequence[Question]) -> ModeReport:
    """Every question once, as many at a time as the endpoint allows."""
    with client_of(endpoint) as client:
        first = _ask(client, questions[0])
        # A server that breaks or is silent in this mode would be waited for at every question.
        if first.failure in TRANSIENT:
            missing = [Asked(question.purpose, first.failure, "not asked") for question in questions[1:]]
            return ModeReport(endpoint.answer_mode, (first, *missing))
        with ThreadPoolExecutor(endpoint.max_concurrency, thread_name_prefix=THREAD_PREFIX) as pool:
            others = list(pool.map(lambda question: _ask(client, question), questions[1:]))
    return ModeReport(endpoint.answer_mode, (first, *others))


def _ask(client: ChatClient, question: Question) -> Asked:
    """One question; its form is what is tried, so rules about its content are looked at afterwards."""
    client.adapts = False
    try:
        answer: Answer = client.ask(question=replace(question, check=None), account=ACCOUNT)
    except NoAnswerError as error:
        return Asked(question.purpose, error.failure, error.reason, spent=error.spent)
    is_sound = not (question.check and question.check(answer.data))
    return Asked(
        purpose=question.purpose,
        corrections=answer.corrections,
        is_sound=is_sound,
        model=answer.model,
        thinks=answer.thinks,
        gives_odds=bool(answer.odds),
        spent=answer.spent,
    )


def _settled(
    endpoint: EndpointSettings, terms: EndpointSettings, best: ModeReport, asked: Sequence[Asked]
) -> EndpointSettings:
    """The endpoint as it is asked from now on: terms and mode that work, room to think, the name that answers."""
    thinks = any(question.thinks for question in asked)
    names = {question.model for question in asked if question.model}
    others = sorted(name for name in names if not is_same_model(asked=endpoint.model, named=name))
    answers_as = endpoint.answers_as if not others else others[0] if len(others) == 1 else ANY_NAME
    return replace(
        terms,
        answer_mode=best.mode,
        thinking_tokens=max(endpoint.thinking_tokens, _ROOM) if thinks else endpoint.thinking_tokens,
        answers_as=answers_as,
        retries=endpoint.retries,
        circuit=endpoint.circuit,
    )
