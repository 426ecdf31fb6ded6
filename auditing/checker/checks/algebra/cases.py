"""Suppositions: equations that hold in one case only, by the words around them, and symbols with several values.

"If x = 2, then ..." supposes; "x = 2 or x = 3" lists. Taken as facts, such equations would contradict each other and
accuse a sound derivation, so the checks of algebra keep them apart.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from fractions import Fraction

from auditing.checker.checks.algebra.equations import Equation, assigned_symbol
from auditing.checker.checks.solved.instances import is_of_a_pair
from auditing.checker.mathematics.chains import Chain, Side
from auditing.checker.mathematics.compare import HOLDS, compare
from auditing.checker.mathematics.evaluate import value_of
from auditing.checker.mathematics.tree import Node, Num, Sym, Tree, bare_number, free_symbols
from auditing.checker.mathematics.vocabulary import any_of
from auditing.checker.reading.passages import Passage, Script, speaks_of_congruences
from auditing.checker.reading.suppressions import context_doubt
from hdag.core.text.cues import Cue

# an equation in such a sentence holds in one case only
_CASE = any_of("""
    if when whenever suppose assum* try trying test* check* cases? otherwise either or unless example instance
    choice option options guess* consider minimum maximum minimi[sz]* maximi[sz]* where would could approximat*
    about roughly until while redefin* replac* another loop iterat* pattern respectively plug* choos* set setting
    no contradict* possible between verify* boundary asymptote* limit* approach* solutions_are roots_are
    corresponding such_that
""")
# directly before an equation, or at the start of its sentence, these name a case
_NEAR = Cue(r"\b(?:for|at|as|with|let|use|using|take|taking|put|putting|since)\W*$", re.IGNORECASE)
# a = 2: 11b = 78
_TRIAL = Cue(r"(?<![A-Za-z])[A-Za-z](?:_\d)?\s?=\s?[-−]?\d{1,6}(?:\.\d{1,4})?\s?:[\s$\\(]{0,4}$")
_START = re.compile(r"^\W*(?:for|at|with|let(?!['’]s| us))\b", re.IGNORECASE)
# by substituting a = 3 and b = 5 into the operation: the next pair fills it anew
_FILLING = Cue(r"\bsubstitut(?:e|ing)\b", re.IGNORECASE)
_FILLED = re.compile(
    r"\b(?:in|into)\s(?:the|its|this|that|our)\s(?:\w+\s)?(?:function|operation|operator|definition|rule)\b"
)
# taken out of a sentence before it is searched: "solve for x" and "the equation for the line" suppose nothing
_NO_CASE = any_of("""
    another_equation for_the_equation
    solv*_for formula_for expression_for equation_for value_for values_for isolat*_for look*_for as_follows
""")
# with one of these in the problem, nothing in the whole trace is checked
_TRACE_CASES = Cue(
    r"\b(?:case \d|case [A-Z]|choice|option|modulo|mod|matrix|matrices|vector)\b|\\pmod"
    # ... or where a letter is asked for that leaves the equations without a solution
    r"|\bno (?:real )?(?:solutions?|pairs?)\b|\binfinitely many solutions\b|\binconsistent\b",
    re.IGNORECASE,
)
_BRANCH = Cue(
    r"^\W*(?:(?:step )?\d{1,2}\W+)?(?:(?:first|second|third|next|then|finally|similarly|now|also)\b\W*)?"
    r"(?:for|if|when|case|similarly|likewise|suppose|assume|otherwise|alternatively|consider|let us try|let's try)\b",
    re.IGNORECASE,
)
# "f(x) = 2x for x < 1", but "for all x" names every argument
_SOME = r"(?:if|when(?:ever)?|unless|otherwise|else|except|provided|up to|for(?! (?:all|every|any|each|real)\b))\b"
_ARGUMENTS_BEHIND = re.compile(rf"[\s,;:$\\()\]]{{0,6}}(?:\\text\{{\s?)?(?:and )?{_SOME}", re.I)
_ARGUMENTS_BEFORE = Cue(
    r"\b(?:if|when|for)\b[^,:]{0,30}(?:[<>≤≥≠]|\\[lgn]eq?\b|\\[lg]t\b|\b(?:even|odd|positive|negative|integers?)\b)",
    re.I,
)
_PLANE = any_of("""
    lines? graphs? curves? parabolas? circles? ellipses? hyperbolas? slopes? intercepts? coordinates? asymptotes?
    tangents? perpendicular bisectors? planes? intersect* vertex vertices functions? axis axes points?
""")
_GRAPH = any_of("graphs?_of [xyz]-axis_is equation_of_the_(?:ellipse|hyperbola|parabola|asymptote|circle)")
_OR, _AND = re.compile(r"\bor\b"), re.compile(r"\band\b")
# names that every curve of a problem uses again
_COORDINATES = frozenset(("x", "y", "z", "f(x)", "g(x)", "t", "r", "theta"))
_ASKED = any_of("or either if when for find what let")
_GIVEN = any_of("given if suppose such_that satisfy* where")
# the label of a model, a step, a group, an item
_LABELLED = re.compile(r"(?:\b[A-Za-z]{3,12}\s(?:\d{1,3}|[A-D])\s?[:,—–-]|\((?:[ivx]{1,4}|[a-h]|\d{1,2})\))[\s$\\(]*$")
# t=0 x=1.00 v=2.00: the signs touch, and between two of them stand a value and the next name
_VALUE_AND_KEY = re.compile(r"[^\s=]{1,20}\s[A-Za-z_]\w{0,20}")
_FACTOR = re.compile(r"\b(?:solv(?:e|ing)|set(?:ting)?|factors?|quadratic|remaining)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"[.!?]\s|\n\s*\n|;")


def is_split_into_cases(problem: str) -> bool:
    """Whether a problem asks for cases, congruences or matrices, where equal names need not be equal numbers."""
    return bool(_TRACE_CASES.search(problem)) or speaks_of_congruences(problem)


def speaks_of_curves(problem: str) -> bool:
    """Whether a problem is about lines and curves, each with an equation of its own for the same coordinates."""
    return bool(_PLANE.search(problem))


def names_a_graph(text: str) -> bool:
    """Whether the words beside an equation say that it is the equation of a graph."""
    return bool(_GRAPH.search(text))


def opens_a_branch(passage: Passage, before: str = "") -> bool:
    """Whether a passage begins one of several cases: "For x < 0, ...", "Similarly, ...".

    So does one that goes on with the sentence before it: "In the first case we have" and a formula below.
    """
    if _BRANCH.search(passage.text, 0, 80):
        return True
    sentence = _SENTENCE.split(before[-160:])[-1]
    is_unfinished = bool(sentence.strip()) and sentence.rstrip()[-1] not in ".!?"
    return is_unfinished and bool(_BRANCH.search(sentence))


def with_branches(script: Script) -> Iterator[tuple[Passage, bool]]:
    """The problem and every passage, with whether it begins one of several cases."""
    yield script.problem, False
    before = ""
    for passage in script.passages:
        yield passage, opens_a_branch(passage, before)
        before = passage.text


def is_about_coordinates(chain: Chain) -> bool:
    """Whether a chain speaks of coordinates, which belong to one curve at a time."""
    return any(side.tree is not None and free_symbols(side.tree) & _COORDINATES for side in chain.sides)


# who is introduced, and as what
_INTRODUCED = Cue(
    r"\blet\s+[\\($]{0,3}([a-zA-Z])[\\)$]{0,3}\s+(?:now\s+)?(?:be|denote|represent|stand for|equal)\s+"
    r"((?:[A-Za-z'’-]{1,15}\s?){1,5})",
    re.IGNORECASE,
)


def introduced_anew(passage: Passage, meanings: dict[str, str]) -> set[str]:
    """Symbols that a passage lets be something else than one before; meanings: as what each was introduced."""
    anew = set()
    for name, words in _INTRODUCED.findall(passage.text):
        if meanings.setdefault(name, words) != words:
            anew.add(name)
    return anew


def listed_symbols(passage: Passage) -> set[str]:
    """Symbols of expressions that one passage gives several values: x = 2 and x = 3."""
    values_of: dict[Tree, list[Tree]] = {}
    for chain in passage.page.chains:
        for left, right in itertools.pairwise(chain.sides):
            # "x = 6/3 = 2" gives x the value at the end of its chain
            last = chain.sides[-1].tree
            if left.tree is None or right.tree is None or free_symbols(right.tree) or last is None:
                continue
            values = values_of.setdefault(left.tree, [])
            # two values are several: a thousand lines need not be compared with each other
            if len(values) > 1:
                continue
            # two texts of one value, such as 1/2 and 0.5, count once
            if not any(
                value == last or compare(left=value, right=last, relation="=").state == HOLDS for value in values
            ):
                values.append(last)
    several = [tree for tree, values in values_of.items() if len(values) > 1 and _is_simple(tree)]
    names = {name for tree in several for name in free_symbols(tree)}
    pairs = itertools.pairwise(passage.page.chains)
    return names.union(*(_names_of_two(passage.text, earlier, later) for earlier, later in pairs))


def _names_of_two(text: str, earlier: Chain, later: Chain) -> frozenset[str]:
    """ "x = 2y or x = 3y": the values hold symbols, but the word between them, or one sign, says that there are two."""
    tree, between = earlier.sides[0].tree, text[earlier.end : later.start]
    if tree is None or tree != later.sides[0].tree:
        return frozenset()
    values = earlier.sides[-1].tree, later.sides[-1].tree
    # zeros at x = a and x = b
    are_letters = all(isinstance(value, Sym) for value in values) and values[0] != values[1] and _AND.search(between)
    are_two = are_letters or _OR.search(between) or _are_conjugate(*values)
    return frozenset(free_symbols(tree)) if are_two else frozenset()


def _are_conjugate(left: Tree | None, right: Tree | None) -> bool:
    """(1 + sqrt(5))/2 and (1 - sqrt(5))/2: the same but for one sign."""
    if not isinstance(left, Node) or not isinstance(right, Node) or len(left.args) != len(right.args):
        return False
    if {left.op, right.op} == {"+", "-"}:
        return left.args == right.args
    apart = [(a, b) for a, b in zip(left.args, right.args, strict=True) if a != b]
    return left.op == right.op and len(apart) == 1 and _are_conjugate(*apart[0])


def _is_simple(tree: Tree) -> bool:
    """A symbol, or a function of one."""
    return isinstance(tree, Sym) or (isinstance(tree, Node) and len(tree.args) == 1 and isinstance(tree.args[0], Sym))


def holds_in_one_case(passage: Passage, chain: Chain, index: int, is_problem: bool) -> bool:
    """Whether the words around link `index` of a chain make it a supposition instead of a fact.

    In a problem "find x when 2x = 6" asks, while "given that 2x = 6" states; elsewhere every word of a case counts.
    """
    text = passage.text
    before = text[max(0, chain.start - 240) : chain.start]
    sentence = _NO_CASE.sub(" ", _SENTENCE.split(before)[-1])
    if is_problem:
        return bool(_ASKED.search(sentence)) and not _GIVEN.search(sentence)
    if is_a_row_of_keys(text, chain):
        return True
    after = _SENTENCE.split(text[chain.end : chain.end + 80])[0]
    if _CASE.search(sentence) or _TRIAL.search(sentence) or _NEAR.search(sentence) or _START.search(sentence):
        return True
    is_filling = _FILLING.search(sentence) and (_FILLED.search(after) or is_of_a_pair(sentence, after))
    return bool(is_filling or _CASE.search(after) or context_doubt(text, chain, index))


def defines_a_branch(passage: Passage, chain: Chain) -> bool:
    """Whether a rule holds for some arguments alone: f(x) = x + 1 if x is odd, or for x < 0, or except at 1."""
    head = _SENTENCE.split(passage.text[max(0, chain.start - 120) : chain.start])[-1]
    tail = _SENTENCE.split(passage.text[chain.end : chain.end + 80])[0]
    return bool(_ARGUMENTS_BEHIND.match(tail) or _ARGUMENTS_BEFORE.search(head))


def are_two_fillings(one: tuple[Tree, Tree], other: tuple[Tree, Tree]) -> bool:
    """Q_3 - Q_1 = 89 - 78 after Q_3 - Q_1 = 82 - 56: a formula of several symbols, filled anew for another case."""
    formula = one[0]
    return (
        formula == other[0]
        and len(free_symbols(formula)) > 1
        and all(not free_symbols(filled) and _is_filled(formula, filled) for _, filled in (one, other))
    )


def _is_filled(formula: Tree, filled: Tree) -> bool:
    if isinstance(formula, Sym):
        return bare_number(filled) is not None
    if isinstance(formula, Num) or not isinstance(filled, Node):
        return isinstance(formula, Num) and isinstance(filled, Num) and formula.value == filled.value
    is_alike = formula.op == filled.op and len(formula.args) == len(filled.args)
    return is_alike and all(itertools.starmap(_is_filled, zip(formula.args, filled.args, strict=True)))


def are_two_curves(one: tuple[Tree, Tree], other: tuple[Tree, Tree]) -> bool:
    """y = x^2 + 1 beside y = x^2: one letter for the height of each of two curves."""
    name, rule = one
    other_name, other_rule = other
    is_height = isinstance(name, Sym) and name == other_name and name.name not in free_symbols(rule)
    return is_height and len(free_symbols(rule)) == 1 and free_symbols(rule) == free_symbols(other_rule)


def is_a_row_of_keys(text: str, chain: Chain) -> bool:
    """Whether a chain is a line of a log, in which each name stands before its own value: t=0 x=1.00 v=2.00."""
    if len(chain.sides) < 3 or set(chain.relations) != {"="}:
        return False
    _, *inner, _ = text[chain.start : chain.end].split("=")
    return bool(inner) and all(_VALUE_AND_KEY.fullmatch(side) for side in inner)


def are_two_labelled(text: str, one: tuple[Side, Side], other: tuple[Side, Side]) -> bool:
    """R^2 = .12 and R^2 = .19 behind "Model 1:" and "Model 2:": two numbers of one name, each behind its own label."""
    numbers = [bare_number(right.tree) if right.tree is not None else None for _, right in (one, other)]
    if one[0].tree != other[0].tree or None in numbers:
        return False
    return all(_LABELLED.search(text[max(0, left.start - 24) : left.start]) for left, _ in (one, other))


def split_symbols(equation: Equation, contradicted: list[Equation]) -> set[str]:
    """Symbols of which an equation and those it contradicts tell several values, each in a case of its own.

    x = 2 and x = 3 are two solutions, |x + 7| = 1 is x + 7 = 1 and x + 7 = -1, and behind x (x^2 - 3) = 0 and x = 0
    the other factor is solved.
    """
    name = assigned_symbol(equation.left, equation.right)
    if name and any(assigned_symbol(earlier.left, earlier.right) == name for earlier in contradicted):
        return {name}
    if len(contradicted) == 1 and _are_opposite(equation, contradicted[0]):
        return set(equation.symbols)
    names = {assigned_symbol(earlier.left, earlier.right) for earlier in contradicted}
    is_factor = equation.right.tree == Num(Fraction(0)) and names == equation.symbols
    head = _SENTENCE.split(equation.passage.text[max(0, equation.left.start - 120) : equation.left.start])[-1]
    return set(equation.symbols) if is_factor and _FACTOR.search(head) else set()


def _are_opposite(first: Equation, second: Equation) -> bool:
    values = [value_of(line.right.tree) for line in (first, second) if line.right.tree is not None]
    numbers = [value for value in values if value]
    return first.left.tree == second.left.tree and len(numbers) == 2 and sum(numbers) == 0
