"""Results that are denied as soon as they are computed: "5 * 14 = 70. The product is not equal to 70"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from auditing.checker.checks.numbers.arithmetic import judge
from auditing.checker.checks.solved.placing import refuted
from auditing.checker.mathematics.chains import Chain
from auditing.checker.mathematics.compare import HOLDS
from auditing.checker.mathematics.evaluate import DEFAULT
from auditing.checker.mathematics.tree import bare_number, free_symbols, number_text, plain
from auditing.checker.proofs.claims import of_said
from auditing.checker.proofs.formulas import formula
from auditing.checker.reading.passages import Passage, Placed, Script
from hdag.core.text.cues import Cue

RULE = "a result denied"
_DENIED = Cue(
    r"\s?(?:\\\)|\$)?[.,;]?\s(?:and\s|but\s)?(?:which|this|that|it|the\s(?:product|sum|result|value|total|difference|quotient|"
    r"answer))\s(?:is\snot\sequal\sto|does\snot\sequal|is\snot)\s(?:\\\(|\$)?(?P<number>\d{1,9}(?:\.\d{1,4})?)"
    r"(?![\d.,/]*\d|\s?[-+*/^×%!]|\s?\\|\s(?:more|less|times|percent)\b)",
    re.IGNORECASE,
)


def check(script: Script) -> Iterator[Placed]:
    """Every number that is denied directly behind a computation which has it for its result."""
    for passage in script.near(_DENIED):
        if "not" not in passage.text:
            continue
        for chain in passage.page.chains:
            denied = _DENIED.match(passage.text, chain.end)
            if denied is not None and chain.relations[-1] == "=":
                yield from _judged(passage, chain, denied)


def _judged(passage: Passage, chain: Chain, denied: re.Match[str]) -> Iterator[Placed]:
    left, right = chain.sides[-2:]
    number = bare_number(right.tree) if right.tree is not None else None
    if number is None or left.tree is None or free_symbols(left.tree) or bare_number(left.tree) is not None:
        return
    claimed = Fraction(denied["number"])
    # 2/3 = 0.67, which is not equal to 0.67 to the last digit
    is_same = number.value == claimed and judge(left, right, "=", DEFAULT).rule == "equal"
    if not is_same or judge(left, right, "=", DEFAULT).state != HOLDS:
        return
    sentence = f"{plain(left.tree)} is {number_text(claimed)}, which is denied."
    proof = of_said([formula(left.tree)], [formula(number)], "!=")
    yield refuted(passage, (left.start, denied.end()), RULE, (left.tree, number), sentence, (), proof)
