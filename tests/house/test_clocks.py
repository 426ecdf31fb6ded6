"""F11: time in the corridor is PostgreSQL's."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CLOCKS = (
    "timezone.now",
    "timezone.localtime",
    "datetime.now",
    "datetime.utcnow",
    "datetime.today",
    "date.today",
    "time.time",
)
LAST = frozenset(name.rpartition(".")[2] for name in CLOCKS)  # to write a call out in full takes long
_MAY_ASK = re.compile(rf"\.(?:{'|'.join(LAST)})\(")  # to parse a file takes longer still
ALLOWED = {"hdag/chat/replies/statuses.py"}  # a Retry-After that is a date means the clock of this machine


def clocks_asked(room):
    for path in sorted((ROOT / room).rglob("*.py")):
        source = path.read_text()
        for node in ast.walk(ast.parse(source)) if _MAY_ASK.search(source) else ():
            is_named = isinstance(node, ast.Call) and getattr(node.func, "attr", "") in LAST
            if is_named and ast.unparse(node.func).endswith(CLOCKS):
                yield path.relative_to(ROOT).as_posix()


def test_no_other_clock_than_the_databases_is_asked_in_the_corridor():
    assert {*clocks_asked("auditing"), *clocks_asked("hdag")} == ALLOWED
