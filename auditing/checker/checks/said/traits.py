"""Traits of polynomials and curves told in words: "the sum of the roots of x^2 - 5x + 6 = 0 is 5".

Each form names a trait, the formula that has it, and the number that it is said to be. What the trait is comes from the
coefficients (of_polynomials, of_curves below); a formula that is no polynomial with numbers has none of these traits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from auditing.checker.checks.numbers.arithmetic import judge
from auditing.checker.checks.said.forms import IS, cue
from auditing.checker.checks.said.judging import ENDS, Told, is_exact, is_open, told
from auditing.checker.checks.said.marked import Marked, side_of, sides_of
from auditing.checker.checks.said.polynomial_traits import (
    Formula,
    coefficient,
    coefficients_added,
    constant_term,
    degree,
    discriminant,
    extreme,
    intercept,
    leading_coefficient,
    polynomial_of,
    radius,
    remainder,
    roots_added,
    roots_multiplied,
    slope,
)
from auditing.checker.findings import Verdict
from auditing.checker.mathematics.chains import Side
from auditing.checker.mathematics.compare import FAILS, HOLDS, shown
from auditing.checker.mathematics.evaluate import DEFAULT
from auditing.checker.mathematics.polynomial import names_in
from auditing.checker.mathematics.tree import Node, Num, Sym, Tree, free_symbols
from auditing.checker.proofs.formulas import of_values
from auditing.checker.reading.passages import Passage, Placed, Script
from hdag.core.text.cues import Cue

RULE = "a trait of an expression"
_ZERO = Num(Fraction(0))
_KIND = r"(?:(?:given|following|quadratic|cubic|linear|monic|original|resulting)\s)?"
_OF = (
    r"\s(?:of|to|for|in)\s(?:the\s)?(?:(?:graph|curve|expansion|product)\sof\s)?(?:the\s)?"
    rf"{_KIND}(?:(?:equation|polynomial|quadratic|function|expression|line|parabola|circle|trinomial|graph|curve)\s)?"
    r"(?:(?:given\sby|with\s(?:the\s)?equation|whose\sequation\sis|defined\sby|of)\s)?(?P<of>@)"
)
_ALL = (
    r"(?:,?\s(?:over|for|where)\s(?:all\s)?(?:real\s)?(?:numbers?\s|values?\s(?:of\s)?)?@(?:\sand\s@)?(?:\sis\sreal)?)?"
)
_ROOTS = r"\s(?:of\s)?(?:all\s)?(?:of\s)?(?:the\s)?(?:(?:two|complex)\s)?(?P<roots>roots|solutions|zeros|zeroes)"
# where some values alone are allowed, a trait of all of them may be another number
_SOME = (
    r"\b(?:integers?|positive|negative|nonnegative|natural|whole|interval|between|where|such\sthat|subject|"
    r"provided|constraint|domain|restricted)\b|[<>≤≥]|\\[lg]eq?\b|\\in\b"
)
_SOME_VALUES = re.compile(_SOME, re.IGNORECASE)
_SOME_ROOTS = re.compile(rf"{_SOME}|\breal\b|\\mathbb", re.IGNORECASE)

Compute = Callable[[Formula, re.Match[str]], Tree | None]


@dataclass(frozen=True, slots=True)
class Trait:
    """One trait: its words, what it is for a formula, and what restricts it elsewhere."""

    pattern: Cue
    compute: Compute
    restricts: re.Pattern[str] | None = None


def _trait(words: str, compute: Compute, restricts: re.Pattern[str] | None = None) -> Trait:
    return Trait(cue(rf"\b{words}{_OF}{_ALL}{IS}(?P<claimed>@)"), compute, restricts)


TRAITS = (
    _trait(rf"sum\sof{_ROOTS}", roots_added, _SOME_ROOTS),
    _trait(rf"product\sof{_ROOTS}", roots_multiplied, _SOME_ROOTS),
    _trait(
        r"(?P<which>minimum|maximum|smallest|largest|least|greatest)\s(?:possible\s)?value(?:\spossible)?",
        extreme,
        _SOME_VALUES,
    ),
    _trait(r"discriminant", discriminant),
    _trait(r"degree", degree),
    _trait(r"leading\scoefficient", leading_coefficient),
    _trait(r"constant\sterm", constant_term),
    _trait(r"sum\sof\s(?:all\s)?(?:of\s)?(?:the\s)?(?:numerical\s)?coefficients", coefficients_added),
    _trait(r"coefficient\sof\s(?:the\s)?(?P<term>@)(?:\s?-?\s?term)?", coefficient),
    _trait(r"slope", slope),
    _trait(r"radius", radius),
    Trait(cue(rf"(?P<axis>@)-intercept{_OF}{IS}(?P<claimed>@)"), intercept),
    Trait(
        cue(
            r"\bremainder\s(?:when|if|on|after|from|of)\s(?:dividing\s)?(?:the\s(?:polynomial|expression)\s)?(?P<of>@)"
            rf"\s(?:is\sdivided\s)?by\s(?P<by>@){IS}(?P<claimed>@)"
        ),
        remainder,
    ),
)
PATTERNS = tuple(trait.pattern for trait in TRAITS)


def judged(script: Script, passage: Passage, page: Marked, match: re.Match[str], trait: Trait) -> Iterator[Placed]:
    """One sentence that states a trait."""
    formula = _formula(page, match) if ENDS.match(page.text, match.end()) else None
    claims = sides_of(page.inner[match.start("claimed")])
    claimed = side_of(claims[0]) if claims else None
    if formula is None or claimed is None or claimed.tree is None or free_symbols(claimed.tree):
        return
    left = trait.compute(formula, match) if is_exact(claimed.tree) else None
    if left is None:
        return
    judgement = judge(Side(left, match.start(), match.end()), claimed, "=", DEFAULT)
    same = {HOLDS: True, FAILS: False}.get(judgement.state) if judgement.left is not None else None
    if same is None or (trait.restricts and _is_restricted(script, passage, match, trait.restricts)):
        return
    if trait.compute is extreme and _is_tied(script, formula):
        return
    if not same and is_open(script, passage, match.start(), match.end()):
        return
    yield told(
        passage=passage,
        claim=Told(RULE, match.start(), match.end(), (left,), claimed.tree),
        left=left,
        verdict=Verdict.VERIFIED if same else Verdict.REFUTED,
        proof=of_values(left, claimed.tree),
        result=shown(judgement.left),
    )


def _is_restricted(script: Script, passage: Passage, match: re.Match[str], restricts: re.Pattern[str]) -> bool:
    """Whether the problem or the sentence around allows some values alone."""
    around = passage.text[max(0, match.start() - 120) : match.end() + 80]
    return bool(restricts.search(script.problem.text) or restricts.search(around))


def _is_tied(script: Script, formula: Formula) -> bool:
    """Whether the problem ties the letters of an expression: of x^2 + 16y^2 with 3x + 4y = 10 the least is not 0.

    "y = x^2 - 4x" names the expression and ties nothing.
    """
    names = names_in(formula.expression) if formula.expression is not None else frozenset[str]()
    for chain in script.problem.page.chains:
        trees = [side.tree for side in chain.sides if side.tree is not None]
        is_named = any(isinstance(tree, Sym) and tree.name not in names for tree in trees)
        if not is_named and len(trees) > 1 and names & frozenset().union(*map(free_symbols, trees)):
            return True
    return False


def _formula(page: Marked, match: re.Match[str]) -> Formula | None:
    """The formula that has the trait, as an expression and as what is zero on its curve; and what else is named."""
    sides = sides_of(page.inner[match.start("of")])
    trees = [tree for text in sides if (tree := _tree(text)) is not None]
    if not 1 <= len(sides) <= 2 or len(trees) < len(sides):
        return None
    left, right = trees[0], trees[1] if len(trees) > 1 else _ZERO
    # "the degree of h is 8": of a letter alone nothing is known
    is_letter = isinstance(left, Sym) and len(trees) == 1
    gap = None if is_letter else polynomial_of(Node("-", (left, right)))
    groups = match.groupdict()
    named = next((name for name in ("term", "by", "axis") if groups.get(name)), "")
    beside = _tree(page.inner[match.start(named)]) if named else None
    if gap is None or (named and beside is None):
        return None
    is_of_function = len(trees) == 2 and isinstance(left, Sym)
    expression = polynomial_of(right if is_of_function else left)
    is_expression = len(trees) == 1 or is_of_function
    return Formula(gap, expression if is_expression and expression is not None else None, beside, is_of_function)


def _tree(text: str) -> Tree | None:
    side = side_of(text)
    if side is None or side.tree is None:
        return None
    # f(x), of y = f(x), is the name of a value
    is_name = isinstance(side.tree, Sym)
    return side.tree if is_name or is_exact(side.tree) else None
