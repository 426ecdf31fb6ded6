"""Evaluations of an iteration by a reward model at an endpoint, several of each response.

Reads Iteration; writes Evaluation, Block. The responses lie in the iteration's block until their evaluations stand, so
that a run which was cut off asks only for those that are missing.
"""

from collections.abc import Callable

from auditing.research.models import Evaluation, Iteration
from auditing.research.rado.records import Item
from auditing.research.rado.reward_model import evaluate
from auditing.services.model_tier.judges.answer import NoVote
from hdag.chat.address import Origin
from hdag.services.call_book import client_for
from hdag.store import content

MOST_SAMPLES = 16


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
            # The number of the sample is part of the key, so that a repeated run asks for the missing ones only.
            if key not in have:
                evaluation = evaluate(
                    client=client,
                    prompt=response.prompt,
                    sample=sample,
                    account=f"rado:{iteration.pk}",
                    reference=response.reference,
                )
                # Without an answer there is no row; the next run of the iteration asks again.
                if not isinstance(evaluation, NoVote):
                    # The reference answer is the reward model's alone: an audit that sees it learns to repeat it.
                    texts = {"prompt": response.prompt, "question": response.question, "response": response.response}
                    block = content.store_json(texts | {"rationale": evaluation.rationale})
                    Evaluation.objects.create(
                        iteration=iteration,
                        key=key,
                        problem=response.problem,
                        reason=evaluation.reason,
                        answer=evaluation.answer,
                        given=block,
                    )
            step(number)
