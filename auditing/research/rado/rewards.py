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
    found: dict[str, Item] = {}
    problems: list[str] = []
    for number, record in enumerate(records, start=1):
        given = [str(record.get(name) or "").strip() for name in ("id", "problem", "prompt")]
        if not all(given) or len(given[0]) > 100 or len(given[1]) > 120 or len(given[2]) > 100_000:
            problems.append(f"record {number}: needs id (100 characters at most), problem (120) and prompt (100000)")
        elif given[0] in found:
            problems.append(f"record {number}: id {given[0]} came before")
        else:
            found[given[0]] = Item(*given)
        if len(problems) >= 20 or number > MOST_ITEMS:
            problems += [f"more than {MOST_ITEMS} records"] if number > MOST_ITEMS else []
            break
    if problems or not found:
        raise ItemsRefusedError(problems or ["there is no response"])
    return list(found.values())


def evaluate_missing(*, iteration: Iteration, allowed: frozenset[Origin], step: Callable[[int], None]) -> None:
    """Ask for every sample that has no row yet; `step` is told how many are done. No answer gives no row."""
    if iteration.reward_endpoint is None or iteration.items is None:
        return
    items = [Item(**said) for said in content.read_json(iteration.items)]
    have = set(iteration.evaluations.values_list("key", flat=True))
    wanted = [(item, sample) for item in items for sample in range(iteration.samples)]
    with client_for(row=iteration.reward_endpoint, allowed=allowed) as client:
        for place, (item, sample) in enumerate(wanted, start=1):
            key = f"{item.key}#{sample}"
            if key not in have:
                found = evaluate(client=client, prompt=item.prompt, sample=sample, account=f"rado:{iteration.pk}")
                if not isinstance(found, NoVote):
                    given = content.store_json({"prompt": item.prompt, "rationale": found.rationale})
                    Evaluation.objects.create(
                        iteration=iteration,
                        key=key,
                        problem=item.problem,
                        reason=found.reason,
                        answer=found.answer,
                        given=given,
                    )
            step(place)
