r"""Delimiters of formulas inside one expression: \( x \) + 3, \(\frac{1}{8}\) of \(24\)."""

from __future__ import annotations

from auditing.checker.mathematics.notation.marks import has_relation
from auditing.checker.mathematics.tokens import Token

_OPERAND_ENDS = frozenset(("num", "sym", "close", "math"))
# { 1 } { 8 } behind the name of a fraction
_FRACTION = 7


def joins_operands(tokens: list[Token], index: int) -> bool:
    r"""5 + \( x \) + 3: the delimiter stands between a sign and its operand."""
    before, after = tokens[index - 1] if index else None, tokens[index + 1] if index + 1 < len(tokens) else None
    if before is None or after is None:
        return False
    if _is_dash_between_relations(tokens, index):
        return False
    if before.kind == "op" and before.text in "+-*/":
        return index > 1 and _ends_an_operand(tokens, index - 2)
    # \(\frac{1}{8}\) of \(24\), 25\% of $40$
    if "of" in (before.text, after.text):
        of = index - 1 if before.text == "of" else index + 1
        return _ends_a_share(tokens, of - 1) and of + 1 < len(tokens) and tokens[of + 1].kind in ("num", "math")
    # \( x \) + 3: the sign stands behind the delimiter, so its right operand decides.
    closes = after.kind == "op" and after.text in "+-*/" and index + 2 < len(tokens)
    return closes and _ends_an_operand(tokens, index - 1) and tokens[index + 2].kind in ("num", "math", "open")


def _ends_an_operand(tokens: list[Token], at: int) -> bool:
    return tokens[at].kind in _OPERAND_ENDS or _ends_a_fraction(tokens, at)


def _ends_a_fraction(tokens: list[Token], at: int) -> bool:
    r"""\frac{1}{8}, of two numbers."""
    return tokens[at].text == "}" and at >= _FRACTION - 1 and tokens[at - _FRACTION + 1].text == "frac"


def _ends_a_share(tokens: list[Token], at: int) -> bool:
    """25%, 1/8 and a fraction, with a delimiter behind it or without."""
    if at > 0 and tokens[at].kind == "math":
        at -= 1
    is_simple = tokens[at].kind == "num" and at > 1 and tokens[at - 1].text == "/" and tokens[at - 2].kind == "num"
    return tokens[at].text == "%" or is_simple or _ends_a_fraction(tokens, at)


def _is_dash_between_relations(tokens: list[Token], index: int) -> bool:
    r"""\(a = b\) - \(c = d\): the dash is a bullet, for a relation stands on either side of it."""
    # lists of equations use dashes as bullets; read as a minus, two true equations would become a false one
    dash = index + 1 if tokens[index + 1].text == "-" else index - 1
    if tokens[dash].text != "-" or not 0 < dash < len(tokens) - 1:
        return False
    if tokens[dash - 1].kind != "math" or tokens[dash + 1].kind != "math":
        return False
    return has_relation(tokens, dash - 2, -1) and has_relation(tokens, dash + 2, 1)
