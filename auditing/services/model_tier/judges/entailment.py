"""A language model as an entailment model: how likely a hypothesis follows from premises; also as the vote of a seat.

The answer is one of seven words (a Likert scale) or yes / no, with its odds where the server gives them. Reads and
writes no table.
"""

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from auditing.core.soundness.entailment import LIKERT, Query, read_likert, vote_of
from auditing.core.values import Choice
from auditing.core.voting.rationale import Criterion, ErrorType, Mark
from auditing.services.model_tier.judges.answer import JudgeAnswer, NoVote
from auditing.services.model_tier.judges.injection import find_signs
from auditing.services.model_tier.judges.shown import ShownContext
from hdag.chat.book import THREAD_PREFIX
from hdag.chat.client import ChatClient
from hdag.chat.endpoint import MaySee
from hdag.chat.errors import NoAnswerError
from hdag.chat.fence import fenced_messages
from hdag.chat.question import Answer, Question, closed_object, one_of
from hdag.chat.usage import NOTHING_SPENT, Spent

__all__ = ["AnswerTally", "ModelEntailment", "ask_entailment", "entailment_question"]

_LABELS = {True: tuple(word.title() for word in LIKERT), False: ("YES", "NO")}
_RULES = """You decide whether a hypothesis follows from premises. Use only what the premises state and ordinary \
meaning of words and arithmetic; add no knowledge of your own about the case. A premise that is not listed does not \
hold. First sketch the derivation in `proof`, at most four sentences, or say what is missing; then give `label`, \
how likely it is that the hypothesis follows."""
# Ways to ask the same question again: answers that differ between them are averaged.
_AGAIN = (
    "",
    "\nBefore you decide, name for each part of the hypothesis the premise that gives it.",
    "\nBefore you decide, look for a case in which all premises hold and the hypothesis does not.",
    "\nBefore you decide, restate the hypothesis in your own words and check each link of the derivation.",
    "\nDerive forwards from the premises as far as they carry; then see whether the hypothesis is among the results.",
    "\nWork backwards from the hypothesis to what it would need; then see whether the premises provide it.",
    "\nSuppose the hypothesis is false and see whether the premises contradict that.",
)


def ask_entailment(*, client: ChatClient, shown: ShownContext, account: str, sample: int = 0) -> JudgeAnswer | NoVote:
    """A seat's vote as an entailment: does the segment follow from the task and the premises that are shown with it?

    sample asks in other words. Signs of injection are reported as by a judge; there are no quotes, the proof is the
    reason.
    """
    signs = find_signs(shown.text)
    if shown.scope is MaySee.TRACES and client.endpoint.may_see is not MaySee.TRACES:
        return NoVote(f"{client.endpoint.name} may see segments only", "may_not_see", NOTHING_SPENT, signs)
    # The task is a premise like the others.
    premises = (shown.context, *(premise.text for premise in shown.dependencies))
    model = ModelEntailment(client, account, granular=not client.endpoint.gives_logprobs)
    query = Query(premises, shown.reasoning, wording=sample)
    try:
        answer = client.ask(question=model.question(query), account=account)
    except NoAnswerError as error:
        return NoVote(error.reason, error.failure, error.spent, signs)
    vote, confidence = vote_of(model.read(answer))
    holds = {Choice.PASS: Mark.YES, Choice.FAIL: Mark.NO}.get(vote, Mark.NOT_APPLICABLE)
    return JudgeAnswer(
        vote=vote,
        criteria={Criterion.LOGIC: holds},
        error_type=ErrorType.INVALID_DERIVATION if vote is Choice.FAIL else None,
        is_propagated=False,
        reason=f"{answer.data['label']} that it follows. {answer.data['proof']}".strip(),
        quotes=(),
        confidence=confidence,
        spent=answer.spent,
        signs=signs,
        model=answer.model or client.endpoint.model,
        family=client.endpoint.family,
        from_cache=answer.from_cache,
        corrections=answer.corrections,
    )


@dataclass
class AnswerTally:
    """Of all endpoints of a run: calls that were answered, and why others were not."""

    answered: int = 0
    failures: list[str] = field(default_factory=list)


@dataclass
class ModelEntailment:
    """Asks an endpoint about each query; a batch goes out in parallel, as far as the endpoint allows.

    granular: seven words instead of yes / no; a yes or no has its probability where the server gives log-probabilities,
    else it is 1 or 0. A question without a usable answer raises NoAnswerError: a certificate
    must not rest on invented answers. With a tally it is nan, and the tally has the reason. `spent` sums up what was
    used.
    """

    client: ChatClient
    account: str
    granular: bool = True
    tally: AnswerTally | None = None
    spent: Spent = field(default=NOTHING_SPENT)

    @property
    def name(self) -> str:
        """The endpoint and its scale."""
        scale = (
            "seven words" if self.granular else "odds of yes" if self.client.endpoint.gives_logprobs else "yes or no"
        )
        return f"{self.client.endpoint.name} ({scale})"

    def entail(self, queries: Sequence[Query]) -> list[float]:
        """Probabilities in order."""
        # Calls wait for a server, not for a processor: threads are enough.
        workers = max(1, self.client.endpoint.max_concurrency)
        with ThreadPoolExecutor(workers, thread_name_prefix=THREAD_PREFIX) as pool:
            answers = list(pool.map(self._ask, queries))
        self.spent = sum((spent for _, spent in answers), self.spent)
        return [value for value, _ in answers]

    def _ask(self, query: Query) -> tuple[float, Spent]:
        try:
            answer = self.client.ask(question=self.question(query), account=self.account)
        except NoAnswerError as error:
            if self.tally is None:
                raise
            self.tally.failures.append(str(error))
            return math.nan, error.spent
        if self.tally is not None:
            self.tally.answered += 1
        return self.read(answer), answer.spent

    def read(self, answer: Answer) -> float:
        """The probability that an answer's label stands for."""
        label = str(answer.data["label"])
        if not self.granular and answer.odds:
            return float(answer.odds["YES"])
        return read_likert(label) if self.granular else float(label == "YES")

    def question(self, query: Query) -> Question:
        """What is asked about one query."""
        return entailment_question(query=query, granular=self.granular)


def entailment_question(*, query: Query, granular: bool) -> Question:
    """What is asked about one query, in seven words or in two."""
    data = {"premises": list(query.premises), "hypothesis": query.hypothesis}
    again = _AGAIN[query.wording % len(_AGAIN)]
    # Claims of one trace share its first premise, a sentence of the problem; other words come last.
    about = query.premises[0] if query.premises else ""
    return Question(
        purpose="entailment",
        messages=fenced_messages(rules=_RULES, data=data, about=about, ask=again.strip()),
        schema=closed_object({"proof": {"type": "string", "maxLength": 3000}, "label": one_of(*_LABELS[granular])}),
        # The cache key: wording and premises in order.
        identity=("entailment 1", _RULES + again, *query.premises, "=>", query.hypothesis),
        longest_answer=600,
        sample=query.wording // len(_AGAIN),
        weighs="" if granular else "label",
    )
