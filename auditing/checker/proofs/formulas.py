"""Formulas of a proof: a tree as nested lists, numbers as they were written, and the proofs that are formulas alone.

12 * x + 25% is ["+", ["*", "12", "x"], "25%"]. What begins with a digit is a number, every other text a symbol.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from auditing.checker.mathematics.chains import Side
from auditing.checker.mathematics.enclosure import IncalculableError, as_range
from auditing.checker.mathematics.evaluate import Setting, evaluate
from auditing.checker.mathematics.exactly.rounding import is_rounded
from auditing.checker.mathematics.identity import sample_points
from auditing.checker.mathematics.tree import Num, Sym, Tree, free_symbols, literals, repeats, substitute

VERSION = 1
# a longer proof is not kept: the finding then says how it was computed, and shows no proof
MAX_LENGTH = 6_000
# a call of json.dumps makes one of its own, and looks for circles, which no tree holds
_WRITER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False)

Formula = Any  # a text, or a list of a sign and formulas


def formula(tree: Tree) -> Formula:
    """The nested lists of a tree.

    >>> from auditing.checker.mathematics.tree import Node
    >>> formula(Node("*", (Num(Fraction(12)), Sym("x"))))
    ['*', '12', 'x']
    """
    if isinstance(tree, Num):
        return literal(tree)
    return tree.name if isinstance(tree, Sym) else [tree.op, *(formula(arg) for arg in tree.args)]


def literal(number: Num) -> str:
    """A number as it was written: 2.50, 25%, 0.33...; a fraction where no decimals hold it.

    >>> literal(Num(Fraction(1, 4), 0, percent=True))
    '25%'
    """
    # most are whole and have no marks
    if not (number.decimals or number.percent or number.cut) and number.value.denominator == 1:
        return str(number.value.numerator)
    value = number.value * 100 if number.percent else number.value
    text = str(value)
    scaled, remainder = (
        divmod(value.numerator * 10**number.decimals, value.denominator) if number.decimals > 0 else (0, 1)
    )
    if not remainder:
        digits = str(abs(scaled)).rjust(number.decimals + 1, "0")
        text = f"{'-' if value < 0 else ''}{digits[: -number.decimals]}.{digits[-number.decimals :]}"
    return text + ("..." if number.cut else "") + ("%" if number.percent else "")


def packed(proof: Mapping[str, Any]) -> dict[str, str]:
    """The entry of a finding's details; empty where the proof is too long to keep."""
    text = _WRITER.encode({"version": VERSION, **proof})
    return {"proof": text} if len(text) <= MAX_LENGTH else {}


def of_numbers(left: Side, right: Side, relation: str, assumed: Setting) -> dict[str, str]:
    """Two sides without symbols under all their readings; which decimals may be rounded, and which are given."""
    sides = [[tree for tree in (side.tree, *side.others) if tree is not None] for side in (left, right)]
    # the file that checks proofs reads no decimals that repeat
    if any(repeats(tree) for trees in sides for tree in trees):
        return {}
    numbers = [number for trees in sides for tree in trees for number in literals(tree) if number.decimals > 0]
    return packed(
        {
            "kind": "numbers",
            "relation": relation,
            "left": [formula(tree) for tree in sides[0]],
            "right": [formula(tree) for tree in sides[1]],
            "rounded": _texts(number for number in numbers if is_rounded(number, assumed.rounded, assumed.exact)),
            # Numbers of the problem are exact however they are written: 2.5 there is no rounding of 2.47.
            "given": _texts(number for number in numbers if number.value in assumed.exact),
        }
    )


def of_values(left: Tree, right: Tree, texts: Iterable[str] = ()) -> dict[str, str]:
    """Two trees without symbols that stand in different lines; the texts are those lines."""
    sides = {"left": [formula(left)], "right": [formula(right)], "rounded": [], "given": []}
    return packed({"kind": "numbers", "relation": "=", **sides, "texts": list(texts)})


def _texts(numbers: Iterable[Num]) -> list[str]:
    return sorted({literal(number) for number in numbers})


def of_identity(left: Tree, right: Tree, *, is_same: bool, texts: Iterable[str] = ()) -> dict[str, str]:
    """Two expressions that are the same for every value, or a point at which they differ."""
    proof: dict[str, Any] = {"kind": "identity" if is_same else "counterexample"}
    proof |= {"left": formula(left), "right": formula(right)}
    if not is_same:
        point = find_point(left, right)
        if point is None:
            return {}
        proof["point"] = {name: str(value) for name, value in point.items()}
    lines = list(texts)
    return packed(proof | ({"texts": lines} if lines else {}))


def of_gap(left: Tree, right: Tree) -> dict[str, str]:
    """Two expressions whose difference is a number other than zero."""
    return packed({"kind": "gap", "left": formula(left), "right": formula(right)})


def of_term(left: Tree, right: Tree) -> dict[str, str]:
    """Two expressions that differ in one term, by more than its last written digit: equal for zero alone."""
    return packed({"kind": "term", "left": formula(left), "right": formula(right)})


def of_complex(left: Tree, right: Tree, texts: Iterable[str] = ()) -> dict[str, str]:
    """Two expressions in the imaginary unit i."""
    lines = list(texts)
    proof = {"kind": "complex", "left": formula(left), "right": formula(right)}
    return packed(proof | ({"texts": lines} if lines else {}))


def of_derivative(
    left: Tree,
    right: Tree,
    derived: Tree,
    name: str,
    texts: Iterable[str] = (),
    at: dict[str, Fraction] | None = None,
) -> dict[str, str]:
    """An expression, what is said to be its derivative, and a point at which it has another one (where it is said)."""
    point = at or find_point(derived, right)
    if point is None:
        return {}
    sides = {"left": formula(left), "right": formula(right), "symbol": name, "texts": list(texts)}
    return packed({"kind": "derivative", **sides, "point": {at: str(value) for at, value in point.items()}})


def of_congruence(left: Tree, right: Tree, modulus: int) -> dict[str, str]:
    """Two whole numbers and the modulus."""
    return packed({"kind": "congruence", "left": formula(left), "right": formula(right), "modulus": modulus})


def find_point(left: Tree, right: Tree) -> dict[str, Fraction] | None:
    """A rational point at which both sides have a value, and these differ."""
    names = sorted(free_symbols(left) | free_symbols(right))
    for point in sample_points(names):
        trees: dict[str, Tree] = {name: Num(value) for name, value in point.items()}
        try:
            a, b = (as_range(evaluate(substitute(tree, trees))) for tree in (left, right))
        except IncalculableError:
            continue
        if a.high < b.low or b.high < a.low:
            return point
    return None
