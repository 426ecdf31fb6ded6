"""Signs between things that are told: "42 by Ryan + 67 by Alyssa = 109", "5 people * 3 slices of pizza = 15 slices".

The grammar of signs goes over a unit, and over no preposition: what follows one may change a number. Here both sides of
each sign are numbers with their things, so that nothing but these numbers can be meant; what is counted may still be
another thing, and so nothing here accuses for certain.
"""

from __future__ import annotations

import functools
import re

from auditing.checker.checks.quantities.phrase_pieces import CLOSE, ENDS, FREE, NOUNS, VALUE, Groups, number, phrase
from auditing.checker.mathematics.tree import Node, Tree

_MONEY = rf"[$€£]?{VALUE}"
_OF_IT = rf"\s(?:by|for|from|on|in|at|of|with){NOUNS}"
_THING = rf"{_MONEY}{NOUNS}(?:{_OF_IT})?"
_PIECE = re.compile(rf"\s(?P<sign>[-−+*×])\s|(?P<number>{_MONEY})")
_NAMED = re.compile(rf"{VALUE}{NOUNS}{_OF_IT}")
_IN_MONEY = re.compile(r"[$€£]|\.\d\d$")


def _computed(groups: Groups) -> Tree:
    """The numbers with the signs between them, products first.

    Raises ValueError where no preposition stands, for the grammar of signs reads these, and for sums of two kinds.
    """
    listed = groups["list"] or ""
    if not _NAMED.search(listed):
        raise ValueError("no preposition")
    pieces = [match["sign"] or match["number"] for match in _PIECE.finditer(listed)]
    signs, texts = pieces[1::2], pieces[::2]
    products, joints = [[texts[0]]], list[str]()
    for sign, text in zip(signs, texts[1:], strict=True):
        if sign in "*×":
            products[-1].append(text)
        else:
            joints.append("+" if sign == "+" else "-")
            products.append([text])
    # 8.00 on chicken + $1.00 on soda: cents are money without a sign as well
    kinds = {any(_IN_MONEY.search(text) for text in product) for product in (*products, [groups["r"] or "0"])}
    if joints and len(kinds) > 1:
        raise ValueError("amounts of two kinds")
    total, *others = map(_product, products)
    for joint, term in zip(joints, others, strict=True):
        total = Node(joint, (total, term))
    return total


def _product(texts: list[str]) -> Tree:
    first, *others = map(_plain, texts)
    return functools.reduce(lambda a, b: Node("*", (a, b)), others, first)


def _plain(text: str) -> Tree:
    # money may miss its sign elsewhere in the sum, so none keeps it
    return number(text.lstrip("$€£"))


SIGNED = (
    phrase(
        "a computation with things",
        " by | for | from | on | in | at | of | with ",
        # "half of 20 for him": a share is taken of the first number
        rf"{FREE}(?<!\bof\s)(?<!\bof\s\$)(?P<list>{_THING}(?:\s[-−+*×]\s{_THING}){{1,6}})\s=\s"
        rf"(?:\\\(\s?)?(?P<r>{_MONEY}){CLOSE}{ENDS}",
        _computed,
        is_sure=False,
    ),
)
