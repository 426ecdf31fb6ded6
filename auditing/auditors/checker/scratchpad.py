"""The scratchpad: one expression, equation or chain, computed by the same engine as the checkers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from auditing.auditors.checker.arithmetic import judge
from auditing.core.mathematics.chains import Chain, read_page
from auditing.core.mathematics.compare import FAILS, HOLDS, shown
from auditing.core.mathematics.enclosure import Incalculable
from auditing.core.mathematics.evaluate import DEFAULT
from auditing.core.mathematics.evaluate import evaluate as value_of
from auditing.core.mathematics.grammar import Unreadable, parse_slice
from auditing.core.mathematics.identity import is_identity
from auditing.core.mathematics.knowledge import Knowledge
from auditing.core.mathematics.polynomial import difference
from auditing.core.mathematics.tokens import tokenize
from auditing.core.mathematics.tree import Tree, free_symbols, latex, plain

MAX_INPUT = 2_000


class ScratchState(StrEnum):
    """What the scratchpad has to say about an input."""

    VALUE = "value"  # an expression was computed
    TRUE = "true"  # a relation holds
    FALSE = "false"  # a relation does not hold
    SOLVED = "solved"  # an equation was solved for its one unknown
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
    text = text.strip()
    if not text:
        return ScratchResult(ScratchState.CANNOT, "Type an expression or an equation.")
    if len(text) > MAX_INPUT:
        return ScratchResult(ScratchState.CANNOT, f"At most {MAX_INPUT} characters, please.")
    try:
        page = read_page(text)
        return _chain(page.chains[0]) if page.chains else _expression(text)
    except Unreadable as reason:
        return ScratchResult(ScratchState.CANNOT, f"This cannot be read: {reason}.")
    except Incalculable as reason:
        return ScratchResult(ScratchState.CANNOT, f"This cannot be computed: {reason}.")
    except (RecursionError, OverflowError, MemoryError):
        return ScratchResult(ScratchState.CANNOT, "This cannot be checked: it is too large.")


def _expression(text: str) -> ScratchResult:
    tokens = [token for token in tokenize(text) if token.kind not in ("math", "nl")]
    tree, after = parse_slice(tokens=tokens, start=0, end=len(tokens))
    if after < len(tokens):
        raise Unreadable(f"nothing is known that goes on with {tokens[after].text!r}")
    if free_symbols(tree):
        return ScratchResult(ScratchState.FORM, f"{plain(tree)} has no value: {_unknowns(tree)} unknown.", plain(tree),
                             latex(tree))  # fmt: skip
    value = shown(value_of(tree, DEFAULT))
    return ScratchResult(ScratchState.VALUE, f"{plain(tree)} = {value}", plain(tree), latex(tree), value,
                         f"{latex(tree)} = {value}")  # fmt: skip


def _unknowns(tree: Tree) -> str:
    names = sorted(free_symbols(tree))
    return f"{', '.join(names)} {'is' if len(names) == 1 else 'are'}"


def _chain(chain: Chain) -> ScratchResult:
    """The first false link decides; without one, all links hold."""
    result = ScratchResult(ScratchState.CANNOT, "This cannot be checked: a side cannot be read.")
    for index, relation in enumerate(chain.relations):
        left, right = chain.sides[index], chain.sides[index + 1]
        if left.tree is None or right.tree is None:
            reason = next(iter((*left.doubts, *right.doubts)), "a side cannot be read")
            return ScratchResult(ScratchState.CANNOT, f"This cannot be read: {reason}.")
        text = f"{plain(left.tree)} {relation} {plain(right.tree)}"
        formula = f"{latex(left.tree)} {relation} {latex(right.tree)}"
        if free_symbols(left.tree) | free_symbols(right.tree):
            result = _symbolic(left.tree, right.tree, relation, text, formula)
        else:
            judgement = judge(left, right, relation, DEFAULT)
            states = {HOLDS: ScratchState.TRUE, FAILS: ScratchState.FALSE}
            state = states.get(judgement.state, ScratchState.CANNOT)
            values = f"{shown(judgement.left)} and {shown(judgement.right)}"
            said = {ScratchState.TRUE: "holds", ScratchState.FALSE: "is false"}.get(state, "is open")
            result = ScratchResult(state, f"{text} {said} ({judgement.rule}: {values}).", text, formula, values)
        if result.state is not ScratchState.TRUE:
            return result
    return result


def _symbolic(left: Tree, right: Tree, relation: str, text: str, formula: str) -> ScratchResult:
    if relation != "=":
        return ScratchResult(ScratchState.CANNOT, f"{text}: inequalities with unknowns are not decided.", text, formula)
    if is_identity(left=left, right=right):
        return ScratchResult(ScratchState.TRUE, f"{text} holds for all values.", text, formula)
    known = Knowledge()
    known.learn(difference(left, right), 0)
    if len(free_symbols(left) | free_symbols(right)) == 1 and known.values:
        name, value = next(iter(known.values.items()))
        return ScratchResult(ScratchState.SOLVED, f"{name} = {shown(value)} solves {text}.", text, formula,
                             f"{name} = {shown(value)}", f"{name} = {shown(value)}")  # fmt: skip
    return ScratchResult(ScratchState.FALSE, f"{text} does not hold for all values.", text, formula)
