"""Checker: one linear inequality rewritten as the next; refuted when the two have no solution in common.

The classic error: "-2x < 6, so x < -3", where dividing by a negative number should have turned the sign.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from auditing.checker.findings import Verdict
from auditing.checker.mathematics.chains import Chain
from auditing.checker.mathematics.enclosure import IncalculableError
from auditing.checker.mathematics.polynomial import ONE, difference
from auditing.checker.mathematics.tree import Sym, literals, plain
from auditing.checker.proofs.formulas import formula, packed
from auditing.checker.reading.passages import Passage, Placed, Script, place
from auditing.checker.reading.suppressions import context_doubt

NAME = "inequalities"
# what each relation becomes when both sides are multiplied by a negative number
_TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
_OTHER = re.compile(
    r"\b(?:or|if|when|case|and|also|second|other|both|suppose|assume|either|but|while|for|next|unless|since|because|"
    r"contradict\w*|negative|positive|integer|similarly)\b|\\neg|\\lor|\n\s*\n",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Ray:
    """The solutions of a linear inequality in one symbol, as a ray of the number line: name relation bound."""

    name: str
    relation: str
    bound: Fraction

    def __str__(self) -> str:
        return f"{self.name} {self.relation} {self.bound}"


def check(script: Script) -> Iterator[Placed]:
    """Neighbouring inequalities in one passage, the second derived from the first."""
    for passage in script.passages:
        if passage.is_modular:
            continue
        for earlier, later in itertools.pairwise(passage.page.chains):
            # A chain a < b < c states two; one that begins with the bare symbol is solved already.
            if len(earlier.relations) != 1 or len(later.relations) != 1 or isinstance(earlier.sides[0].tree, Sym):
                continue
            first, second = ray_of(earlier), ray_of(later)
            if first is None or second is None or not _excludes(first, second):
                continue
            # "or", "if", "the other case": two inequalities side by side need not follow from one another.
            if _OTHER.search(passage.text[earlier.end : later.start]) or _is_doubted(passage, earlier, later):
                continue
            yield _placed(passage, earlier, later, first, second)


def ray_of(chain: Chain) -> Ray | None:
    """The solutions of a linear inequality in one symbol with exact numbers."""
    left, right = chain.sides[0], chain.sides[1]
    if chain.relations[0] not in _TURNED or left.tree is None or right.tree is None:
        return None
    if left.doubts or right.doubts or left.others or right.others or left.log_open or right.log_open:
        return None
    if any(number.cut or number.decimals > 2 for tree in (left.tree, right.tree) for number in literals(tree)):
        return None
    try:
        gap = difference(left.tree, right.tree)
    except IncalculableError:
        return None
    # slope * x + c, and nothing else: one symbol, to the first power
    powers = [monomial for monomial in gap if monomial != ONE]
    if len(powers) != 1 or len(powers[0]) != 1 or powers[0][0][1] != 1 or len(powers[0][0][0]) > 2:
        return None
    slope, relation = gap[powers[0]], chain.relations[0]
    if "/" in plain(left.tree) + plain(right.tree) and not _constant_below(chain):
        return None
    # slope * x + c < 0 is x < -c/slope for a positive slope, and x > -c/slope for a negative one
    bound = -gap.get(ONE, Fraction(0)) / slope
    return Ray(powers[0][0][0], relation if slope > 0 else _TURNED[relation], bound)


def _constant_below(chain: Chain) -> bool:
    """A symbol below a fraction bar has an unknown sign; then the numerator says nothing."""
    # the printed text is enough: a slash with a letter behind it
    return not re.search(r"/ \(?[^/]*[a-zA-Z]", " ".join(plain(side.tree) for side in chain.sides if side.tree))


def _excludes(first: Ray, second: Ray) -> bool:
    """Whether the two rays point apart from one bound, or do not meet."""
    if first.name != second.name or first.relation[0] == second.relation[0]:
        return False
    below, above = (first, second) if first.relation[0] == "<" else (second, first)
    return below.bound <= above.bound


def _is_doubted(passage: Passage, earlier: Chain, later: Chain) -> bool:
    return bool(context_doubt(passage.text, earlier, 0) or context_doubt(passage.text, later, 0))


def _proof(passage: Passage, *chains: Chain) -> dict[str, str]:
    """Both inequalities, each with its text: whoever solves them again finds two rays that do not meet."""
    sides = [(chain.sides[0].tree, chain.sides[1].tree, chain) for chain in chains]
    equations = [
        [passage.text[chain.start : chain.end][:500], formula(left), formula(right)]
        for left, right, chain in sides
        if left is not None and right is not None
    ]
    return packed({"kind": "rays", "equations": equations, "relations": [chain.relations[0] for chain in chains]})


def _placed(passage: Passage, earlier: Chain, later: Chain, first: Ray, second: Ray) -> Placed:
    read = f"{plain(earlier.sides[0].tree)} {earlier.relations[0]} {plain(earlier.sides[1].tree)}"  # type: ignore[arg-type]
    sentence = f"{read} means {first}, not {second}."
    if first.bound == second.bound:
        sentence += " Multiplying or dividing by a negative number turns the sign."
    details = {
        "normal_form": str(second),
        "against": read,
        "rule": "solutions of an inequality",
        "evidence_latex": str(second),
        **_proof(passage, earlier, later),
    }
    return place(
        passage=passage,
        start=later.start,
        end=later.end,
        verdict=Verdict.REFUTED,
        checker=NAME,
        rule="solutions of an inequality",
        sentence=sentence,
        details=details,
    )
