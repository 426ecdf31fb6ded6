"""Checker: equations with symbols. Each must agree with what the problem and the steps before it say."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from auditing.checker.findings import Verdict
from auditing.checker.mathematics.chains import Chain, Side
from auditing.checker.mathematics.compare import FAILS, HOLDS, compare
from auditing.checker.mathematics.enclosure import IncalculableError
from auditing.checker.mathematics.knowledge import Knowledge
from auditing.checker.mathematics.polynomial import Polynomial, constant, difference, is_constant
from auditing.checker.mathematics.rounding import is_rounded
from auditing.checker.mathematics.tree import (
    Node,
    Num,
    Sym,
    Tree,
    free_symbols,
    latex,
    literals,
    plain,
    substitute,
    walk,
)
from auditing.checker.mathematics.vocabulary import any_of
from auditing.checker.reading.passages import Passage, Placed, Script, place
from auditing.checker.reading.suppressions import context_doubt

NAME = "derivation"
MAX_EQUATIONS = 300
# an equation in such a sentence holds in one case only
_CASE = any_of("""
    if when whenever suppose assum* try trying test* check* cases? otherwise either or unless example instance
    choice option options guess* consider minimum maximum minimi[sz]* maximi[sz]* where would could approximat*
    about roughly until while redefin* replac* another loop iterat* pattern respectively plug* choos* set setting
    no contradict* possible between verify* boundary asymptote* limit* approach* solutions_are roots_are
    corresponding
""")
# directly before an equation, or at the start of its sentence, these name a case
_NEAR = re.compile(r"\b(?:for|at|as|with|let|use|using|take|taking|put|putting|since)\W*$", re.IGNORECASE)
_START = re.compile(r"^\W*(?:for|at|with|let(?!['’]s| us))\b", re.IGNORECASE)
_NO_CASE = any_of("""
    another_equation for_the_equation
    solv*_for formula_for expression_for equation_for value_for values_for isolat*_for look*_for as_follows
""")
_TRACE_CASES = re.compile(
    r"\b(?:case \d|case [A-Z]|choice|option|modulo|mod|congruen\w*|matrix|matrices|vector)\b|\\pmod", re.IGNORECASE
)
_BRANCH = re.compile(
    r"^\W*(?:step \d+\W*)?(?:(?:first|second|third|next|then|finally|similarly|now|also)\b\W*)?"
    r"(?:for|if|when|case|similarly|likewise|suppose|assume|otherwise|alternatively|consider|let us try|let's try)\b",
    re.IGNORECASE,
)
_PLANE = any_of("""
    lines? graphs? curves? parabolas? circles? ellipses? hyperbolas? slopes? intercepts? coordinates? asymptotes?
    tangents? perpendicular bisectors? planes? intersect* vertex vertices functions? axis axes points?
""")
_APPLIED = re.compile(r"([a-zA-Z])\((-?\d{1,6})\)")
_DEFINED = re.compile(r"([a-zA-Z])\(([a-z])\)")
_OR = re.compile(r"\bor\b")
_WHERE = any_of("where")
_FUNCTION = re.compile(r"(?<![A-Za-z\\])([a-zA-Z])\(([a-z]|[a-zA-Z]\([a-z]\))\)\s*=")
_FUNCTIONS = frozenset(Sym(name) for name in "fgh")
_COORDINATES = frozenset(("x", "y", "z", "f(x)", "g(x)", "t", "r", "theta"))
_ASKED = any_of("or either if when for find what let")
_GIVEN = any_of("given if suppose such_that satisfy* where")
_SENTENCE = re.compile(r"[.!?]\s|\n\s*\n|;")


@dataclass(slots=True)
class Equation:
    """One asserted equation with its place."""

    index: int
    passage: Passage
    left: Side
    right: Side
    polynomial: Polynomial
    text: str
    symbols: frozenset[str]


@dataclass(slots=True)
class Book:
    """All equations so far, by index, and what follows from them."""

    equations: list[Equation] = field(default_factory=list)
    knowledge: Knowledge = field(default_factory=Knowledge)
    loose: set[str] = field(default_factory=set)  # symbols that stand for several values
    functions: dict[str, tuple[str, Tree] | None] = field(default_factory=dict)  # f -> its variable and its rule

    def loosen(self, names: set[str] | frozenset[str]) -> None:
        """These symbols stand for several values: what was learnt through them no longer counts."""
        if names <= self.loose:
            return
        self.loose |= names
        self.knowledge = Knowledge()
        for item in self.equations:
            if not item.symbols & self.loose and not is_constant(item.polynomial):
                self.knowledge.learn(item.polynomial, item.index)

    def applied(self, tree: Tree) -> Tree:
        """The tree with f(3) replaced by the rule of f at 3."""
        found: dict[str, Tree] = {}
        for item in walk(tree):
            match = _APPLIED.fullmatch(item.name) if isinstance(item, Sym) else None
            rule = self.functions.get(match[1]) if match else None
            if match and rule:
                found[match[0]] = substitute(rule[1], {rule[0]: Num(Fraction(match[2]))})
        return substitute(tree, found) if found else tree

    def define(self, left: Tree, right: Tree) -> None:
        """f(x) = a rule in x alone defines f; a second rule takes the definition away."""
        match = _DEFINED.fullmatch(left.name) if isinstance(left, Sym) else None
        if match and free_symbols(right) == {match[2]}:
            rule = (match[2], right)
            known = self.functions.get(match[1], rule)
            self.functions[match[1]] = rule if known == rule else None


def check(script: Script) -> Iterator[Placed]:
    """Reads problem and steps in order; every contradiction is placed at the later equation."""
    if _TRACE_CASES.search(script.problem.text):
        return
    book = Book()
    book.loosen(_unknown_functions(script.problem.text))
    plane = bool(_PLANE.search(script.problem.text))
    for passage in (script.problem, *script.passages):
        given = passage is script.problem
        branch = not given and bool(_BRANCH.search(passage.text[:80]))
        own = Book(functions=book.functions)
        several = _listed(passage)
        own.loosen(several)
        book.loosen(several)
        if passage.page.chains and passage.is_modular:
            continue
        for chain in passage.page.chains:
            if passage.text.endswith("_{", 0, chain.start):
                continue  # the index of a sum
            local = branch or (plane and not given and _in_plane(chain))
            yield from _check_chain(passage, chain, own if local else book, given)


def _unknown_functions(text: str) -> set[str]:
    """Letters that the problem uses as functions: t(x) = 3x + 1 makes t(5) no product."""
    return {match[1] for match in _FUNCTION.finditer(text)}


def _in_plane(chain: Chain) -> bool:
    """Whether a chain speaks of coordinates, which belong to one curve at a time."""
    return any(side.tree is not None and free_symbols(side.tree) & _COORDINATES for side in chain.sides)


def _listed(passage: Passage) -> set[str]:
    """Symbols of expressions that one passage gives several values: x = 2 and x = 3."""
    found: dict[Tree, list[Tree]] = {}
    for chain in passage.page.chains:
        for left, right in itertools.pairwise(chain.sides):
            last = chain.sides[-1].tree
            if left.tree is None or right.tree is None or free_symbols(right.tree) or last is None:
                continue
            values = found.setdefault(left.tree, [])
            if not any(
                value == last or compare(left=value, right=last, relation="=").state == HOLDS for value in values
            ):
                values.append(last)
    several = [tree for tree, values in found.items() if len(values) > 1 and _is_simple(tree)]
    names = {name for tree in several for name in free_symbols(tree)}
    for one, other in itertools.pairwise(passage.page.chains):
        tree = one.sides[0].tree
        if tree is not None and tree == other.sides[0].tree and _OR.search(passage.text[one.end : other.start]):
            names |= free_symbols(tree)
    return names


def _is_simple(tree: Tree) -> bool:
    """A symbol, or a function of one."""
    return isinstance(tree, Sym) or (isinstance(tree, Node) and len(tree.args) == 1 and isinstance(tree.args[0], Sym))


def _check_chain(passage: Passage, chain: Chain, book: Book, given: bool) -> Iterator[Placed]:
    for index, relation in enumerate(chain.relations):
        left, right = chain.sides[index], chain.sides[index + 1]
        if relation != "=" or len(book.equations) >= MAX_EQUATIONS or not is_equation(left, right):
            continue
        if _holds_in_one_case(passage, chain, index, given):
            if left.tree is not None and right.tree is not None:
                book.define(left.tree, right.tree)
            name = _assigned(left, right)
            if name and not _WHERE.search(passage.text[max(0, chain.start - 240) : chain.start]):
                book.loosen({name})
            continue
        equation = _equation(passage, left, right, book)
        if equation is not None:
            yield from _enter(equation, book, given)


def _equation(passage: Passage, left: Side, right: Side, book: Book) -> Equation | None:
    assert left.tree is not None
    assert right.tree is not None
    one, other = book.applied(left.tree), book.applied(right.tree)
    try:
        polynomial = difference(one, other)
    except IncalculableError:
        return None
    if not free_symbols(one) | free_symbols(other) and compare(left=one, right=other, relation="=").state == FAILS:
        polynomial = constant(Fraction(1))  # f(8) by its rule is a number, and it is another one
    text = f"{plain(left.tree)} = {plain(right.tree)}"
    symbols = free_symbols(left.tree) | free_symbols(right.tree)
    return Equation(len(book.equations), passage, left, right, polynomial, text, symbols) if polynomial else None


def _enter(equation: Equation, book: Book, given: bool) -> Iterator[Placed]:
    """Judges one equation against the book, then writes it into the book."""
    if equation.symbols & book.loose:
        return
    book.equations.append(equation)
    if equation.left.tree is not None and equation.right.tree is not None:
        book.define(equation.left.tree, equation.right.tree)
    against = None if given else book.knowledge.contradiction(equation.polynomial, equation.index)
    if against is None:
        if not is_constant(equation.polynomial):
            book.knowledge.learn(equation.polynomial, equation.index)
        return
    others = [book.equations[index] for index in sorted(against - {equation.index})]
    name = _assigned(equation.left, equation.right)
    if name and any(_assigned(other.left, other.right) == name for other in others):
        book.loosen({name})
        return
    yield _placed(equation, others)


def _assigned(left: Side, right: Side) -> str | None:
    """x when the equation is x = a value without symbols."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one.tree, Sym) and other.tree is not None and not free_symbols(other.tree):
            return one.tree.name
    return None


def is_equation(left: Side, right: Side) -> bool:
    """Both sides read without doubt, at least one symbol, no rounded decimals."""
    if left.tree is None or right.tree is None or left.doubts or right.doubts or left.others or right.others:
        return False
    if not free_symbols(left.tree) | free_symbols(right.tree):
        return False
    if left.log_open or right.log_open:
        return False
    return all(_is_plain(tree) for tree in (left.tree, right.tree))


def _is_plain(tree: Tree) -> bool:
    if any(number.cut or number.percent or _may_be_rounded(number) for number in literals(tree)):
        return False
    return not any(isinstance(item, Node) and (item.op.startswith("dots") or _is_inverse(item)) for item in walk(tree))


def _is_inverse(item: Node) -> bool:
    """f^{-1}(6): the inverse function at 6, no power of f."""
    return item.op == "^" and item.args[0] in _FUNCTIONS and plain(item.args[1]) in ("-1", "(-1)")


def _may_be_rounded(number: Num) -> bool:
    return number.decimals > 2 or (number.decimals > 1 and is_rounded(number, frozenset(), frozenset()))


def _holds_in_one_case(passage: Passage, chain: Chain, index: int, given: bool) -> bool:
    text = passage.text
    head = text[max(0, chain.start - 240) : chain.start]
    sentence = _NO_CASE.sub(" ", _SENTENCE.split(head)[-1])
    if given:
        return bool(_ASKED.search(sentence)) and not _GIVEN.search(sentence)
    after = _SENTENCE.split(text[chain.end : chain.end + 80])[0]
    if _CASE.search(sentence) or _NEAR.search(sentence) or _START.search(sentence):
        return True
    return bool(_CASE.search(after) or context_doubt(text, chain, index))


def _placed(equation: Equation, others: list[Equation]) -> Placed:
    reasons = [other.text for other in others][:4]
    sentence = f"{equation.text} holds for no value: the two sides differ by a constant."
    if any(_APPLIED.fullmatch(name) for name in equation.symbols):
        sentence = f"{equation.text} contradicts the rule that was given for this function."
    if reasons:
        sentence = f"{equation.text} contradicts what stands before: {'; '.join(reasons)}."
    against = r" \\ ".join(_shown(other) for other in others[:4])
    details = {
        "normal_form": equation.text,
        "against": "; ".join(reasons),
        "rule": "inconsistent equations",
        "evidence_latex": _shown(equation),
        "against_latex": against,
    }
    return place(
        passage=equation.passage,
        start=equation.left.start,
        end=equation.right.end,
        verdict=Verdict.REFUTED,
        checker=NAME,
        rule="inconsistent equations",
        sentence=sentence,
        details=details,
    )


def _shown(equation: Equation) -> str:
    assert equation.left.tree is not None
    assert equation.right.tree is not None
    return f"{latex(equation.left.tree)} = {latex(equation.right.tree)}"
