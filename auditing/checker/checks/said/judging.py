"""What is said of expressions, judged: whether words around leave it open, whether it may be an equation to solve."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from auditing.checker.checks.algebra.announced import shares_terms
from auditing.checker.checks.algebra.references import OTHER_ALGEBRA
from auditing.checker.checks.algebra.rewriting import ties_of
from auditing.checker.checks.numbers.beginnings import begins_before
from auditing.checker.findings import Grade, Verdict
from auditing.checker.mathematics.chains import Chain, Side
from auditing.checker.mathematics.division import quotient
from auditing.checker.mathematics.enclosure import IncalculableError
from auditing.checker.mathematics.polynomial import Polynomial, difference, is_constant, quotient_of
from auditing.checker.mathematics.tree import Node, Num, Tree, free_symbols, latex, literals, operations_in, plain
from auditing.checker.reading.certainty import about_the_text
from auditing.checker.reading.passages import Passage, Placed, Script, place
from auditing.checker.reading.suppressions import context_doubt
from auditing.checker.reading.ties import Ties

NAME = "said operations"
# letters that may stand for no number of their own
_NAMES = frozenset(("e", "d", "i"))
# behind what is claimed its clause ends, or says why
ENDS = re.compile(
    r"[\s*]{0,3}(?:$|[.;:!](?!\d)|\n|,\s(?:which|so|and|it|we|the|this|then|where|not|since|because|as|hence|thus|therefore|giving)\b|"
    r"\s(?:and\s(?:so|then|thus|hence|we|the)|so|which|since|because|for\sall|as\s(?:expected|desired|required))\b|"
    r"\)(?:[.,;\s]|$))"
)
# words before what is said by which it is said of something else; a deed may stand behind "by" and "to"
_OF_SOMETHING = re.compile(
    r"(?:\b(?:of|than|from|plus|minus|times|over|root|log|not|and|or|nor|with|without|except|second|third|"
    r"fourth|nth|n-th|higher|logarithmic|directional|total|definite|double|triple|line|surface|path|contour|improper|"
    r"rest|part|most|coefficient|geometric|harmonic|weighted|quadratic|dot|cross|scalar|vector|inner|outer|direct|"
    r"cartesian|symmetric|tensor|matrix|positive|absolute|signed|digital|when\swe|if\swe|never|cannot|(?:add|subtract|multiply|divide)(?:ing|s)?|by|to)\s(?:the\s|an?\s|that\s|its\s)?|"
    r"[-+*/^(=,·×]\s?(?:the\s)?)$",
    re.IGNORECASE,
)
_DONE = re.compile(r"\b(?:by|to|then|,)\s$", re.IGNORECASE)
# terms in which two sums agree that differ in one alone
_SHARED = 2


@dataclass(frozen=True, slots=True)
class Told:
    """What words say of an expression: the rule, the expressions that they come to, and what is claimed."""

    rule: str
    start: int
    end: int
    lefts: tuple[Tree, ...]
    claimed: Tree


def is_open(script: Script, passage: Passage, start: int, end: int, *, is_deed: bool = False) -> bool:
    """Whether nobody claims what stands there: a trial, a supposition, a part of something, another algebra."""
    side, head = Side(None, start, end), passage.text[max(0, start - 40) : start]
    return (
        is_a_part(_DONE.sub("", head) if is_deed else head)
        or bool(context_doubt(passage.text, Chain([side, side], ["="], start, end), 0))
        or bool(about_the_text(passage, start, end))
        or script.once(has_another_algebra)
    )


_EQUATION = re.compile(
    r"\b(?:solv\w*|set(?:ting)?|suppose|such\sthat|satisf\w*|want|need|equation|when|if|require\w*|must|where|would|find|"
    r"for\swhich|intersect\w*|roots?|zeros?|equal\sto\seach)\b[^.!?]*$",
    re.IGNORECASE,
)


def about_equations(head: str) -> bool:
    """Whether the sentence before a formula makes it an equation to solve, or one that holds in some case."""
    return bool(_EQUATION.search(head))


def is_a_part(head: str) -> bool:
    """Whether the words before make it a part of something longer: "3 less than the sum of x and y"."""
    return bool(_OF_SOMETHING.search(head)) or begins_before(head)


def has_another_algebra(script: Script) -> bool:
    """Whether letters may stand for sets, vectors, digits or switches."""
    return any(OTHER_ALGEBRA.search(passage.text) for passage in script.everything)


def is_exact(tree: Tree) -> bool:
    """No rounded decimals, units, percentages, unknown functions or dots."""
    if any(number.decimals > 1 or number.cut or number.unit or number.percent for number in literals(tree)):
        return False
    if any("(" in name or name in _NAMES for name in free_symbols(tree)):
        return False
    return not any(operation.startswith(("dots", "±", "deg")) for operation in operations_in(tree))


def is_rational(tree: Tree) -> bool:
    """A quotient of polynomials with exact numbers: the verifier's file multiplies these out."""
    if not free_symbols(tree) or not is_exact(tree):
        return False
    try:
        quotient_of(tree)
    except IncalculableError:
        return False
    return True


def may_be_solved(computed: Tree, claimed: Tree, operands: Sequence[Tree], *, is_deed: bool) -> bool:
    """Whether "the sum of x and 2x is x + 6" may be an equation for x, and no sum that went wrong.

    It is none where no value but zero solves it, and where the claim has the looks of the result: "the square of x + 3
    is x^2 + 9", "multiplying 2x by 3x^2 gives 5x^3".
    """
    gap = _reduced_gap(computed, claimed)
    if gap is None:
        return True
    if is_constant(gap):
        return False
    if not free_symbols(claimed) or free_symbols(claimed) != free_symbols(computed):
        return True
    if len(gap) == 1:
        return False
    if is_deed:
        is_made = any(isinstance(operand, Node) for operand in operands)
        return not (is_made and (shares_terms(computed, claimed) or _are_single(computed, claimed)))
    return not _differs_in_one(computed, claimed)


def gap_of(left: Tree, right: Tree) -> Polynomial | None:
    """The polynomial that is zero where both are equal; None where there is none."""
    try:
        return difference(left, right)
    except IncalculableError:
        return None


def _reduced_gap(left: Tree, right: Tree) -> Polynomial | None:
    """The gap without the denominator, where that divides it: (x^2 - 9)/(x - 3) and x - 3 are 6 apart."""
    gap = gap_of(left, right)
    if gap is None or not isinstance(left, Node) or left.op != "/":
        return gap
    below = gap_of(left.args[1], Num(Fraction(0)))
    return quotient(gap, below) or gap if below else gap


def _are_single(*trees: Tree) -> bool:
    """Whether each is one term: 6x^4 / (2x), 3x^2."""
    try:
        quotients = [quotient_of(tree) for tree in trees]
    except IncalculableError:
        return False
    return all(len(quotient.above) == len(quotient.below) == 1 for quotient in quotients)


def _differs_in_one(computed: Tree, claimed: Tree) -> bool:
    zero = Num(Fraction(0))
    left, right = gap_of(computed, zero) or {}, gap_of(claimed, zero) or {}
    terms = left.keys() | right.keys()
    differing = [term for term in terms if left.get(term) != right.get(term)]
    return len(differing) == 1 and len(terms) > _SHARED


def are_tied(script: Script, passage: Passage, start: int, computed: Tree, claimed: Tree) -> bool:
    """Whether an equation before ties the symbols, by which both may be equal all the same."""
    gap = gap_of(computed, claimed)
    if gap is not None and is_constant(gap):
        return False
    ties = Ties()
    for earlier in (script.problem, *script.passages):
        # "2x plus 3x equals 6x" holds a chain that excuses nothing
        chains = [chain for chain in earlier.page.chains if earlier is not passage or chain.end <= start]
        for tie in (tie for chain in chains for tie in ties_of(chain)):
            ties.add(tie)
        if earlier is passage:
            break
    return ties.may_excuse(free_symbols(computed) | free_symbols(claimed), gap)


def told(
    *,
    passage: Passage,
    claim: Told,
    left: Tree,
    verdict: Verdict,
    proof: dict[str, str],
    result: str,
    grade: Grade = Grade.CERTAIN,
) -> Placed:
    """The finding: what the words come to, beside what is claimed."""
    words = " ".join(passage.text[claim.start : claim.end].split())[:160]
    holds = verdict is Verdict.VERIFIED
    return place(
        passage=passage,
        start=claim.start,
        end=claim.end,
        verdict=verdict,
        checker=NAME,
        rule=claim.rule,
        sentence=f"{words}: it is {result}{', as said' if holds else f', not {plain(claim.claimed)}'}.",
        details={
            "normal_form": f"{plain(left)} = {plain(claim.claimed)}",
            "rule": claim.rule,
            "evidence_latex": f"{latex(left)} {'=' if holds else chr(92) + 'ne'} {latex(claim.claimed)}",
            **proof,
        },
        grade=grade,
    )
