"""Evaluations of an iteration by a reward model at an endpoint, several of each response.

Reads Iteration; writes Evaluation, Block. The responses lie in the iteration's block until their evaluations stand, so
that a run which was cut off asks only for those that are missing.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from auditing.research.models import Evaluation, Iteration
from auditing.research.rado.reward_model import evaluate
from auditing.services.model_tier.judges.answer import NoVote
from hdag.chat.address import Origin
from hdag.services.call_book import client_for
from hdag.store import content

MOST_SAMPLES = 16
MOST_ITEMS = 5_000


class ItemsRefusedError(ValueError):
    """These responses cannot be taken in; each one that is wrong is named."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("; ".join(problems[:20]))
        self.problems = problems


@dataclass(frozen=True, slots=True)
class Item:
    """A response to a problem that is still to be evaluated; `prompt` holds both."""

    key: str
    problem: str
    prompt: str

    def as_json(self) -> dict[str, str]:
        """Values for the block."""
        return {"key": self.key, "problem": self.problem, "prompt": self.prompt}


def read_items(*, records: Iterable[Mapping[str, Any]]) -> list[Item]:
    """Records {id, problem, prompt}. Raises ItemsRefusedError naming each that is wrong."""
    items: dict[str, Item] = {}
    problems: list[str] = []
    for number, record in enumerate(records, start=1):
        fields = [str(record.get(name) or "").strip() for name in ("id", "problem", "prompt")]
        if not all(fields) or len(fields[0]) > 100 or len(fields[1]) > 120 or len(fields[2]) > 100_000:
            problems.append(f"record {number}: needs id (100 characters at most), problem (120) and prompt (100000)")
        elif fields[0] in items:
            problems.append(f"record {number}: id {fields[0]} came before")
        else:
            items[fields[0]] = Item(*fields)
        if len(problems) >= 20 or number > MOST_ITEMS:
            problems += [f"more than {MOST_ITEMS} records"] if number > MOST_ITEMS else []
            break
    if problems or not items:
        raise ItemsRefusedError(problems or ["there is no response"])
    return list(items.values())


def evaluate_missing(*, iteration: Iteration, allowed: frozenset[Origin], step: Callable[[int], None]) -> None:
    """Ask for every sample that has no row yet; `step` is told how many are done. No answer gives no row."""
    if iteration.reward_endpoint is None or iteration.items is None:
        return
    items = [Item(**fields) for fields in content.read_json(iteration.items)]
    have = set(iteration.evaluations.values_list("key", flat=True))
    wanted = [(response, sample) for response in items for sample in range(iteration.samples)]
    with client_for(row=iteration.reward_endpoint, allowed=allowed) as client:
        for number, (response, sample) in enumerate(wanted, start=1):
            key = f"{response.key}#{sample}"
            if key not in have:
                evaluation = evaluate(
                    client=client, prompt=response.prompt, sample=sample, account=f"rado:{iteration.pk}"
                )
                if not isinstance(evaluation, NoVote):
                    block = content.store_json({"prompt": response.prompt, "rationale": evaluation.rationale})
                    Evaluation.objects.create(
                        iteration=iteration,
                        key=key,
                        problem=response.problem,
                        reason=evaluation.reason,
                        answer=evaluation.answer,
                        given=block,
                    )
            step(number)
