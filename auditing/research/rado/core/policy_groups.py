"""GRPO rows of a policy: G responses to one problem, each scored by a reward model, with its advantage in the group.

Source: RADO, sections 3.3 and equations 3 and 5; the advantage as TRL computes it beside that of the paper.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from typing import Any

from auditing.research.rado.core.evaluations import Evaluation
from auditing.research.rado.core.rewards import format_reward, group_advantages, total_reward

__all__ = ["Response", "policy_rows", "trl_advantages"]

_TRL_EPSILON = 1e-4  # added to the spread (GRPOTrainer of TRL, scale_rewards="group")


@dataclass(frozen=True, slots=True)
class Response:
    """One response of a policy, and what the reward model said of it, several times."""

    text: str
    evaluations: tuple[Evaluation, ...]

    @property
    def reason(self) -> int:
        """1 where more than half of the evaluations found the reasoning right."""
        return _majority(evaluation.reason for evaluation in self.evaluations)

    @property
    def answer(self) -> int:
        """1 where more than half found the answer right."""
        return _majority(evaluation.answer for evaluation in self.evaluations)


def policy_rows(
    *, prompt: str, responses: Sequence[Response], needs_tags: bool = True, meta: Mapping[str, Any] | None = None
) -> list[dict[str, Any]]:
    """Rows {prompt, completion, reward, advantage, advantage_trl, scores, meta} of one group.

    needs_tags: r_fmt asks for <think> and <answer>; without, every response has the right format.

    >>> good = Response("<think>a</think><answer>1</answer>", (Evaluation(1, 1, "because"),))
    >>> bad = Response("1", (Evaluation(1, 1, "because"),))
    >>> [row["reward"] for row in policy_rows(prompt="p", responses=[good, bad])]
    [1, 0]
    """
    rewards = [
        total_reward(
            format=format_reward(response.text) if needs_tags else 1, reason=response.reason, answer=response.answer
        )
        for response in responses
    ]
    paper, trl = group_advantages(rewards), trl_advantages(rewards)
    return [
        {
            "prompt": prompt,
            "completion": response.text,
            "reward": reward,
            "advantage": by_paper,
            "advantage_trl": by_trl,
            "scores": [list(evaluation.score_class) for evaluation in response.evaluations],
            "meta": {**(meta or {}), "group": len(responses)},
        }
        for response, reward, by_paper, by_trl in zip(responses, rewards, paper, trl, strict=True)
    ]


def trl_advantages(rewards: Sequence[float]) -> tuple[float, ...]:
    """A_i = (r_i - mean) / (std + 1e-4), std with divisor G - 1, as TRL's GRPOTrainer scales a group.

    >>> trl_advantages([1, 1]), [round(a, 3) for a in trl_advantages([1, 0, 0, 1])]
    ((0.0, 0.0), [0.866, -0.866, -0.866, 0.866])
    """
    if len(rewards) < 2:
        return (0.0,) * len(rewards)
    mean = fsum(rewards) / len(rewards)
    spread = sqrt(fsum((reward - mean) ** 2 for reward in rewards) / (len(rewards) - 1))
    return tuple((reward - mean) / (spread + _TRL_EPSILON) for reward in rewards)


def _majority(scores: Iterable[int]) -> int:
    values = list(scores)
    return int(2 * sum(values) > len(values))
