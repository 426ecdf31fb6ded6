"""Would the tests notice? A seeded sample of one-line faults, each tried against the tests that run its line.

Run: python -m tests.tools.mutants --count 200 --seed 1 [--only auditing/core]  (`make mutants`).
A fault is one operator, constant, condition or `not`. Which test runs which line comes from coverage.py with one
context a test, measured once over --tests. Faults are planted in a copy of the files that git knows, never here.
"""

import argparse
import ast
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from coverage import CoverageData

ROOT = Path(__file__).resolve().parents[2]
PLACES = re.compile(r"^(auditing/(core|checker|translog|selectors|services)|hdag/(core|services|selectors))/.*\.py$")
SETTINGS = "[run]\ndynamic_context = test_function\nsource = auditing,hdag\ndata_file = {data}\n"
MOST_TESTS = 60  # the tests of one file that run a line are many; the first of each file tell most
LONGEST = 600  # seconds: a fault that ends no loop counts as noticed
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
        return f"{self.file}:{self.line}  {self.was!r} -> {self.text!r}"


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
    """The faults of a file that still compile."""
    source = (ROOT / file).read_text()
    finder = Finder(file, source)
    finder.visit(ast.parse(source))
    return [fault for fault in finder.faults if _compiles(source, fault)]


def _compiles(source: str, fault: Mutant) -> bool:
    try:
        compile(source[: fault.start] + fault.text + source[fault.end :], fault.file, "exec")
    except (SyntaxError, ValueError):
        return False
    return True


def known_files() -> list[str]:
    """What git knows, and what is new here."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")[:-1]


def measure(data: Path, tests: list[str]) -> None:
    """Run the tests once, and write down which of them runs which line."""
    with tempfile.NamedTemporaryFile("w", suffix=".ini") as settings:
        settings.write(SETTINGS.format(data=data))
        settings.flush()
        command = ["-m", "coverage", "run", f"--rcfile={settings.name}", "-m", "pytest", "-q", *tests]
        subprocess.run([sys.executable, *command], cwd=ROOT, check=False)


def covering(data: CoverageData, fault: Mutant) -> list[str]:
    """The tests that run the line of a fault, as pytest names them; empty when none does.

    A line that runs when its module is imported belongs to no test: then those that run any line of the file.
    """
    by_line = data.contexts_by_lineno(str(ROOT / fault.file))
    contexts = set(by_line.get(fault.line, []))
    if contexts == {""}:
        contexts = set().union(*by_line.values())
    return sorted(filter(None, map(_node_id, contexts)))[:MOST_TESTS]


def _node_id(context: str) -> str | None:
    """tests.unit.test_x.test_y -> tests/unit/test_x.py::test_y; None where a fixture or an import ran the line."""
    module, _, name = context.rpartition(".")
    file = module.replace(".", "/") + ".py"
    return f"{file}::{name}" if name.startswith("test_") and (ROOT / file).exists() else None


def is_noticed(copy: Path, fault: Mutant, tests: list[str]) -> bool:
    """Whether a test fails with the fault in the copy."""
    file = copy / fault.file
    source = file.read_text()
    file.write_text(source[: fault.start] + fault.text + source[fault.end :])
    try:
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
        return subprocess.run(command, cwd=copy, capture_output=True, timeout=LONGEST, check=False).returncode != 0
    except subprocess.TimeoutExpired:
        return True
    finally:
        file.write_text(source)


def sample(count: int, seed: int, only: str) -> Iterator[Mutant]:
    """A random sequence of faults: files by their number of faults, as a careless hand would meet them."""
    files = [file for file in known_files() if PLACES.match(file) and file.startswith(only)]
    faults = [fault for file in files for fault in faults_of(file)]
    random.Random(seed).shuffle(faults)
    yield from faults[:count]


def main() -> None:
    """Try the faults and print those that no test noticed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="the beginning of the paths to try")
    parser.add_argument("--tests", nargs="*", default=["tests/unit", "tests/rooms", "tests/api", "tests/race"])
    parser.add_argument("--coverage", type=Path, default=ROOT / ".run" / "mutants.coverage", help="measured if missing")
    options = parser.parse_args()
    if not options.coverage.exists():
        options.coverage.parent.mkdir(exist_ok=True)
        measure(options.coverage, options.tests)
    data = CoverageData(str(options.coverage))
    data.read()
    noticed, survivors = 0, list[str]()
    with tempfile.TemporaryDirectory() as directory:
        copy = Path(directory)
        for file in known_files():
            (copy / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / file, copy / file, follow_symlinks=False)
        for fault in sample(options.count, options.seed, options.only):
            tests = covering(data, fault)
            is_seen = bool(tests) and is_noticed(copy, fault, tests)
            noticed += is_seen
            if not is_seen:
                survivors.append(f"{fault}  ({len(tests)} tests run it)")
            print("noticed " if is_seen else "SURVIVED", fault, f"({len(tests)} tests)", flush=True)
    print(
        f"{noticed} of {noticed + len(survivors)} noticed (seed {options.seed}); not noticed:", *survivors, sep="\n  "
    )


if __name__ == "__main__":
    main()
