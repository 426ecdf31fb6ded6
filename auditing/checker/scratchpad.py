"""The scratchpad: one expression, equation or chain, computed by the same engine as the checkers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from auditing.checker.checks.numbers.arithmetic import judge
from auditing.checker.mathematics.chains import Chain, read_page
from auditing.checker.mathematics.compare import FAILS, HOLDS, shown
from auditing.checker.mathematics.division import coefficients, rational_roots
from auditing.checker.mathematics.enclosure import IncalculableError, Range, Value
from auditing.checker.mathematics.evaluate import DEFAULT
from auditing.checker.mathematics.evaluate import evaluate as value_of
from auditing.checker.mathematics.grammar import UnreadableError, parse_slice
from auditing.checker.mathematics.identity import is_identity
from auditing.checker.mathematics.polynomial import difference, names_in
from auditing.checker.mathematics.tokens import Token, tokenize
from auditing.checker.mathematics.tree import (
    Node,
    Num,
    Sym,
    Tree,
    free_symbols,
    latex,
    literals,
    number_text,
    plain,
    substitute,
    walk,
)
from auditing.checker.mathematics.vocabulary import SIZED_UNITS

MAX_INPUT = 2_000
MAX_SHOWN = 80
# people type "pi"; the engine reads π
_PI = re.compile(r"(?<![A-Za-z\\])pi(?![A-Za-z])")
_WORDS = {
    "unread": "no number, symbol or bracket stands there that an expression can start with",
    "the expression ends early": "nothing stands there",
}


class ScratchState(StrEnum):
    """What the scratchpad has to say about an input."""

    VALUE = "value"  # an expression was computed
    TRUE = "true"  # a relation holds
    FALSE = "false"  # a relation does not hold
    SOLVED = "solved"  # an equation was solved for its one unknown
    OPEN = "open"  # an equation that holds for some values and not for others
    FORM = "form"  # an expression with symbols, shown in normal form
    CANNOT = "cannot check"


@dataclass(frozen=True, slots=True)
class ScratchResult:
    """One answer: the state, one sentence, what was read, and the LaTeX of what was read and of the result."""

    state: ScratchState
    sentence: str
    read: str = ""
    read_latex: str = ""
    result: str = ""
    result_latex: str = ""


def evaluate(text: str) -> ScratchResult:
    """Evaluates `text`; never raises and never runs code.

    >>> evaluate("2 + 3 * 4").sentence
    '2 + 3 * 4 = 14'
    >>> evaluate("2x + 3 = 11").sentence
    'x = 4 solves 2 * x + 3 = 11.'
    """
    text = _PI.sub("π ", text.strip())
    if not text:
        return ScratchResult(ScratchState.CANNOT, "Type an expression or an equation.")
    if len(text) > MAX_INPUT:
        return ScratchResult(ScratchState.CANNOT, f"At most {MAX_INPUT} characters, please.")
    try:
        # a relation makes it a chain; without one it is an expression
        page = read_page(text)
        return _chain(page.chains[0]) if page.chains else _expression(text)
    # the sentence names why: nobody can repair an input from "syntax error"
    except UnreadableError as reason:
        return ScratchResult(ScratchState.CANNOT, f"This cannot be read: {_in_words(str(reason))}.")
    except IncalculableError as reason:
        return ScratchResult(ScratchState.CANNOT, f"This cannot be computed: {reason}.")
    except (RecursionError, OverflowError, MemoryError):
        return ScratchResult(ScratchState.CANNOT, "This cannot be checked: it is too large.")


def _expression(text: str) -> ScratchResult:
    # one expression: its delimiters do not matter
    tokens = [token for token in tokenize(text) if token.kind not in ("math", "nl")]
    tree, after = parse_slice(tokens=tokens, start=0, end=len(tokens))
    if after < len(tokens):
        raise UnreadableError(_stopped(text, tokens, after))
    if free_symbols(tree):
        return ScratchResult(
            ScratchState.FORM, f"{plain(tree)} has no value: {_unknowns(tree)} unknown.", plain(tree), latex(tree)
        )
    _check_units(tree)
    value = _exactly(value_of(tree, DEFAULT))
    angles = "; angles without ° are radians" if _has_bare_angle(tree) else ""
    return ScratchResult(
        ScratchState.VALUE,
        f"{plain(tree)} = {value}{angles}",
        plain(tree),
        latex(tree),
        value,
        f"{latex(tree)} = {value}",
    )


def _stopped(text: str, tokens: list[Token], after: int) -> str:
    """Where reading stopped, counted from 1, and what is likely wrong there."""
    token = tokens[after]
    position = f"at character {token.start + 1}, {text[token.start : token.end]!r}"
    if token.kind == "op" and after + 1 == len(tokens):
        return f"{position}: something must follow it"
    if token.kind == "close":
        return f"{position}: this bracket was never opened"
    if token.kind == "op":
        return f"{position}: the sign after it does not fit"
    return f"{position}: it does not go on from what stands before it"


def _in_words(reason: str) -> str:
    return "a bracket is never closed" if reason.startswith("expected ") else _WORDS.get(reason, reason)


def _check_units(*trees: Tree) -> None:
    """Raises Unreadable when quantities in units of different size would be computed as bare numbers."""
    units = {
        word
        for tree in trees
        for number in literals(tree)
        for word in number.unit.replace("/", " ").split()
        if word.rstrip("s.") in SIZED_UNITS or word in SIZED_UNITS
    }
    # singular and plural are one unit
    if len({word.rstrip("s.") or word for word in units}) > 1:
        raise UnreadableError(f"{' and '.join(sorted(units))} are units of different size; convert one of them first")


def _has_bare_angle(tree: Tree) -> bool:
    return any(
        isinstance(call, Node)
        and call.op in ("sin", "cos", "tan", "cot", "sec", "csc")
        and not any(
            subtree == Sym("pi") or (isinstance(subtree, Node) and subtree.op == "deg") for subtree in walk(call)
        )
        for call in walk(tree)
    )


def _exactly(value: Value) -> str:
    """Every digit of a whole number that fits on a line; an enclosed value that can only be a whole number as one."""
    if isinstance(value, Fraction) and value.denominator == 1 and abs(value.numerator) < 10**MAX_SHOWN:
        return str(value.numerator)
    if isinstance(value, Range) and value.high - value.low < Fraction(1, 10**20):
        # log(1000) comes as a narrow interval around 3
        whole = round(value.low)
        if value.low <= whole <= value.high:
            return str(whole)
    return shown(value)


def _unknowns(tree: Tree) -> str:
    names = sorted(free_symbols(tree))
    return f"{', '.join(names)} {'is' if len(names) == 1 else 'are'}"


def _chain(chain: Chain) -> ScratchResult:
    """The first false link decides; without one, all links hold."""
    result = ScratchResult(ScratchState.CANNOT, "This cannot be checked: a side cannot be read.")
    for index, relation in enumerate(chain.relations):
        left, right = chain.sides[index], chain.sides[index + 1]
        if left.tree is None or right.tree is None:
            side, which = (left, "left") if left.tree is None else (right, "right")
            reason = _in_words(next(iter(side.doubts), "unread"))
            return ScratchResult(
                ScratchState.CANNOT,
                f"The {which} side of {relation} at character {side.start + 1} cannot be read: {reason}.",
            )
        _check_units(left.tree, right.tree)
        text = f"{plain(left.tree)} {relation} {plain(right.tree)}"
        formula = f"{latex(left.tree)} {relation} {latex(right.tree)}"
        if free_symbols(left.tree) | free_symbols(right.tree):
            result = _symbolic(left.tree, right.tree, relation, text, formula)
        else:
            judgement = judge(left, right, relation, DEFAULT)
            states = {HOLDS: ScratchState.TRUE, FAILS: ScratchState.FALSE}
            state = states.get(judgement.state, ScratchState.CANNOT)
            values = f"{shown(judgement.left)} and {shown(judgement.right)}"
            state_text = {ScratchState.TRUE: "holds", ScratchState.FALSE: "is false"}.get(state, "is open")
            result = ScratchResult(state, f"{text} {state_text} ({judgement.rule}: {values}).", text, formula, values)
        # What stands behind a false link may be right in itself; the reader is told of the first.
        if result.state is not ScratchState.TRUE:
            return result
    return result


def _symbolic(left: Tree, right: Tree, relation: str, text: str, formula: str) -> ScratchResult:
    if relation != "=":
        return ScratchResult(ScratchState.CANNOT, f"{text}: inequalities with unknowns are not decided.", text, formula)
    if is_identity(left=left, right=right):
        return ScratchResult(ScratchState.TRUE, f"{text} holds for all values.", text, formula)
    # Rational roots are found exactly; a rest without any may have irrational ones, so that nothing is denied.
    roots, all_found = _solutions(left, right)
    if roots:
        names = sorted(free_symbols(left) | free_symbols(right))
        solutions = " or ".join(f"{names[0]} = {number_text(root)}" for root in roots)
        verb = "solves" if len(roots) == 1 else "solve"
        more = "" if all_found else " Others, if any, are no fractions."
        return ScratchResult(
            ScratchState.SOLVED,
            f"{solutions} {verb} {text}.{more}",
            text,
            formula,
            solutions,
            r" \text{ or } ".join(f"{names[0]} = {number_text(root)}" for root in roots),
        )
    return ScratchResult(
        ScratchState.OPEN,
        f"{text} does not hold for all values; which values solve it is not decided here.",
        text,
        formula,
    )


def _solutions(left: Tree, right: Tree) -> tuple[tuple[Fraction, ...], bool]:
    """Fractions that solve an equation in one unknown, each tried in it, and whether there can be no others."""
    names = free_symbols(left) | free_symbols(right)
    if len(names) != 1:
        return (), False
    try:
        polynomial = difference(left, right)
        roots = rational_roots(polynomial) if names_in(polynomial) == names else None
    except IncalculableError:
        return (), False
    # as many roots as the degree: there can be no others
    degree = len(coefficients(polynomial)) - 1 if roots is not None else 0
    solving = tuple(root for root in roots or () if _is_solved(left, right, next(iter(names)), root))
    return solving, len(roots or ()) == degree


def _is_solved(left: Tree, right: Tree, name: str, root: Fraction) -> bool:
    filled: dict[str, Tree] = {name: Num(root)}
    try:
        return value_of(substitute(left, filled), DEFAULT) == value_of(substitute(right, filled), DEFAULT)
    except IncalculableError:
        return False
