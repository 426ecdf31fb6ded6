"""Rewards for GRPO: format, reasoning and answer multiplied, and advantages within a group."""

from collections.abc import Sequence
from math import fsum, sqrt


def format_reward(response: str) -> int:
    """1 when the response is <think>...</think> and then <answer>...</answer>, each once, nothing else; otherwise 0.

    Source: RADO, section 3.3.

    >>> format_reward("<think>1 + 1 = 2</think> <answer>2</answer>"), format_reward("2")
    (1, 0)
    """
    text = response.strip()
    once = all(text.count(mark) == 1 for mark in ("<think>", "</think>", "<answer>", "</answer>"))
    if not once or not text.startswith("<think>") or not text.endswith("</answer>"):
        return 0
    # 8 is the length of "</think>", 7 of "<think>"; [8:-9] takes off "<answer>" and "</answer>".
    between = text[text.index("</think>") + 8 :].lstrip()
    filled = text[7 : text.index("</think>")].strip() and between[8:-9].strip()
    return int(between.startswith("<answer>") and bool(filled))


def total_reward(*, format: int, reason: int, answer: int) -> int:
    """r = r_fmt * r_rsn * r_ans, each 0 or 1. Source: RADO, equation 5. Raises ValueError for other values."""
    if not {format, reason, answer} <= {0, 1}:
        raise ValueError(f"rewards are 0 or 1, got {format}, {reason}, {answer}")
    return format * reason * answer


def group_advantages(rewards: Sequence[float]) -> tuple[float, ...]:
    """A_i = (r_i - mean) / std over one group of responses; all 0 when all rewards are equal.

    std is the population's (divisor G). The paper leaves 0 / 0 open; 0 says "nothing to learn here".
    Source: RADO, equation 3.

    >>> group_advantages([1, 0, 0, 1]), group_advantages([1, 1])
    ((1.0, -1.0, -1.0, 1.0), (0.0, 0.0))
    """
    # Equal rewards have a spread of 0: no response was better than another.
    if not rewards or min(rewards) == max(rewards):
        return (0.0,) * len(rewards)
    mean = fsum(rewards) / len(rewards)
    widest = max(abs(reward - mean) for reward in rewards)
    scaled = [(reward - mean) / widest for reward in rewards]  # so that tiny squares do not vanish
    spread = sqrt(fsum(value**2 for value in scaled) / len(rewards))
    return tuple(value / spread for value in scaled)
