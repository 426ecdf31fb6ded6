"""The columns that TRL documents for its trainers, and the check that a row has them.

Source: huggingface.co/docs/trl/dataset_formats (preference, language modeling, prompt-only).
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any


class Task(StrEnum):
    """A trainer of TRL."""

    DPO = "dpo"
    SFT = "sft"
    GRPO = "grpo"  # of the audit model
    POLICY = "policy"  # GRPO of the policy: its responses, scored by the reward model
    REWARD = "reward"  # SFT of the reward model


class ColumnsRefusedError(ValueError):
    """This row is not what the trainer reads."""


_COLUMNS = {
    Task.DPO: ("prompt", "chosen", "rejected"),
    Task.SFT: ("messages",),
    Task.GRPO: ("prompt",),
    Task.POLICY: ("prompt", "completion"),
    Task.REWARD: ("messages",),
}
_ROLES = ("system", "user", "assistant", "tool")


def check_row(*, row: Mapping[str, Any], task: Task) -> None:
    """Raises ColumnsRefusedError naming the first column that is missing, empty or of another kind than it may be.

    A column is text, or a list of messages {role, content}; all columns of a row are of one kind. SFT needs messages
    that end with the assistant.
    """
    # "text" or "messages"; TRL takes either, but not both in one row.
    kinds = {column: _kind(row, column) for column in _COLUMNS[task]}
    if len(set(kinds.values())) > 1:
        raise ColumnsRefusedError(f"columns mix text and messages: {kinds}")
    if task in (Task.SFT, Task.REWARD) and (
        kinds["messages"] != "messages" or row["messages"][-1]["role"] != "assistant"
    ):
        raise ColumnsRefusedError("messages must be a list that ends with the assistant")
    if task is Task.DPO and row["chosen"] == row["rejected"]:
        raise ColumnsRefusedError("chosen and rejected are equal")


def _kind(row: Mapping[str, Any], column: str) -> str:
    value = row.get(column)
    if isinstance(value, str) and value.strip():
        return "text"
    if isinstance(value, list) and value:
        for number, message in enumerate(value):
            _check_message(message, f"{column}[{number}]")
        return "messages"
    raise ColumnsRefusedError(f"column {column} is missing, empty or neither text nor messages")


def _check_message(message: Any, where: str) -> None:
    if not isinstance(message, Mapping) or message.get("role") not in _ROLES:
        raise ColumnsRefusedError(f"{where} has no role among {', '.join(_ROLES)}")
    if not isinstance(message.get("content"), str) or not message["content"]:
        raise ColumnsRefusedError(f"{where} has no content")
