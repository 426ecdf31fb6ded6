"""Faults are tried in forks of one process that has collected all tests: a fault costs what its own tests cost.

A fork gets the faulty code by giving the functions that it concerns another `__code__`; whoever has imported them holds
the same functions. A fault that acts while its module is imported (a constant, a default) is tried in a copy of the
files by a process of its own.
"""

import doctest
import gc
import os
import resource
import shutil
import subprocess
import sys
import traceback
from collections import Counter
from collections.abc import Iterator
from itertools import chain, zip_longest
from pathlib import Path
from types import CodeType, FunctionType

import pytest
from coverage import CoverageData

from tests.tools.mutants.faults import ROOT, Mutant, known_files

MOST_TESTS = 80  # of those that run a line, a case of each function in turn, those that run least else first
CPU_SECONDS = 90  # of all its tests: a fault that ends no loop counts as noticed
NO_VERDICT = 3  # exit code of a fork in which the trying itself went wrong
LONGEST = 600  # the same of a process of its own, in seconds


class UntriedError(Exception):
    """Nothing can be said of a fault."""


class Trier:
    """A plugin of pytest that runs no test itself: it tries each fault in a fork."""

    def __init__(self, faults: list[Mutant], data: CoverageData, copy: Path) -> None:
        self.faults, self.data, self.copy = faults, data, copy
        self.survivors: list[Mutant] = []
        self.noticed = 0
        self.untried: list[Mutant] = []  # the trying itself went wrong
        self.broken: dict[str, bool] = {}  # test, or tests of a copy -> whether they fail without a fault
        contexts = (set().union(*data.contexts_by_lineno(file).values()) for file in data.measured_files())
        self.breadth = Counter(chain.from_iterable(contexts))  # test -> how many files it runs

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Instead of running the tests."""
        gc.unfreeze()  # conftest.py froze what was collected, and nothing frozen is listed where functions are sought
        by_name: dict[str, list[pytest.Item]] = {}
        for item in session.items:
            by_name.setdefault(name_of(item), []).append(item)
        for fault in self.faults:
            tests = [item for name in self.covering(fault) for item in by_name.get(name, [])]
            try:
                is_seen = self.is_noticed(session, fault, in_turn(tests))
            except UntriedError as error:
                self.untried.append(fault)
                print("NOT TRIED", fault, error, flush=True)
                continue
            self.noticed += is_seen
            if not is_seen:
                self.survivors.append(fault)
            print("noticed " if is_seen else "SURVIVED", fault, f"({len(tests)} tests)", flush=True)
        return True

    def covering(self, fault: Mutant) -> list[str]:
        """The tests that run the line of a fault; of a line that runs at import, those that run any of its file.

        A test of this line alone looks at it more closely than one of a whole corpus: it stands first.
        """
        by_line = self.data.contexts_by_lineno(str(ROOT / fault.file))
        contexts = set(by_line.get(fault.line, [])) - {""}
        names = contexts or set().union(*by_line.values()) - {""}
        return sorted(names, key=lambda name: (self.breadth[name], name))

    def is_noticed(self, session: pytest.Session, fault: Mutant, tests: list[pytest.Item]) -> bool:
        """Whether a test, or an example in the module, fails with the fault."""
        exchanged = exchanges(fault)
        if not exchanged:
            return self.is_noticed_in_copy(fault, tests)
        left = tests
        while failed := self.first_failure(session, fault, left, exchanged):
            alone = [item for item in left if item.nodeid == failed]
            if failed not in self.broken:
                self.broken[failed] = bool(alone and self.first_failure(session, fault, alone, []))
            if not self.broken[failed]:
                return True
            # What fails without the fault as well notices nothing; others may.
            left = [item for item in left if item.nodeid != failed]
        return False

    def is_noticed_in_copy(self, fault: Mutant, tests: list[pytest.Item]) -> bool:
        """The same where the fault acts at import. Raises UntriedError where its tests fail without it."""
        file = self.copy / fault.file
        source = file.read_text()
        file.write_text(fault.planted_in(source))
        try:
            is_well = ends_well(self.copy, fault, tests)
        finally:
            file.write_text(source)
        names = f"{fault.file} {[item.nodeid for item in tests]}"
        if not is_well and names not in self.broken:
            self.broken[names] = not ends_well(self.copy, fault, tests)
        if not is_well and self.broken[names]:
            raise UntriedError("its tests fail in the copy without it")
        return not is_well

    def first_failure(
        self,
        session: pytest.Session,
        fault: Mutant,
        tests: list[pytest.Item],
        exchanged: list[tuple[FunctionType, CodeType]],
    ) -> str:
        """What fails first in a fork with this code exchanged, "" where nothing does. Raises UntriedError."""
        reader, writer = os.pipe()
        child = os.fork()
        if not child:
            end = NO_VERDICT
            speech = os.dup(2)
            try:
                silence()
                resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 5))
                for function, code in exchanged:
                    function.__code__ = code
                os.write(writer, failing(session, fault, tests, with_examples=bool(exchanged)).encode())
                end = 0
            except BaseException:
                os.write(speech, traceback.format_exc()[-600:].encode())
            finally:
                os._exit(end)
        os.close(writer)
        with open(reader) as pipe:
            name = pipe.read()
        _, status = os.waitpid(child, 0)
        if os.WIFEXITED(status) and os.WEXITSTATUS(status) == NO_VERDICT:
            raise UntriedError("its tests could not be run in a fork")
        return name or ("a limit" if status else "")


def name_of(item: pytest.Item) -> str:
    """As coverage names the context of a test: its module and function."""
    function = getattr(item, "function", None)
    return f"{function.__module__}.{function.__qualname__}" if function else item.nodeid


def in_turn(tests: list[pytest.Item]) -> list[pytest.Item]:
    """At most MOST_TESTS, one of each function after the other, then sorted by file so that fixtures are made once."""
    functions: dict[str, list[pytest.Item]] = {}
    for item in tests:
        functions.setdefault(name_of(item), []).append(item)
    chosen = [item for item in chain(*zip_longest(*functions.values())) if item is not None][:MOST_TESTS]
    return sorted(chosen, key=lambda item: item.nodeid.split("::")[0])


def silence() -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)


def failing(session: pytest.Session, fault: Mutant, tests: list[pytest.Item], *, with_examples: bool) -> str:
    """In the fork: run the examples of the module, then the tests; the name of the first that fails, or ""."""
    module = sys.modules.get(module_of(fault.file))
    if with_examples and module is not None and doctest.testmod(module, optionflags=doctest.ELLIPSIS).failed:
        return "an example"
    for item, after in zip_longest(tests, tests[1:]):
        session.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
        if session.testsfailed:
            return item.nodeid
    return ""


def module_of(file: str) -> str:
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def exchanges(fault: Mutant) -> list[tuple[FunctionType, CodeType]]:
    """The functions in memory whose code the fault changes, with the code that they have with it."""
    source = (ROOT / fault.file).read_text()
    path = str(ROOT / fault.file)
    before = {place(code): code for code in codes_in(compile(source, path, "exec"))}
    after = {place(code): code for code in codes_in(compile(fault.planted_in(source), path, "exec"))}
    changed = {where: code for where, code in after.items() if where in before and before[where] != code}
    functions = [each for each in gc.get_objects() if type(each) is FunctionType]  # isinstance would ask dead proxies
    mine = [each for each in functions if each.__code__.co_filename == path and place(each.__code__) in changed]
    return [(function, changed[place(function.__code__)]) for function in mine]


def place(code: CodeType) -> tuple[str, int]:
    return code.co_qualname, code.co_firstlineno


def codes_in(code: CodeType) -> Iterator[CodeType]:
    """A code object and all inside of it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes_in(constant)


def copy_files(copy: Path) -> None:
    """What git knows, beside which faults of imports are tried."""
    for file in known_files():
        (copy / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / file, copy / file, follow_symlinks=False)


def ends_well(copy: Path, fault: Mutant, tests: list[pytest.Item]) -> bool:
    """Whether all tests and the examples pass in a process of its own that imports the copy."""
    module = module_of(fault.file)
    names = sorted({item.nodeid for item in tests})
    examples = f"tests/house/test_house.py::test_every_example_in_a_docstring_is_true[{module}]"
    has_examples = ">>> " in (ROOT / fault.file).read_text()
    named = ["tests/house/test_values.py", *([examples] if has_examples else []), *names]
    try:
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-n", "0", "-p", "no:cacheprovider", *named]
        return subprocess.run(command, cwd=copy, capture_output=True, timeout=LONGEST).returncode == 0
    except subprocess.TimeoutExpired:
        return False
