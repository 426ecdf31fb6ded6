r"""Arrays of numbers as they are written, and expressions of them: "2(1, -2) - (0, 4)", "\begin{pmatrix} ... ^T".

A tuple, a row in brackets, a matrix of LaTeX or of a program is an array; an expression is a sum of terms, a term a
number and arrays that are multiplied, each with what stands above it (a transpose, an inverse, a power). Its components
are trees, computed by whoever compares them.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from fractions import Fraction

from auditing.checker.mathematics.notation.determinants import determinant, sum_of
from auditing.checker.mathematics.tree import Node, Num, Tree
from hdag.core.text.cues import Cue

_FRAC = r"[-−]?\s?\\[dt]?frac\{\d{1,6}\}\{\d{1,6}\}"
NUMBER = r"[-−]?\s?\d{1,9}(?:\.\d{1,6})?(?:/\d{1,6})?"
_CELL = re.compile(rf"{NUMBER}|{_FRAC}")
_ROW = rf"\s*{NUMBER}(?:\s*,\s*{NUMBER}){{1,5}}\s*"
_ANGLED = rf"(?:\\langle|⟨|<)(?P<b>{_ROW})(?:\\right\s?)?(?:\\rangle|⟩|>)"
_VECTOR = rf"(?:\\left\s?)?(?:\((?P<a>{_ROW})(?:\\right\s?)?\)|\[(?P<e>{_ROW})\]|{_ANGLED})"
_INSIDE = r"(?:[-−\d./&\s\\]|\\[dt]?frac\{\d{1,6}\}\{\d{1,6}\}){3,200}"
_TABLE = rf"\\begin\{{(?P<name>[pbv])matrix\}}(?P<c>{_INSIDE})\\end\{{(?P=name)matrix\}}"
_OPEN_TABLE = (
    rf"\\left\s?(?P<bracket>[(\[|])\s?\\begin\{{array\}}\{{[clr]{{1,6}}\}}(?P<f>{_INSIDE})"
    rf"\\end\{{array\}}\s?\\right\s?[)\]|]"
)
_LISTED = rf"\[\s?(?P<d>\[{_ROW}\](?:\s?,\s?\[{_ROW}\]){{1,5}})\s?\]"
_SPACED_ROW = rf"{NUMBER}(?:[ ,]\s?{NUMBER}){{0,5}}"
_SEMICOLONS = rf"\[\s?(?P<g>{_SPACED_ROW}(?:\s?;\s?{_SPACED_ROW}){{1,5}})\s?\]"
ARRAY = Cue(rf"{_VECTOR}|{_TABLE}|{_OPEN_TABLE}|{_LISTED}|{_SEMICOLONS}")
_BREAK = re.compile(r"\\\\")
_SUM = re.compile(r"\s*(\+|-|−)\s*")
_PRODUCT = re.compile(r"\s*+(?:(\\cdot|·|\*|×|\\times)\s*+)?(?=[\\(⟨<\[])")
_FACTOR = re.compile(rf"\s*({NUMBER}|{_FRAC})\s?(?:\\cdot|·|\*|)\s*(?=[\\(⟨<\[])")
_ABOVE = re.compile(
    r"\s?(?:\^\s?(?:\{\s?(?P<a>T|\\top|\\intercal|-1|[2-4])\s?\}|(?P<b>T\b|\\top|\\intercal|[2-4]))|(?P<c>[ᵀ²³]|⁻¹))"
)
# functions of programs and words before an array
_CALL = re.compile(r"(?:np\.|numpy\.)?(?P<name>dot|cross|inner)\(\s?(?=\[)")
_MEASURE = re.compile(
    r"(?:\\operatorname\{(?:tr|det)\}|\\det|\\tr|\b(?:det|tr|trace|determinant of|trace of))\s*\(?\s*$"
)
# rows of a matrix that is raised or inverted, and terms and factors of one expression
LARGEST_POWERED, MOST_TERMS, MOST_FACTORS = 4, 20, 4
Rows = list[list[Tree]]


@dataclass(frozen=True, slots=True)
class Array:
    """A vector (one row), a matrix, or a number made of them (one cell), and where it stands."""

    rows: Rows
    start: int
    end: int
    is_vector: bool
    is_determinant: bool = False
    is_number: bool = False
    # whether anything is computed in it
    is_computed: bool = False


def read_array(text: str, at: int) -> Array | None:
    """The array that begins at a place."""
    match = ARRAY.match(text, at)
    return array_of(match) if match else None


def array_of(match: re.Match[str]) -> Array | None:
    """The array that was matched; None where its rows are uneven or hold no numbers."""
    flat = match["a"] or match["b"] or match["e"]
    if flat:
        rows = [[tree_of(number) for number in flat.split(",")]]
        return Array(rows, match.start(), match.end(), True)
    numbers = _cells(match)
    if len({len(row) for row in numbers}) != 1 or not all(_CELL.fullmatch(cell) for row in numbers for cell in row):
        return None
    is_determinant = match["name"] == "v" or match["bracket"] == "|"
    return Array(
        [[tree_of(cell) for cell in row] for row in numbers], match.start(), match.end(), False, is_determinant
    )


def _cells(match: re.Match[str]) -> list[list[str]]:
    if match["d"]:
        return [[cell.strip() for cell in row.split(",")] for row in re.findall(r"\[([^\[\]]+)\]", match["d"])]
    if match["g"]:
        return [re.findall(NUMBER, row) for row in match["g"].split(";")]
    lines = [line for line in _BREAK.split(match["c"] or match["f"]) if line.strip()]
    return [[cell.strip() for cell in line.split("&")] for line in lines]


def tree_of(text: str) -> Tree:
    r"""A cell: -3, 2.5, 3/4, \frac{3}{4}."""
    text = re.sub(r"\s", "", text).replace("−", "-")
    text = re.sub(r"\\[dt]?frac\{(\d+)\}\{(\d+)\}", r"\1/\2", text)
    above, _, below = text.lstrip("-").partition("/")
    tree: Tree = Num(Fraction(above), len(above.partition(".")[2]))
    tree = Node("/", (tree, Num(Fraction(below)))) if below else tree
    return Node("neg", (tree,)) if text.startswith("-") else tree


def read_expression(text: str, at: int) -> Array | None:
    """The longest expression of arrays that begins at a place; None where what is read has no value."""
    total = _term(text, at)
    for _ in range(MOST_TERMS):
        sign = _SUM.match(text, total.end) if total is not None else None
        following = _term(text, sign.end()) if sign else None
        if total is None or sign is None or following is None:
            return total
        total = _made(total, following, _added(total, following, sign[1]))
    # nobody adds up more by hand
    return None


def _term(text: str, at: int) -> Array | None:
    factor = _FACTOR.match(text, at)
    start = factor.end() if factor else at
    product = _operand(text, start)
    for _ in range(MOST_FACTORS):
        if product is None:
            break
        sign = _PRODUCT.match(text, product.end)
        # "(1, 2) - (3, 4)": what follows is no factor
        following = _operand(text, sign.end()) if sign else None
        if sign is None or following is None:
            break
        product = _made(product, following, joined(product, following, sign[1] or ""))
    if product is None or factor is None:
        return product
    scale = tree_of(factor[1])
    rows: Rows = [[Node("*", (scale, cell)) for cell in row] for row in product.rows]
    return Array(rows, at, product.end, product.is_vector, False, product.is_number, True)


def _operand(text: str, at: int) -> Array | None:
    array = _called(text, at) or read_array(text, at)
    while array is not None:
        above = _ABOVE.match(text, array.end)
        if above is None or array.is_vector:
            break
        rows = _raised(array.rows, above["a"] or above["b"] or above["c"])
        array = Array(rows, array.start, above.end(), False, False, False, True) if rows else None
    if array is not None and array.is_determinant:
        return measured(array, is_trace=False)
    return array


def _called(text: str, at: int) -> Array | None:
    """np.dot([1, 2], [3, 4])."""
    call = _CALL.match(text, at)
    first = read_array(text, call.end()) if call else None
    comma = re.compile(r"\s?,\s?").match(text, first.end) if first else None
    second = read_array(text, comma.end()) if comma else None
    if call is None or first is None or second is None or text[second.end : second.end + 1] != ")":
        return None
    made = _made(first, second, joined(first, second, "×" if call["name"] == "cross" else "·"))
    return made and Array(made.rows, at, second.end + 1, made.is_vector, False, made.is_number, True)


def is_measured(before: str) -> re.Match[str] | None:
    """The word before an array that asks for its determinant or its trace."""
    return _MEASURE.search(before)


def measured(array: Array, *, is_trace: bool) -> Array | None:
    """The determinant of a matrix, or its trace, as a number."""
    if not is_square(array.rows):
        return None
    tree = sum_of([row[at] for at, row in enumerate(array.rows)]) if is_trace else determinant(array.rows)
    return Array([[tree]], array.start, array.end, False, False, True, True)


def _made(left: Array, right: Array, rows: Rows) -> Array | None:
    is_number = len(rows) == 1 == len(rows[0]) if rows else False
    is_vector = left.is_vector and not is_number
    return Array(rows, left.start, right.end, is_vector, False, is_number, True) if rows else None


def _added(left: Array, right: Array, sign: str) -> Rows:
    a, b = left.rows, right.rows
    if left.is_number is not right.is_number or [len(row) for row in a] != [len(row) for row in b]:
        return []
    operation = "+" if sign == "+" else "-"
    return [[Node(operation, pair) for pair in zip(row, beside, strict=True)] for row, beside in zip(a, b, strict=True)]


def joined(left: Array, right: Array, sign: str) -> Rows:
    """The array that a product makes; empty where they do not fit or the sign has several meanings."""
    a, b = left.rows, right.rows
    same = [len(row) for row in a] == [len(row) for row in b]
    if left.is_vector is not right.is_vector or left.is_number or right.is_number:
        return []
    if left.is_vector:
        return _multiplied(a[0], b[0], sign) if same else []
    # two columns are vectors, too
    if len(a[0]) == len(b[0]) == 1 < len(a) and same and sign in ("\\cdot", "·", "×", "\\times"):
        rows = _multiplied([row[0] for row in a], [row[0] for row in b], sign)
        return rows if len(rows) == 1 and len(rows[0]) == 1 else [[cell] for row in rows for cell in row]
    # a star multiplies the components in programs
    if sign in ("\\cdot", "·", "", "\\times", "×") and len(a[0]) == len(b):
        return _product(a, b)
    return []


def _multiplied(a: list[Tree], b: list[Tree], sign: str) -> Rows:
    if sign in ("\\cdot", "·"):
        return [[sum_of([Node("*", pair) for pair in zip(a, b, strict=True)])]]
    return [_crossed(a, b)] if sign in ("×", "\\times") and len(a) == 3 else []


def _product(a: Rows, b: Rows) -> Rows:
    columns = list(zip(*b, strict=True))
    return [[sum_of([Node("*", pair) for pair in zip(row, column, strict=True)]) for column in columns] for row in a]


def _raised(rows: Rows, sign: str) -> Rows:
    if sign in ("T", "\\top", "\\intercal", "ᵀ"):
        return [list(column) for column in zip(*rows, strict=True)]
    if not is_square(rows) or len(rows) > LARGEST_POWERED - 1:
        return []
    if sign in ("-1", "⁻¹"):
        return _inverse(rows)
    result = rows
    for _ in range(({"²": 2, "³": 3}.get(sign) or int(sign)) - 1):
        result = _product(result, rows)
    return result


def _inverse(rows: Rows) -> Rows:
    """The matrix of cofactors over the determinant (Cramer)."""
    size, below = len(rows), determinant(rows)
    if size == 1:
        return [[Node("/", (Num(Fraction(1)), rows[0][0]))]]
    cells: Rows = []
    for column, row in itertools.product(range(size), range(size)):
        minor = [[*line[:column], *line[column + 1 :]] for at, line in enumerate(rows) if at != row]
        cofactor = determinant(minor)
        signed: Tree = Node("neg", (cofactor,)) if (row + column) % 2 else cofactor
        cells.append([Node("/", (signed, below))])
    return [[cell for (cell,) in cells[at * size : (at + 1) * size]] for at in range(size)]


def _crossed(a: list[Tree], b: list[Tree]) -> list[Tree]:
    pairs = ((1, 2), (2, 0), (0, 1))
    return [Node("-", (Node("*", (a[i], b[j])), Node("*", (a[j], b[i])))) for i, j in pairs]


def is_square(rows: Rows) -> bool:
    """Whether it has as many rows as columns, and not too many."""
    return len(rows) == len(rows[0]) <= 4
