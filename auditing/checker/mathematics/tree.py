"""The whitelisted expression tree: the only thing that the mathematics engine ever computes with."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple


class Num(NamedTuple):
    """A number as written: its exact value, the decimals written, and what was written around it."""

    value: Fraction
    # `value` is final: 25% holds 1/4. The marks below only tell how the number was written, so that rounding, units and
    # printing can be judged later.
    decimals: int = 0
    percent: bool = False
    money: bool = False
    unit: str = ""
    cut: bool = False  # an ellipsis follows: 0.6944...


class Sym(NamedTuple):
    """A symbol or a named constant."""

    name: str


class _Operation(NamedTuple):
    op: str
    args: tuple[Tree, ...]


class Content(NamedTuple):
    """What stands in a tree: free symbols, the numbers written, and the operations."""

    symbols: frozenset[str]
    numbers: tuple[Num, ...]
    operations: frozenset[str]


class Node(_Operation):
    """An operation on subtrees; `op` is one of operations.OPERATIONS, or special to evaluate.py."""

    # of content_of: every check asks the same of a side, and a tree never changes
    content: Content | None = None


Tree = Num | Sym | Node
_new = tuple.__new__  # without the questions of a constructor

# Euler's e is no constant here: problems use e as an ordinary letter, so tokens.py decides text by text and writes
# e^x as the function exp.
CONSTANTS = frozenset({"pi"})
# operations whose first argument is a symbol that stands for nothing outside of them
BINDING = frozenset(("sum", "prod", "integral", "limit"))
_NONE = frozenset[str]()


def walk(tree: Tree, without: frozenset[str] = _NONE) -> Iterator[Tree]:
    """Every subtree, root first, without recursion; nothing below the operations of `without`."""
    # an explicit stack instead of recursion: trees come from hostile text and may be deep
    stack: list[Tree] = [tree]
    while stack:
        subtree = stack.pop()
        yield subtree
        if isinstance(subtree, Node) and subtree.op not in without:
            stack.extend(subtree.args)


def free_symbols(tree: Tree) -> frozenset[str]:
    """Names of the symbols that are no constants and that no sum or integral binds."""
    if isinstance(tree, Node):
        return content_of(tree).symbols
    return frozenset((tree.name,)) if isinstance(tree, Sym) and tree.name not in CONSTANTS else _NONE


def content_of(tree: Node) -> Content:
    """What stands in a tree, looked for once."""
    if tree.content is None:
        names: set[str] = set()
        numbers: list[Num] = []
        operations: set[str] = set()
        # as walk() goes, without a call for each subtree
        stack: list[Tree] = [tree]
        while stack:
            subtree = stack.pop()
            if isinstance(subtree, Node):
                operations.add(subtree.op)
                stack.extend(subtree.args)
            elif isinstance(subtree, Num):
                numbers.append(subtree)
            else:
                names.add(subtree.name)
        if not operations.isdisjoint(BINDING):
            # the grammar reads no such sign in which another symbol stands
            names = {subtree.name for subtree in walk(tree, without=BINDING) if isinstance(subtree, Sym)}
        tree.content = Content(frozenset(names - CONSTANTS), tuple(numbers), frozenset(operations))
    return tree.content


def operations_in(tree: Tree) -> frozenset[str]:
    """The operations that stand in a tree."""
    return content_of(tree).operations if isinstance(tree, Node) else _NONE


def literals(tree: Tree) -> tuple[Num, ...]:
    """Every number written in the tree."""
    if isinstance(tree, Node):
        return content_of(tree).numbers
    return (tree,) if isinstance(tree, Num) else ()


def bare_number(tree: Tree) -> Num | None:
    """The number that the tree is, sign included, or None when it holds an operation."""
    if isinstance(tree, Num):
        return tree
    if isinstance(tree, Node) and tree.op == "neg" and isinstance(tree.args[0], Num):
        # "-3" is neg(3) in the tree, but a reader sees one written number
        inner = tree.args[0]
        return Num(-inner.value, inner.decimals, inner.percent, inner.money, inner.unit, inner.cut)
    return None


def factors_of(tree: Tree) -> list[Tree]:
    """The factors of a product, in order."""
    if not isinstance(tree, Node) or tree.op != "*":
        return [tree]
    return [factor for arg in tree.args for factor in factors_of(arg)]


def repeats(tree: Tree) -> bool:
    """Whether a decimal that repeats stands in a tree."""
    return "repeat" in operations_in(tree)


def substitute(tree: Tree, values: dict[str, Tree]) -> Tree:
    """The tree with every symbol in `values` replaced."""
    if isinstance(tree, Sym):
        return values.get(tree.name, tree)
    if isinstance(tree, Node) and tree.op not in BINDING:
        return _new(Node, (tree.op, tuple([substitute(arg, values) for arg in tree.args])))
    return tree


def has_two_values(tree: Tree) -> bool:
    """Whether a plus-or-minus sign stands in it."""
    return "±" in operations_in(tree)


def branches(tree: Tree) -> tuple[Tree, ...]:
    """The tree itself, or the tree with plus and with minus for every plus-or-minus sign."""
    return (_signed(tree, "+"), _signed(tree, "-")) if has_two_values(tree) else (tree,)


def _signed(tree: Tree, sign: str) -> Tree:
    if not isinstance(tree, Node):
        return tree
    args = tuple(_signed(arg, sign) for arg in tree.args)
    if tree.op != "±":
        return Node(tree.op, args)
    # a sign in front of one operand (±2) against a sign between two (1 ± 2)
    if len(args) == 1:
        return args[0] if sign == "+" else Node("neg", args)
    return Node(sign, args)


# the parser's binding powers (grammar.py): what is printed is read back as the same tree
_BINARY = {"+": 10, "-": 10, "±": 10, "*": 20, "/": 20, "mod": 20, "^": 40}


def number_text(value: Fraction) -> str:
    """A Fraction as people write it: 7, 2.5, 163636.36, 1/3.

    >>> number_text(Fraction(4090909, 25))
    '163636.36'
    """
    bottom = value.denominator
    if bottom == 1:
        return str(value.numerator)
    # 1/8 ends after three decimals because 8 divides 10^3; 1/3 never ends and stays a fraction
    places = next((n for n in range(1, 13) if 10**n % bottom == 0), 0) if bottom <= 10**6 else 0
    if not places:
        return f"{value.numerator}/{bottom}"
    digits = str(abs(value.numerator) * (10**places // bottom)).rjust(places + 1, "0")
    return f"{'-' if value < 0 else ''}{digits[:-places]}.{digits[-places:]}"


def _literal(tree: Num) -> str:
    # most are whole and have no marks
    if not (tree.decimals or tree.percent or tree.money or tree.cut) and tree.value.denominator == 1:
        return str(tree.value.numerator)
    # back to what was written: 25% and not 1/4; 2.50 keeps its zero, which says how exactly it was meant
    value = tree.value * 100 if tree.percent else tree.value
    digits = number_text(value)
    if tree.decimals > 0 and "/" not in digits:
        digits = format(float(value), f".{min(tree.decimals, 12)}f")
    return ("$" if tree.money else "") + digits + ("..." if tree.cut else "") + ("%" if tree.percent else "")


def plain(tree: Tree, above: int = 0) -> str:
    """The tree as plain text, with only the brackets that it needs."""
    if isinstance(tree, Num):
        return _literal(tree)
    if isinstance(tree, Sym):
        return tree.name
    if tree.op in _BINARY and len(tree.args) == 2:
        power = _BINARY[tree.op]
        sign = "%" if tree.op == "mod" else tree.op
        to_the_right = tree.op == "^"  # powers associate to the right, everything else to the left
        left, right = plain(tree.args[0], power + to_the_right), plain(tree.args[1], power + (not to_the_right))
        gap = "" if to_the_right else " "
        text = f"{left}{gap}{sign}{gap}{right}"
        return f"({text})" if power < above else text
    if tree.op in ("neg", "±"):
        # 21, just above a product: -(2 * 3) keeps its brackets
        text = ("-" if tree.op == "neg" else "±") + plain(tree.args[0], 21)
        return f"({text})" if above > 10 else text
    if tree.op == "!":
        return plain(tree.args[0], 50) + "!"
    if tree.op == "repeat":
        return _repeating(tree)
    if tree.op == "numeral":
        return "_".join(map(plain, tree.args))
    return f"{tree.op}({', '.join(plain(arg) for arg in tree.args)})"


_SET_AS = {"sqrt": r"\sqrt{{{}}}", "binom": r"\binom{{{}}}{{{}}}", "numeral": "{}_{{{}}}"}


def latex(tree: Tree, above: int = 0) -> str:
    """The tree as LaTeX, for the page that renders MathML."""
    if isinstance(tree, Num):
        return _literal(tree).replace("$", r"\$").replace("%", r"\%").replace("...", r"\ldots")
    if isinstance(tree, Sym):
        return ("\\" + tree.name) if len(tree.name) > 1 and tree.name.isalpha() else tree.name
    if tree.op == "/":
        return rf"\frac{{{latex(tree.args[0])}}}{{{latex(tree.args[1])}}}"
    if tree.op == "^":
        # 41, just above a power: (2^3)^4 keeps its brackets on the left, 2^(3^4) needs none
        base = latex(tree.args[0], 41)
        if isinstance(tree.args[0], Node) and tree.args[0].op in ("^", "/"):
            base = rf"\left({base}\right)"
        return f"{base}^{{{latex(tree.args[1])}}}"
    if tree.op in _SET_AS:
        return _SET_AS[tree.op].format(*map(latex, tree.args))
    return _latex_other(tree, above)


def _repeating(tree: Node) -> str:
    written, period, turn = tree.args
    assert isinstance(written, Num)
    assert isinstance(period, Num)
    assert isinstance(turn, Num)
    digits = str(int(period.value * 10**period.decimals)).rjust(len(str(turn.value)) - 1, "0")
    return f"{_literal(written)}{'' if written.decimals else '.'}({digits})"


def _starts_with_symbol(tree: Tree) -> bool:
    """Whether a product with this at its right needs no sign: 2x, 5y^2, 3(x + 1)."""
    if isinstance(tree, Node):
        return (tree.op == "^" and _starts_with_symbol(tree.args[0])) or (
            tree.op in ("+", "-") and bool(free_symbols(tree))
        )
    return isinstance(tree, Sym)


def _latex_other(tree: Node, above: int) -> str:
    if tree.op in _BINARY and len(tree.args) == 2:
        power = _BINARY[tree.op]
        sign = {"*": r"\times", "mod": r"\bmod", "±": r"\pm"}.get(tree.op, tree.op)
        # 2x and not 2 × x, as it is written by hand.
        if tree.op == "*" and _starts_with_symbol(tree.args[1]):
            sign = ""
        text = " ".join(filter(None, (latex(tree.args[0], power), sign, latex(tree.args[1], power + 1))))
    elif tree.op in ("neg", "±"):
        power, text = 10, ("-" if tree.op == "neg" else r"\pm ") + latex(tree.args[0], 21)
    elif tree.op == "repeat":
        return _repeating(tree).replace("(", r"\overline{").replace(")", "}")
    elif tree.op == "!":
        return latex(tree.args[0], 50) + "!"
    elif tree.op in ("sum", "prod"):
        symbol, low, high, body = map(latex, tree.args)
        text, power = rf"\{tree.op}_{{{symbol}={low}}}^{{{high}}} {body}", 10
    else:
        inner = ", ".join(latex(arg) for arg in tree.args)
        return rf"\operatorname{{{tree.op}}}({inner})"
    return rf"\left({text}\right)" if power < above else text


def is_finished(tree: Tree) -> bool:
    """Whether nothing is left to compute: a number, or a fraction in lowest terms; 15/3 and 7/-2 are not."""
    number = bare_number(tree)
    inner = tree.args[0] if isinstance(tree, Node) and tree.op == "neg" else tree
    terms = [bare_number(term) for term in inner.args] if isinstance(inner, Node) and inner.op == "/" else []
    top, bottom = terms if len(terms) == 2 else (None, None)
    if number is not None or top is None or bottom is None or top.decimals or bottom.decimals:
        return number is not None
    return bottom.value > 1 and math.gcd(top.value.numerator, bottom.value.numerator) == 1
