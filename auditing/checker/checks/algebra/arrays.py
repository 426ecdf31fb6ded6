r"""Checker: vectors and matrices of numbers: "(1,2) + (3,4) = (4,6)", products, determinants, the length of a vector.

Every component is a computation of its own; the first that is false is told, with its proof.
"""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from auditing.checker.checks.numbers.arithmetic import judge
from auditing.checker.findings import Grade, Verdict
from auditing.checker.mathematics.chains import Chain, Side
from auditing.checker.mathematics.compare import FAILS, HOLDS, shown
from auditing.checker.mathematics.evaluate import DEFAULT
from auditing.checker.mathematics.tree import Node, Num, Tree, plain
from auditing.checker.mathematics.vocabulary import any_of
from auditing.checker.proofs.formulas import of_values
from auditing.checker.reading.certainty import about_the_text
from auditing.checker.reading.passages import MAX_PASSAGE, Passage, Placed, Script, place
from auditing.checker.reading.suppressions import context_doubt

NAME = "arrays"
_NUMBER = r"[-−]?\s?\d{1,9}(?:\.\d{1,6})?(?:/\d{1,6})?"
_ROW = rf"\s*{_NUMBER}(?:\s*,\s*{_NUMBER}){{1,5}}\s*"
_ANGLED = rf"(?:\\langle|⟨)(?P<b>{_ROW})(?:\\right\s?)?(?:\\rangle|⟩)"
_VECTOR = rf"(?:\\left\s?)?(?:\((?P<a>{_ROW})(?:\\right\s?)?\)|\[(?P<e>{_ROW})\]|{_ANGLED})"
_TABLE = r"\\begin\{(?P<name>[pbv])matrix\}(?P<c>[-−\d./&\s\\]{3,200})\\end\{(?P=name)matrix\}"
_LISTED = rf"\[\s?(?P<d>\[{_ROW}\](?:\s?,\s?\[{_ROW}\]){{1,5}})\s?\]"
_ARRAY = re.compile(rf"{_VECTOR}|{_TABLE}|{_LISTED}")
_JOIN = re.compile(r"\s*(\+|-|−|\\cdot|·|\*|×|\\times|)\s*(?=[\\(⟨\[])")
_MAY_HOLD = re.compile(r"[(⟨]|matrix|\[\s?[-−\d\[]|\\langle")
_EQUALS = re.compile(r"\s*(?:=|\bis\b|\bequals\b)\s*")
_ONE = re.compile(_NUMBER + r"(?![\w.,/]*\d|\s?[-+*/×÷^·(\\]|\s?[a-zA-Z]\b)")
_SCALAR = re.compile(rf"(?:^|[=,;:$\s])\s*({_NUMBER})\s?(?:\\cdot|·|\*|)\s*$")
_TOUCHED = re.compile(
    r"[\w)}\]]$|[\d)}\]+*/×·^−-]\s*$|\\(?:cdot|times)\s*$|\b(?:plus|minus|times|of|by|half|twice)\s+$"
)
_DETERMINANT = re.compile(r"(?:\\det|\bdet|\bdeterminant of)\s*\(?\s*$")
_NAMED = re.compile(r"(?<![\w\\])(?:\\(?:vec|mathbf|bar)\s?\{?\s?)?([a-z])\}?\s*=\s*(?=[\\(])")
_LENGTH = re.compile(
    rf"(?:\\[lr]?[vV]ert|\\\||\|)+\s?(?:\\(?:vec|mathbf|bar)\s?\{{?\s?)?([a-z])\}}?\s?(?:\\[lr]?[vV]ert|\\\||\|)+\s*=\s*"
    rf"({_NUMBER})(?![\w.,/]*\d|\s?[-+*/×÷^·(\\])"
)
# arrays of something else: remainders, intervals, cycles, operations that a text makes up
_OTHER_ARRAYS = any_of("""
    defin* operation* modul* mod permut* cycle* interval* gcd spherical polar field* group* lexicographic* complex
    custom tuple* concat*
""")
Rows = list[list[Tree]]


@dataclass(frozen=True, slots=True)
class Array:
    """A vector (one row) or a matrix, and where it stands."""

    rows: Rows
    start: int
    end: int
    is_vector: bool
    is_determinant: bool


def check(script: Script) -> Iterator[Placed]:
    """Every equation between arrays of numbers, and every length of a vector that has one name and one value."""
    if not any(_MAY_HOLD.search(item.text) for item in script.passages):
        return
    passages = (script.problem, *script.passages)
    if any(_OTHER_ARRAYS.search(item.text) for item in passages):
        return
    named = _names(passages)
    for passage in script.passages:
        text = passage.text[:MAX_PASSAGE]
        for array in filter(None, map(_array, _ARRAY.finditer(text))):
            yield from _equation(passage, array)
        for match in _LENGTH.finditer(text) if named else ():
            yield from _length(passage, match, named)


def _names(passages: tuple[Passage, ...]) -> dict[str, set[tuple[str, str]]]:
    """For each letter the vectors that it is said to be, each with the text that says so."""
    named: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for item in passages:
        for match in _NAMED.finditer(item.text[:MAX_PASSAGE]):
            array = _read(item.text, match.end())
            if array is not None and array.is_vector:
                named[match[1]].add((item.text[match.end() : array.end], item.text[match.start() : array.end]))
    return named


def _read(text: str, at: int) -> Array | None:
    match = _ARRAY.match(text, at)
    return _array(match) if match else None


def _array(match: re.Match[str]) -> Array | None:
    flat = match["a"] or match["b"] or match["e"]
    if flat:
        rows = [[_tree(number) for number in flat.split(",")]]
        return Array(rows, match.start(), match.end(), True, False)
    if match["d"]:
        cells = [row.split(",") for row in re.findall(r"\[([^\[\]]+)\]", match["d"])]
    else:
        lines = [line for line in re.split(r"\\\\", match["c"]) if line.strip()]
        cells = [line.split("&") for line in lines]
    numbers = [cell.strip() for row in cells for cell in row]
    is_even = len({len(row) for row in cells}) == 1
    if not is_even or not all(re.fullmatch(_NUMBER, number) for number in numbers):
        return None
    rows = [[_tree(cell) for cell in row] for row in cells]
    return Array(rows, match.start(), match.end(), False, match["c"] is not None and match["name"] == "v")


def _tree(text: str) -> Tree:
    text = re.sub(r"\s", "", text).replace("−", "-")
    above, _, below = text.lstrip("-").partition("/")
    tree: Tree = Num(Fraction(above), len(above.partition(".")[2]))
    tree = Node("/", (tree, Num(Fraction(below)))) if below else tree
    return Node("neg", (tree,)) if text.startswith("-") else tree


def _equation(passage: Passage, left: Array) -> Iterator[Placed]:
    """What is computed from an array and the one behind it, against what is said to come out."""
    text = passage.text
    before = text[max(0, left.start - 30) : left.start]
    is_determinant = left.is_determinant or bool(_DETERMINANT.search(before))
    scalar = _SCALAR.search(before)
    end, rows = left.end, left.rows
    joint = _JOIN.match(text, end)
    right = _read(text, joint.end()) if joint is not None else None
    if is_determinant:
        closed = end + (1 if text[end : end + 1] == ")" else 0)
        yield from _compared(passage, left.start, closed, [[_determinant(rows)]] if _is_square(rows) else [])
    elif joint is not None and right is not None and right.is_vector == left.is_vector and not _TOUCHED.search(before):
        yield from _compared(passage, left.start, right.end, _joined(left, right, joint[1]))
    elif scalar is not None and right is None:
        start = left.start - len(before) + scalar.start(1)
        factor = _tree(scalar[1])
        yield from _compared(passage, start, end, [[Node("*", (factor, cell)) for cell in row] for row in rows])


def _joined(left: Array, right: Array, sign: str) -> Rows:
    """The array that two make; empty where they do not fit or the sign has several meanings."""
    a, b = left.rows, right.rows
    same = [len(row) for row in a] == [len(row) for row in b]
    if sign in ("+", "-", "−") and same:
        operation = "+" if sign == "+" else "-"
        pairs = zip(a, b, strict=True)
        return [[Node(operation, pair) for pair in zip(row, other, strict=True)] for row, other in pairs]
    if left.is_vector:
        if sign in ("\\cdot", "·") and same:
            return [[_sum([Node("*", pair) for pair in zip(a[0], b[0], strict=True)])]]
        return [_crossed(a[0], b[0])] if sign in ("×", "\\times") and same and len(a[0]) == 3 else []
    # two columns are vectors, too
    if len(a[0]) == len(b[0]) == 1 < len(a) and same and sign in ("\\cdot", "·", "×", "\\times"):
        flat = [[row[0] for row in rows] for rows in (a, b)]
        if sign in ("\\cdot", "·"):
            return [[_sum([Node("*", pair) for pair in zip(*flat, strict=True)])]]
        return [[cell] for cell in _crossed(*flat)] if len(a) == 3 else []
    # a star multiplies the components in programs
    if sign in ("\\cdot", "·", "", "\\times", "×") and len(a[0]) == len(b):
        columns = list(zip(*b, strict=True))
        return [[_sum([Node("*", pair) for pair in zip(row, column, strict=True)]) for column in columns] for row in a]
    return []


def _sum(terms: list[Tree]) -> Tree:
    total = terms[0]
    for term in terms[1:]:
        total = Node("+", (total, term))
    return total


def _crossed(a: list[Tree], b: list[Tree]) -> list[Tree]:
    pairs = ((1, 2), (2, 0), (0, 1))
    return [Node("-", (Node("*", (a[i], b[j])), Node("*", (a[j], b[i])))) for i, j in pairs]


def _is_square(rows: Rows) -> bool:
    return len(rows) == len(rows[0]) <= 4


def _determinant(rows: Rows) -> Tree:
    """Expansion along the first row."""
    if len(rows) == 1:
        return rows[0][0]
    terms = []
    for at, cell in enumerate(rows[0]):
        minor = [[*row[:at], *row[at + 1 :]] for row in rows[1:]]
        term: Tree = Node("*", (cell, _determinant(minor)))
        terms.append(Node("neg", (term,)) if at % 2 else term)
    return _sum(terms)


def _compared(passage: Passage, start: int, end: int, rows: Rows) -> Iterator[Placed]:
    sign = _EQUALS.match(passage.text, end)
    if sign is None or not rows:
        return
    claimed: Rows
    if len(rows) == len(rows[0]) == 1:
        number = _ONE.match(passage.text, sign.end())
        if number is None:
            return
        claimed, stop = [[_tree(number.group())]], number.end()
    else:
        array = _read(passage.text, sign.end())
        if array is None or [len(row) for row in array.rows] != [len(row) for row in rows]:
            return
        claimed, stop = array.rows, array.end
    pairs = zip(itertools.chain(*rows), itertools.chain(*claimed), strict=True)
    yield from _judged(passage, (start, stop), list(pairs), ())


def _length(passage: Passage, match: re.Match[str], named: dict[str, set[tuple[str, str]]]) -> Iterator[Placed]:
    """|v| of a vector that was given one value in the whole text."""
    values = named.get(match[1], set())
    array = _read(next(iter(values))[0], 0) if len({value for value, _ in values}) == 1 else None
    if array is None:
        return
    squares: list[Tree] = [Node("^", (cell, Num(Fraction(2)))) for cell in array.rows[0]]
    pair = (Node("sqrt", (_sum(squares),)), _tree(match[2]))
    yield from _judged(passage, match.span(), [pair], (min(line for _, line in values),))


def _judged(
    passage: Passage, span: tuple[int, int], pairs: list[tuple[Tree, Tree]], lines: tuple[str, ...]
) -> Iterator[Placed]:
    start, end = span
    sides = [(Side(a, start, end), Side(b, start, end)) for a, b in pairs]
    judgements = [judge(a, b, "=", DEFAULT) for a, b in sides]
    at = next((at for at, judgement in enumerate(judgements) if judgement.state == FAILS), None)
    if at is None and any(judgement.state != HOLDS for judgement in judgements):
        return
    chain = Chain([Side(None, start, start), Side(None, start, end)], ["="], start, end)
    if at is not None and context_doubt(passage.text, chain, 0):
        return
    left, right = pairs[at or 0]
    doubt = about_the_text(passage, start, end) if at is not None else ""
    holds = at is None
    value = shown(judgements[at or 0].left)
    sentence = "Every component holds." if holds else f"{plain(left)} is {value}, not {plain(right)}."
    yield place(
        passage=passage,
        start=start,
        end=end,
        checker=NAME,
        rule="components",
        verdict=Verdict.VERIFIED if holds else Verdict.REFUTED,
        sentence=sentence,
        details={
            "read": passage.text[start:end],
            "left": value,
            "right": plain(right),
            "rule": "components",
            **({"doubt": doubt} if doubt else {}),
            **({} if holds else of_values(left, right, lines)),
        },
        grade=Grade.LIKELY if doubt else Grade.CERTAIN,
    )
