"""Values of linear algebra: numbers, vectors and matrices of trees, and what addition, products and bars make of them.

A vector is a column, however it is written. Nothing is evaluated here: each cell stays the tree of what it is made of.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from auditing.checker.mathematics.cursor import UnreadableError
from auditing.checker.mathematics.notation.arrays import Rows, is_square
from auditing.checker.mathematics.notation.determinants import determinant, sum_of
from auditing.checker.mathematics.tree import Node, Num, Sym, Tree

# ZERO and ONE are those of a basis or an identity matrix, told by their identity: those of a text are computed with
ZERO, ONE, TWO = (Num(Fraction(number)) for number in (0, 1, 2))
NUMBER, VECTOR, MATRIX, SET, NOTHING = "number", "vector", "matrix", "set", "zero"
# of the trees of one value: what is larger nobody has written out
LARGEST, HIGHEST_POWER = 800, 4


@dataclass(frozen=True, slots=True)
class Value:
    """A number (one cell), a vector, a matrix, a set, or zero of whatever shape; what it was made of by name."""

    kind: str
    rows: tuple[tuple[Tree, ...], ...]
    # nodes in all its trees
    size: int = 1
    # whether arrays were added or multiplied to make it
    is_computed: bool = False
    # names of vectors in it: those that stand for any value, and those that were replaced by the one they have
    unknown: frozenset[str] = frozenset()
    replaced: frozenset[str] = frozenset()
    # the name that it is alone
    name: str = ""

    @property
    def tree(self) -> Tree:
        """The only cell of a number."""
        return self.rows[0][0]

    @property
    def cells(self) -> list[Tree]:
        """All cells, row by row."""
        return [cell for row in self.rows for cell in row]

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.rows), len(self.rows[0]) if self.rows else 0

    @property
    def is_array(self) -> bool:
        return self.kind in (VECTOR, MATRIX, NOTHING)


def number(tree: Tree) -> Value:
    """A number."""
    return Value(NUMBER, ((tree,),), _size(tree))


def vector(cells: list[Tree]) -> Value:
    """A vector by its components."""
    return Value(VECTOR, tuple((cell,) for cell in cells), sum(map(_size, cells)))


def matrix(rows: list[list[Tree]]) -> Value:
    """A matrix; a single column is a vector."""
    kind = VECTOR if len(rows[0]) == 1 < len(rows) else MATRIX
    return Value(kind, tuple(map(tuple, rows)), sum(_size(cell) for row in rows for cell in row))


def _size(tree: Tree) -> int:
    total, stack = 0, [tree]
    while stack:
        subtree = stack.pop()
        total += 1
        if total > LARGEST:
            raise UnreadableError("an expression too large")
        if isinstance(subtree, Node):
            stack.extend(subtree.args)
    return total


def _need(condition: bool) -> None:
    if not condition:
        raise UnreadableError("arrays that do not fit")


def _made(rows: list[list[Tree]], *operands: Value, kind: str = "") -> Value:
    """What was made of operands, with the names of all of them."""
    value = number(rows[0][0]) if len(rows) == len(rows[0]) == 1 else matrix(rows)
    return replace(
        value,
        kind=kind or value.kind,
        is_computed=any(operand.is_array or operand.is_computed for operand in operands),
        unknown=frozenset().union(*(operand.unknown for operand in operands)),
        replaced=frozenset().union(*(operand.replaced for operand in operands)),
    )


def _product(a: Tree, b: Tree) -> Tree:
    if a is ZERO or b is ZERO:
        return ZERO
    return b if a is ONE else a if b is ONE else Node("*", (a, b))


def _sum(terms: list[Tree]) -> Tree:
    return sum_of([term for term in terms if term is not ZERO] or [ZERO])


def _rows(value: Value) -> Rows:
    return [list(row) for row in value.rows]


def added(a: Value, b: Value, sign: str) -> Value:
    """a + b, a - b."""
    if a.kind == NOTHING and b.kind == NOTHING:
        return a
    if NOTHING in (a.kind, b.kind):
        _need(a.is_array and b.is_array)
        return replace(a if b.kind == NOTHING else b if sign == "+" else negated(b), is_computed=True, name="")
    _need(a.shape == b.shape and SET not in (a.kind, b.kind))
    rows = [[_added(*pair, sign) for pair in zip(*both, strict=True)] for both in zip(a.rows, b.rows, strict=True)]
    return _made(rows, a, b)


def _added(a: Tree, b: Tree, sign: str) -> Tree:
    if b is ZERO:
        return a
    if a is ZERO:
        return b if sign == "+" else Node("neg", (b,))
    return Node(sign, (a, b))


def negated(a: Value) -> Value:
    """-a."""
    if a.kind == NOTHING:
        return a
    _need(a.kind != SET)
    return _made([[cell if cell is ZERO else Node("neg", (cell,)) for cell in row] for row in a.rows], a)


def multiplied(a: Value, b: Value, sign: str) -> Value:
    """A product: "dot", "cross", or "" where nothing stands between its factors."""
    _need(SET not in (a.kind, b.kind))
    if a.size * b.size > LARGEST**2 // 8:
        raise UnreadableError("an expression too large")
    if a.kind == NOTHING or b.kind == NOTHING:
        return _nothing(a, b, sign)
    if NUMBER in (a.kind, b.kind):
        scale, array = (a, b) if a.kind == NUMBER else (b, a)
        return _made([[_product(scale.tree, cell) for cell in row] for row in array.rows], a, b)
    if a.kind == VECTOR and b.kind == VECTOR:
        return _of_vectors(a, b, sign)
    _need(len(a.rows[0]) == len(b.rows))
    columns = list(zip(*b.rows, strict=True))
    rows = [[_sum([_product(*p) for p in zip(row, column, strict=True)]) for column in columns] for row in a.rows]
    return _made(rows, a, b)


def _nothing(a: Value, b: Value, sign: str) -> Value:
    another = b if a.kind == NOTHING else a
    if sign == "dot" and another.kind == VECTOR:
        return replace(number(ZERO), is_computed=True, unknown=another.unknown, replaced=another.replaced)
    return Value(NOTHING, (), 1, True, another.unknown, another.replaced)


def _of_vectors(a: Value, b: Value, sign: str) -> Value:
    _need(a.shape == b.shape and sign != "")
    left, right = a.cells, b.cells
    if sign == "dot":
        return _made([[_sum([_product(*pair) for pair in zip(left, right, strict=True)])]], a, b)
    _need(len(left) == 3)
    rows = [
        [_added(_product(left[i], right[j]), _product(left[j], right[i]), "-")] for i, j in ((1, 2), (2, 0), (0, 1))
    ]
    return _made(rows, a, b)


def divided(a: Value, b: Value) -> Value:
    """a / b, where b is a number."""
    _need(b.kind == NUMBER and a.kind != SET)
    if a.kind == NOTHING:
        return a
    return _made([[cell if cell is ZERO else Node("/", (cell, b.tree)) for cell in row] for row in a.rows], a, b)


def transposed(a: Value) -> Value:
    """Rows as columns."""
    _need(a.kind in (VECTOR, MATRIX))
    return _made([list(column) for column in zip(*a.rows, strict=True)], a)


def inverted(a: Value) -> Value:
    """The matrix of cofactors over the determinant."""
    _need(a.kind == MATRIX and is_square(_rows(a)) and 1 < len(a.rows) <= 3)
    rows, below = _rows(a), determinant(_rows(a))
    cells: Rows = []
    for at in range(len(rows)):
        cells.append([])
        for row in range(len(rows)):
            minor = [[*line[:at], *line[at + 1 :]] for row_of, line in enumerate(rows) if row_of != row]
            cofactor = determinant(minor)
            signed: Tree = Node("neg", (cofactor,)) if (row + at) % 2 else cofactor
            cells[at].append(Node("/", (signed, below)))
    return _made(cells, a)


def raised(a: Value, exponent: Tree) -> Value:
    """A power of a number, or of a square matrix."""
    if a.kind == NUMBER:
        # the square of a norm is the sum under its root
        if exponent == TWO and isinstance(a.tree, Node) and a.tree.op == "sqrt" and a.is_computed:
            return _made([[a.tree.args[0]]], a)
        return _made([[Node("^", (a.tree, exponent))]], a)
    if exponent == Node("neg", (ONE,)):
        return inverted(a)
    _need(a.kind == MATRIX and is_square(_rows(a)) and isinstance(exponent, Num))
    assert isinstance(exponent, Num)
    _need(exponent.value.denominator == 1 and 1 <= exponent.value <= HIGHEST_POWER)
    product = a
    for _ in range(int(exponent.value) - 1):
        product = multiplied(product, a, "")
    return replace(product, is_computed=True)


def length(a: Value) -> Value:
    """The length of a vector, the absolute value of a number."""
    if a.kind == NUMBER:
        return _made([[Node("abs", (a.tree,))]], a)
    _need(a.kind == VECTOR)
    return _made([[Node("sqrt", (_sum([Node("^", (cell, TWO)) for cell in a.cells if cell is not ZERO]),))]], a)


def determinant_of(a: Value) -> Value:
    """The determinant of a square matrix."""
    _need(a.kind == MATRIX and is_square(_rows(a)))
    if a.size * len(a.rows) > LARGEST:
        raise UnreadableError("an expression too large")
    return _made([[determinant(_rows(a))]], a)


def trace_of(a: Value) -> Value:
    """The sum of the diagonal of a square matrix."""
    _need(a.kind == MATRIX and is_square(_rows(a)))
    return _made([[_sum([row[at] for at, row in enumerate(a.rows)])]], a)


def projected(onto: Value, a: Value) -> Value:
    """The projection of a vector onto another: (a . w)/(w . w) w."""
    share = divided(multiplied(a, onto, "dot"), multiplied(onto, onto, "dot"))
    return multiplied(share, onto, "")


def applied(operation: str, a: Value) -> Value:
    """A function of a number: sqrt, cos."""
    _need(a.kind == NUMBER)
    return _made([[Node(operation, (a.tree,))]], a)


def unknown(name: str, dimension: int, *, is_matrix: bool = False) -> Value:
    """A vector or a matrix of which nothing is known: a symbol for each cell.

    >>> unknown("→a", 2).cells
    [Sym(name='a:1'), Sym(name='a:2')]
    """
    places, letters = range(1, dimension + 1), name[1:]
    if is_matrix:
        value = matrix([[Sym(f"{letters}:{row}{column}") for column in places] for row in places])
    else:
        value = vector([Sym(f"{letters}:{component}") for component in places])
    return replace(value, unknown=frozenset((name,)), name=name)


def unit(at: int, dimension: int) -> Value:
    """A vector of the standard basis; raises UnreadableError where it has no such component."""
    _need(at < dimension)
    return vector([ONE if component == at else ZERO for component in range(dimension)])


def identity(dimension: int) -> Value:
    """The identity matrix."""
    return matrix([[ONE if row == column else ZERO for column in range(dimension)] for row in range(dimension)])
