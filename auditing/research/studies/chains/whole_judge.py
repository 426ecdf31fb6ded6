"""LLM-Judge: a model reads a whole chain at once and gives every derived claim one of seven words.

Source: ARES, section 4 (one prompt with the base claims and the derived claims). The wording is ours.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from auditing.core.soundness.claims import Chain
from auditing.core.soundness.entailment import LIKERT, EntailmentModel, Query, read_likert
from auditing.research.studies.instruments.baselines import in_view
from hdag.chat.client import ChatClient
from hdag.chat.fence import fenced_question
from hdag.chat.question import Question, closed_object, one_of

__all__ = ["CountedChains", "WholeChains", "whole_chain_question"]

_RULES = """You read a chain of claims. Everything in `given` holds. Each entry of `claims` was derived in its turn. \
Use only what is given, ordinary meaning of words and arithmetic. Go through `claims` in order; for each give \
`reason`, one sentence on what it rests on or what is missing, and `label`, how likely it is that the claim is right \
here."""


@dataclass(frozen=True, slots=True)
class WholeChains:
    """An entailment model that is asked about a whole chain in one question to `client`."""

    model: EntailmentModel
    client: ChatClient
    account: str

    @property
    def name(self) -> str:
        """The model's name."""
        return self.model.name

    def entail(self, queries: Sequence[Query]) -> Sequence[float]:
        """The model's answers, question by question."""
        return self.model.entail(queries)

    def judge_chain(self, chain: Chain) -> list[float]:
        """How likely each derived claim is right. Raises NoAnswerError."""
        # Not asked again in other words: the method is one look, with whatever it misses.
        answer = self.client.ask(question=whole_chain_question(chain=chain), account=self.account)
        return [read_likert(str(word["label"])) for word in answer.data["words"]]


@dataclass
class CountedChains:
    """Counts the questions that reach a simulated model; a whole chain is one, answered as its claims would be."""

    model: EntailmentModel
    calls: int = 0

    @property
    def name(self) -> str:
        """The model's name."""
        return self.model.name

    def entail(self, queries: Sequence[Query]) -> Sequence[float]:
        """The model's answers."""
        self.calls += len(queries)
        return self.model.entail(queries)

    def judge_chain(self, chain: Chain) -> Sequence[float]:
        """Each claim beside all others."""
        self.calls += 1
        return self.model.entail(in_view(chain))


def whole_chain_question(*, chain: Chain) -> Question:
    """What is asked about one chain: a word for each derived claim, in order."""
    size = len(chain.derived)
    words = closed_object({"reason": {"type": "string", "maxLength": 600}, "label": one_of(*map(str.title, LIKERT))})
    return fenced_question(
        purpose="whole_chain",
        rules=_RULES,
        data={"given": [claim.text for claim in chain.base], "claims": [claim.text for claim in chain.derived]},
        properties={"words": {"type": "array", "minItems": size, "maxItems": size, "items": words}},
        # A reason and a label a claim; a server would cut a long chain's answer at a fixed length.
        longest_answer=min(8000, 200 + 120 * size),
    )
