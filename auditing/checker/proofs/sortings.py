"""Proofs about what is sorted: the items that were given, and the one that a list loses, doubles, adds or misplaces."""

from __future__ import annotations

from collections.abc import Sequence

from auditing.checker.proofs.formulas import packed


def of_sorting(*, fault: str, category: str, among: Sequence[str], items: Sequence[str]) -> dict[str, str]:
    """A fault of a list, and the items that it is about.

    order: two items that do not stand in this order; lost, doubled, stranger: one item; letter: a word, the number of
    a letter and the letter; place: a letter and its number in the alphabet; group: a letter, and words that do not
    share it at one place; nth: an item and its number. `category`: word, number or date; `among`: what is sorted.
    """
    return packed({"kind": "sorting", "fault": fault, "sort": category, "among": list(among), "items": list(items)})
