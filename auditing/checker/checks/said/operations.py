"""Checker: what words make of expressions: "subtracting 3x from 7x gives 5x", "the derivative of x^3 + 2x is 3x^2".

The words come to an expression (forms.py, derivatives.py, values.py), which what is claimed has to be for every value.
"The sum of x and 2x is x + 6" may be an equation instead, and then accuses nobody.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from auditing.checker.checks.said import (
    both_sides,
    crossings,
    derivatives,
    extremes,
    function_values,
    polygons,
    traits,
    values,
)
from auditing.checker.checks.said.forms import FORMS, SaidForm
from auditing.checker.checks.said.judging import (
    ENDS,
    Told,
    are_tied,
    gap_of,
    is_exact,
    is_open,
    may_be_solved,
    told,
)
from auditing.checker.checks.said.marked import Marked, marked, side_of, sides_of
from auditing.checker.checks.word_index import WordIndex
from auditing.checker.findings import Grade, Verdict
from auditing.checker.mathematics.division import quotient
from auditing.checker.mathematics.identity import is_identity
from auditing.checker.mathematics.polynomial import Polynomial, add, multiply
from auditing.checker.mathematics.tree import Node, Num, Tree, free_symbols, plain, walk
from auditing.checker.proofs.formulas import of_identity
from auditing.checker.reading.passages import Passage, Placed, Script

ZERO = Num(Fraction(0))
RULE = "an operation on expressions"
# a letter alone that is no article, or one right behind a digit; what stands before it is looked at last: without one
# there is no expression
_LETTER = re.compile(r"[B-HJ-Za-z](?![a-z])(?:(?<=\d.)(?<![A-Z])|(?![A-Z'’])(?<!a)(?<![A-Za-z\\'’].))")
ALL = (*(form.pattern for form in FORMS), *derivatives.PATTERNS, *traits.PATTERNS, *values.PATTERNS)
FIRST_TRAIT = len(FORMS) + len(derivatives.PATTERNS)
FIRST_VALUE = FIRST_TRAIT + len(traits.PATTERNS)
_INDEX = WordIndex((number, cue.needs) for number, cue in enumerate(ALL))


def check(script: Script) -> Iterator[Placed]:
    """Every form of words in every passage that has letters for numbers."""
    if script.is_modular:
        return
    for apart in (extremes, function_values, crossings, both_sides, polygons):
        yield from apart.check(script)
    # four word problems of five have no letter that stands for a number
    if not _LETTER.search(script.text):
        return
    for passage, numbers in _INDEX.by_passage(script):
        if not any(number < FIRST_VALUE for number in numbers) and not values.PUTS.search(passage.text):
            continue
        page = marked(passage.text) if _LETTER.search(passage.text) else None
        for number in numbers if page is not None and page.inner else ():
            assert page is not None
            for match in ALL[number].finditer(page.text):
                yield from _told(script, passage, page, match, number)


def _told(script: Script, passage: Passage, page: Marked, match: re.Match[str], number: int) -> Iterator[Placed]:
    """What the form of a number says of a match."""
    if number < len(FORMS):
        yield from _judged(script, passage, page, match, FORMS[number])
    elif number < FIRST_TRAIT:
        yield from derivatives.judged(script, passage, page, match)
    elif number < FIRST_VALUE:
        yield from traits.judged(script, passage, page, match, traits.TRAITS[number - FIRST_TRAIT])
    else:
        yield from values.judged(script, passage, page, match)


def _judged(script: Script, passage: Passage, page: Marked, match: re.Match[str], form: SaidForm) -> Iterator[Placed]:
    if not ENDS.match(page.text, match.end()):
        return
    formulas = page.formulas(match.start(), match.end())
    operands = [_tree(sides[-1]) if (sides := sides_of(formula)) else None for formula in formulas[:-1]]
    claims = sides_of(formulas[-1])
    claimed = _tree(claims[0]) if claims else None
    trees = [tree for tree in operands if tree is not None]
    if claimed is None or len(trees) < len(operands) or not any(free_symbols(tree) for tree in trees):
        return
    lefts = form.build(match, trees)
    claim = Told(RULE, match.start(), match.end(), lefts, claimed)
    same = [is_identity(left=left, right=claimed) for left in lefts]
    if any(same):
        left = lefts[same.index(True)]
        if left != claimed and trees != [claimed]:
            yield _placed(passage, claim, left, Verdict.VERIFIED)
    elif (
        all(agreement is False for agreement in same)
        and not all(
            may_be_solved(left, claimed, trees, is_deed=form.is_deed)
            or _leaves_a_remainder(left, claimed)
            or are_tied(script, passage, match.start(), left, claimed)
            for left in lefts
        )
        and not is_open(script, passage, match.start(), match.end(), is_deed=form.is_deed)
    ):
        yield _placed(passage, claim, lefts[0], Verdict.REFUTED)


def _tree(formula: str) -> Tree | None:
    side = side_of(formula)
    return side.tree if side is not None and side.tree is not None and is_exact(side.tree) else None


def _leaves_a_remainder(computed: Tree, claimed: Tree) -> bool:
    """Dividing x^2 + 1 by x - 1 gives x + 1, and the remainder is named elsewhere."""
    if not isinstance(computed, Node) or computed.op != "/":
        return False
    above, below, whole = (gap_of(tree, ZERO) for tree in (*computed.args, claimed))
    if not above or not below or not whole or len(below) < 2:
        return False
    remainder = add(above, multiply(below, whole), Fraction(-1))
    return quotient(above, below) is None and _degree(remainder) < _degree(below)


def _degree(polynomial: Polynomial) -> int:
    return max((sum(power for _, power in monomial) for monomial in polynomial), default=-1)


def _divides_by_symbols(tree: Tree) -> bool:
    return any(
        isinstance(subtree, Node) and subtree.op == "/" and free_symbols(subtree.args[1]) for subtree in walk(tree)
    )


def _placed(passage: Passage, claim: Told, left: Tree, verdict: Verdict) -> Placed:
    holds = verdict is Verdict.VERIFIED
    return told(
        passage=passage,
        claim=claim,
        left=left,
        verdict=verdict,
        proof=of_identity(left, claim.claimed, is_same=holds),
        result=plain(left),
        # x/x is 1 but for zero
        grade=Grade.LIKELY if holds and _divides_by_symbols(left) else Grade.CERTAIN,
    )
