"""A language model as entailment model: one of seven words, or yes / no, for each question of a batch."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from auditing.core.entailment import LIKERT, Query, read_likert
from hdag.chat.book import THREAD_PREFIX
from hdag.chat.client import ChatClient
from hdag.chat.fence import fenced_messages
from hdag.chat.question import Question
from hdag.chat.usage import NOTHING_SPENT, Spent

__all__ = ["ModelEntailment"]

_LABELS = {True: tuple(word.title() for word in LIKERT), False: ("YES", "NO")}
_RULES = """You decide whether a hypothesis follows from premises. Use only what the premises state and ordinary \
meaning of words and arithmetic; add no knowledge of your own about the case. A premise that is not listed does not \
hold. First sketch the derivation in `proof`, at most four sentences, or say what is missing; then give `label`, \
how likely it is that the hypothesis follows."""
_AGAIN = (
    "",
    "\nBefore you decide, name for each part of the hypothesis the premise that gives it.",
    "\nBefore you decide, look for a case in which all premises hold and the hypothesis does not.",
    "\nBefore you decide, restate the hypothesis in your own words and check each link of the derivation.",
    "\nDerive forwards from the premises as far as they carry; then see whether the hypothesis is among the results.",
    "\nWork backwards from the hypothesis to what it would need; then see whether the premises provide it.",
    "\nSuppose the hypothesis is false and see whether the premises contradict that.",
)


@dataclass
class ModelEntailment:
    """Asks an endpoint about each query; a batch goes out in parallel, as far as the endpoint allows.

    granular: seven words instead of yes / no. A question without a usable answer raises NoAnswer: a certificate must
    not rest on invented answers. `spent` sums up what was used.
    """

    client: ChatClient
    account: str
    granular: bool = True
    spent: Spent = field(default=NOTHING_SPENT)

    @property
    def name(self) -> str:
        """The endpoint and its scale."""
        return f"{self.client.endpoint.name} ({'seven words' if self.granular else 'yes or no'})"

    def entail(self, queries: Sequence[Query]) -> list[float]:
        """Probabilities in order."""
        workers = max(1, self.client.endpoint.max_concurrency)
        with ThreadPoolExecutor(workers, thread_name_prefix=THREAD_PREFIX) as pool:
            answers = list(pool.map(self._ask, queries))
        self.spent = sum((spent for _, spent in answers), self.spent)
        return [value for value, _ in answers]

    def _ask(self, query: Query) -> tuple[float, Spent]:
        data = {"premises": list(query.premises), "hypothesis": query.hypothesis}
        rules = _RULES + _AGAIN[query.wording % len(_AGAIN)]
        question = Question(
            purpose="entailment",
            messages=fenced_messages(rules=rules, data=data),
            schema=self._schema(),
            identity=("entailment 1", rules, *query.premises, "=>", query.hypothesis),
            longest_answer=600,
            sample=query.wording // len(_AGAIN),
        )
        answer = self.client.ask(question=question, account=self.account)
        label = str(answer.data["label"])
        return (read_likert(label) if self.granular else float(label == "YES")), answer.spent

    def _schema(self) -> Mapping[str, Any]:
        return {
            "type": "object",
            "additionalProperties": False,
            "required": ["proof", "label"],
            "properties": {
                "proof": {"type": "string", "maxLength": 3000},
                "label": {"enum": list(_LABELS[self.granular])},
            },
        }
