"""Proofs of brackets: what was on the stack, what is done to it, and what the step says of it."""

from __future__ import annotations

from collections.abc import Sequence

from auditing.checker.proofs.formulas import packed


def of_stack(move: str, before: Sequence[str], claimed: Sequence[str], text: str) -> dict[str, str]:
    """Brackets that are told again, popped one by one, closed, matched in order, or moved by the last of `before`.

    move: same, turned, closed, matched, moved. text: where what was before is told.
    """
    return packed(
        {"kind": "brackets", "move": move, "before": "".join(before), "said": "".join(claimed), "texts": [text]}
    )


def of_next(problem: str, steps: Sequence[str], claimed: str) -> dict[str, str]:
    """The bracket that a step reads, or "" for the end, against the problem behind what the steps before it read."""
    told = {"before": "".join(char for char in problem if char in "()[]{}<>"), "said": claimed}
    return packed({"kind": "brackets", "move": "next", **told, "texts": [problem, *steps]})
