"""Faults of one line: an operator, a constant, a condition or a `not`, each as a careless hand would make it."""

import ast
import random
import re
import subprocess
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PLACES = re.compile(r"^(auditing/(core|checker|translog|selectors|services)|hdag/(core|services|selectors))/.*\.py$")
SWAPS = {
    "<=": "<", ">=": ">", "<": "<=", ">": ">=", "==": "!=", "!=": "==", "is not": "is", "is": "is not",
    "not in": "in", "in": "not in", "+": "-", "-": "+", "*": "/", "/": "*", "and": "or", "or": "and",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mutant:
    """One fault: characters [start, end) of a file become `text`."""

    file: str
    line: int
    start: int
    end: int
    text: str
    was: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}+{self.start}  {self.was!r} -> {self.text!r}"

    def planted_in(self, source: str) -> str:
        """The text of the file with this fault."""
        return source[: self.start] + self.text + source[self.end :]


class Finder(ast.NodeVisitor):
    """Every fault that one file can have."""

    def __init__(self, file: str, source: str) -> None:
        self.file, self.source, self.faults = file, source, list[Mutant]()
        lines = source.splitlines(keepends=True)
        self.starts = [sum(map(len, lines[:number])) for number in range(len(lines))]
        self.lines = lines

    def at(self, line: int, column: int) -> int:
        """Where in the text a place of the syntax tree is; its columns count bytes."""
        return self.starts[line - 1] + len(self.lines[line - 1].encode()[:column].decode())

    def add(self, node: ast.expr, start: int, end: int, text: str) -> None:
        """Note a fault."""
        was = self.source[start:end]
        self.faults.append(Mutant(self.file, node.lineno, start, end, text, was))

    def swap(self, node: ast.expr, left: ast.expr, right: ast.expr) -> None:
        """Another operator between two operands."""
        start = self.at(left.end_lineno or 0, left.end_col_offset or 0)
        between = self.source[start : self.at(right.lineno, right.col_offset)]
        for sign in SWAPS:  # longer signs stand before those that they begin with
            if found := re.search(rf"(?<![\w<>=!*/]){re.escape(sign)}(?![\w<>=!*/])", between):
                self.add(node, start + found.start(), start + found.end(), SWAPS[sign])
                return

    def visit_Compare(self, node: ast.Compare) -> None:
        """One comparison."""
        if len(node.ops) == 1:
            self.swap(node, node.left, node.comparators[0])
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        """One operator."""
        if isinstance(node.op, ast.Add | ast.Sub | ast.Mult | ast.Div):
            self.swap(node, node.left, node.right)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        """`and`, `or`."""
        self.swap(node, node.values[0], node.values[1])
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        """`not`."""
        if isinstance(node.op, ast.Not):
            start = self.at(node.lineno, node.col_offset)
            self.add(node, start, start + len("not "), "")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        """Another number, the other truth."""
        start, end = self.at(node.lineno, node.col_offset), self.at(node.end_lineno or 0, node.end_col_offset or 0)
        if isinstance(node.value, bool):
            self.add(node, start, end, str(not node.value))
        elif isinstance(node.value, int | float):
            self.add(node, start, end, f"({self.source[start:end]} + 1)")

    def visit_If(self, node: ast.If) -> None:
        """The other branch."""
        start = self.at(node.test.lineno, node.test.col_offset)
        end = self.at(node.test.end_lineno or 0, node.test.end_col_offset or 0)
        self.add(node.test, start, end, f"not ({self.source[start:end]})")
        self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """An annotation decides nothing."""
        if node.value is not None:
            self.visit(node.value)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Words are not tried; Python 3.11 does not know the places inside them."""


def faults_of(file: str) -> list[Mutant]:
    """The faults of a file."""
    source = (ROOT / file).read_text()
    finder = Finder(file, source)
    finder.visit(ast.parse(source))
    return finder.faults


def _compiles(fault: Mutant) -> bool:
    try:
        compile(fault.planted_in((ROOT / fault.file).read_text()), fault.file, "exec")
    except (SyntaxError, ValueError):
        return False
    return True


def known_files() -> list[str]:
    """What git knows, and what is new here."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")[:-1]


def sample(count: int, seed: int, only: tuple[str, ...]) -> list[Mutant]:
    """A random sequence of faults: files by their number of faults."""
    files = [file for file in known_files() if PLACES.match(file) and file.startswith(only)]
    faults = [fault for file in files for fault in faults_of(file)]
    random.Random(seed).shuffle(faults)
    return list(islice(filter(_compiles, faults), count))
