"""A label with its computation, and again with the result: "Change = $20 - $14.99. Change = $5.01."."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from auditing.checker.checks.text.labels import label_of
from auditing.checker.findings import Verdict
from auditing.checker.mathematics.chains import Chain
from auditing.checker.mathematics.compare import FAILS, HOLDS, compare
from auditing.checker.mathematics.enclosure import IncalculableError
from auditing.checker.mathematics.identity import agree_at_points
from auditing.checker.mathematics.polynomial import difference, is_constant
from auditing.checker.mathematics.tree import (
    Node,
    Num,
    Sym,
    Tree,
    bare_number,
    free_symbols,
    is_finished,
    latex,
    literals,
    operations_in,
    plain,
    walk,
)
from auditing.checker.mathematics.vocabulary import words as words_in
from auditing.checker.proofs.formulas import of_values
from auditing.checker.reading.conversions import is_no_conversion, prefixes_may_differ
from auditing.checker.reading.passages import Passage, Placed, place
from auditing.checker.reading.suppressions import units_differ

# what may stand between the two, beside words of the label
_JOINED = re.compile(
    r"(?:[\s.,;:$\\\]\[(){}-]|\b(?:so|thus|therefore|hence|then|gives|we|get|which|this|us|text|the|of|in|for|to|from)\b){0,80}"
)
_LISTED = re.compile(
    r"\b(?:possible|possibilit\w{1,4}|values|solutions|cases|options|choices)\b[^.!?\n]{0,120}$", re.IGNORECASE
)
_TERM = frozenset(("*", "/", "neg", "sqrt"))
_SCALES = frozenset((100, 1_000, 1_000_000, 1_000_000_000))
# what goes around: 9 + 5 hours is 2 on a clock, and pi/2 is 90
_ROUND = frozenset(words_in("hour hours clock date day month weekday angle angles"))
_STEP = re.compile(r"\A\s*step \d{1,3}[:.)]", re.IGNORECASE)
_OR = re.compile(r"\bor[\s$\\(]{1,4}$", re.IGNORECASE)


def about_a_symbol(chain: Chain) -> Chain:
    """42 * 56 = c, or c = 2336: the first line is about c, too."""
    return about_symbols(chain) if isinstance(chain.sides[-1].tree, Sym) else chain


def about_symbols(chain: Chain) -> Chain:
    """7 = x as x = 7; everything else as it is."""
    left, right = chain.sides[0].tree, chain.sides[-1].tree
    is_turned = left is not None and right is not None and not free_symbols(left) and bool(free_symbols(right))
    is_turned = is_turned and len(chain.sides) == 2
    return Chain(chain.sides[::-1], chain.relations, chain.start, chain.end) if is_turned else chain


def is_joined(between: str) -> bool:
    """Whether nothing stands between two lines that could be new: filler words and marks.

    >>> is_joined(r"\\] So \\["), is_joined(r"\\] and for the other one \\[")
    (True, False)
    """
    return _JOINED.fullmatch(between.lower()) is not None


def is_alternative(passage: Passage, chain: Chain) -> bool:
    """x = 4 + 3 or x = 4 - 3: what follows need not be the second one."""
    if _OR.search(passage.text[max(0, chain.start - 8) : chain.start]):
        return True
    # the possible values are u = v + 5, u = v - 5
    return bool(_LISTED.search(passage.text[max(0, chain.start - 160) : chain.start]))


def differ(before: Tree, final: Tree, *, is_label: bool) -> bool:
    """Whether the second value cannot be the first one computed."""
    names = free_symbols(before) | free_symbols(final)
    if not names:
        if bare_number(final) is None and not may_be_a_result(before, final):
            return False
        judgement = compare(left=before, right=final, relation="=")
        # x = log(-10) has no value that the next line could miss
        if judgement.state != FAILS or None in (judgement.left, judgement.right):
            return False
        return not is_told_otherwise(before, final)
    # rounded decimals may differ from the exact value before them
    if any(number.decimals > 2 or number.cut for tree in (before, final) for number in literals(tree)):
        return False
    if is_label:
        same_names = free_symbols(before) == free_symbols(final)
        return same_names and not isinstance(before, Sym) and agree_at_points(left=before, right=final) is False
    try:
        # x + 2 and x + 3 differ by a number, for every x; x + 2 and 2x may be equal for the x that is meant
        gap = difference(before, final)
    except IncalculableError:
        return False
    return bool(gap) and is_constant(gap)


def may_be_a_result(before: Tree, final: Tree) -> bool:
    """A = pi * 64 * pi, then A = 4096 pi; of x = 4 + sqrt(3) and x = 4 - sqrt(3) each may be a solution.

    Fractions on the second line are left to computed_lines, which asks more of the words between.
    """
    has_units = any(number.unit for tree in (before, final) for number in literals(tree))
    is_product = is_simple_term(final) and not has_units and "/" not in operations_in(final)
    return is_product and not is_simple_term(before) and not may_be_one_of_several(before)


def is_simple_term(tree: Tree) -> bool:
    """Whether nothing is left to compute in a term such as 64 pi or -3 sqrt(2)/2: each sort of factor stands once.

    >>> pi, two = Sym("pi"), Num(Fraction(2))
    >>> is_simple_term(Node("*", (two, pi))), is_simple_term(Node("*", (pi, Node("*", (two, pi)))))
    (True, False)
    """
    sorts = []
    for subtree in walk(tree):
        if isinstance(subtree, Node) and (
            subtree.op not in _TERM or (subtree.op == "sqrt" and not bare_number(subtree.args[0]))
        ):
            return False
        sorts.append(subtree.op if isinstance(subtree, Node) else "number" if isinstance(subtree, Num) else "symbol")
    most = 1 + sorts.count("sqrt") + sorts.count("/")
    return all(sorts.count(sort) <= 1 for sort in ("sqrt", "/", "symbol", "neg")) and sorts.count("number") <= most


def may_be_one_of_several(tree: Tree) -> bool:
    """3 + 2 sqrt(2) and sqrt(3)/2: nothing is left to compute in it, so it may be one of several solutions."""
    terms = tree.args if isinstance(tree, Node) and tree.op in ("+", "-") else (tree,)
    is_irrational = any(
        subtree == Sym("pi") or (isinstance(subtree, Node) and subtree.op == "sqrt") for subtree in walk(tree)
    )
    return is_irrational and all(map(is_simple_term, terms))


def is_told_otherwise(before: Tree, final: Tree) -> bool:
    """Whether a result may be the computation's in another unit, or rounded to a whole: 100/30 hours, 200 minutes.

    n = 5 mod 12 is a congruence, which n = 65 solves.
    """
    if isinstance(before, Node) and before.op == "mod":
        before = Node("mod", (Node("-", (final, before.args[0])), before.args[1]))
        return compare(left=before, right=Num(Fraction(0)), relation="=").state == HOLDS
    judgement = compare(left=before, right=final, relation="=")
    if units_differ(before, final) and not is_no_conversion(left=before, right=final, judgement=judgement):
        return True
    if prefixes_may_differ(left=before, right=final):
        return True
    value, told = judgement.left, judgement.right
    if not isinstance(value, Fraction) or not isinstance(told, Fraction):
        return False
    # 15/100 as 15 percent, 750 cents as $7.50, millions by their number
    if value and told and max(value / told, told / value) in _SCALES:
        return True
    return told.denominator == 1 and abs(value - told) < 1


def told_next(earlier: Passage, passage: Passage) -> str:
    """The label of which a step ends with a computation and the next one begins with a value; empty where none is."""
    if not earlier.page.chains or not passage.page.chains:
        return ""
    first, second = earlier.page.chains[-1], passage.page.chains[0]
    before, final = first.sides[-1], second.sides[-1]
    if first.relations != ["="] or second.relations != ["="] or before.tree is None or final.tree is None:
        return ""
    if before.doubts or final.doubts or is_finished(before.tree) or free_symbols(before.tree):
        return ""
    behind = earlier.page.chains[-2].end if len(earlier.page.chains) > 1 else 0
    name = label_of(earlier, first, behind, fewest=1)
    if not name or name != label_of(passage, second, 0, fewest=1) or not _ROUND.isdisjoint(name.split()):
        return ""
    # age = 2 age - 10 is an equation
    if any(number.unit.lower() == name for number in literals(before.tree)):
        return ""
    opening = _STEP.sub("", passage.text[: second.start]).lower()
    between = f"{earlier.text[first.end :].lower()}\n{_without_words(opening, name)}"
    return name if _JOINED.fullmatch(between) else ""


def _without_words(text: str, name: str) -> str:
    for word in sorted(set(name.lower().split()), key=lambda word: (-len(word), word)):
        text = text.replace(word, " ")
    return text


def told_again(passage: Passage, first: Chain, second: Chain, *, checker: str, name: str) -> Iterator[Placed]:
    """That the second line says what the first one computes; nothing where it does not."""
    between = _without_words(passage.text[first.end : second.start].lower(), name)
    before, final = first.sides[-1].tree, second.sides[-1].tree
    if not _JOINED.fullmatch(between):
        return
    if not isinstance(before, Node) or bare_number(before) is not None or final is None:
        return
    if free_symbols(before) or free_symbols(final) or compare(left=before, right=final, relation="=").state != HOLDS:
        return
    text = f"{plain(before)} = {plain(final)}"
    yield place(
        passage=passage,
        start=first.sides[-1].start,
        end=second.end,
        verdict=Verdict.VERIFIED,
        checker=checker,
        rule="same label, its result",
        sentence=f"{name}: {text} holds.",
        details={
            "normal_form": text,
            "left": plain(before),
            "right": plain(final),
            "evidence_latex": f"{latex(before)} = {latex(final)}",
            **of_values(before, final),
        },
    )
