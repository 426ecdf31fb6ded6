"""The project as a text: names that say something, comments where one would stop, folders that one look takes in."""

import ast
import collections
import re

import pytest

from tests.house.test_house import ROOT, name_of, tracked

PLACEHOLDERS = frozenset(
    "found one said item place part kind way other rest kept shown known given".split()
)  # names that would fit anything
MOST_PLACEHOLDERS = 3.0  # in 1,000 lines: a few are fields of models and leaves, whose names are published
_PLACEHOLDER = re.compile(rf"\b(?:{'|'.join(PLACEHOLDERS)})\b")
# strings and comments, whichever begins first: to tokenize all files takes twenty times as long
_APART = re.compile(
    r"""'{3}.*?'{3}|"{3}.*?"{3}|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|(?P<comment>#[^\n]*)""", re.DOTALL
)
LEAST_COMMENTS = 0.04  # of all lines
LARGEST_FOLDER = 20  # Python files, `__init__` not counted
MOST_LINES_OF_THE_CORRIDOR = (
    30_000  # auditing without libraries, strangers' programs, rooms above (docs/decisions/0036)
)
MOST_LINES_FOR_STRANGERS = 6_150  # auditing/verifier (docs/decisions/0033, 0037, 0045, 0048, 0050, 0056, 0061, 0064)


def product():
    return [
        path
        for path in tracked("*.py")
        if not name_of(path).startswith(("tests/", "benchmarks/")) and "migrations" not in path.parts
    ]


@pytest.fixture(scope="module")
def sources():
    return {path: path.read_text(encoding="utf-8") for path in product()}


def placeholders_in(source):
    """How often a placeholder is bound: stored to, or the name of a parameter."""
    nodes = list(ast.walk(ast.parse(source))) if _PLACEHOLDER.search(_APART.sub("", source)) else []
    stored = [node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    parameters = [node.arg for node in nodes if isinstance(node, ast.arg)]
    return sum(name in PLACEHOLDERS for name in stored + parameters)


def comments_in(source):
    return sum(match["comment"] is not None for match in _APART.finditer(source))


def test_names_say_what_they_hold(sources):
    lines = sum(source.count("\n") for source in sources.values())
    count = sum(placeholders_in(source) for source in sources.values())
    assert count / lines * 1000 < MOST_PLACEHOLDERS


def test_a_placeholder_is_found():
    assert placeholders_in("def f(item):\n    found = [item]\n    return found\n") == 2


def test_comments_stand_where_a_reader_would_stop(sources):
    lines = sum(source.count("\n") for source in sources.values())
    assert sum(comments_in(source) for source in sources.values()) / lines >= LEAST_COMMENTS


def test_a_folder_is_seen_in_one_look():
    folders = collections.Counter(path.parent for path in product() if path.name != "__init__.py")
    assert [name_of(folder) for folder, count in folders.items() if count > LARGEST_FOLDER] == []


def test_the_formatter_decides_the_layout(sources):
    assert sum(source.count("fmt: " + "skip") for source in sources.values()) < 30


def test_the_corridor_stays_small(sources):
    apart = tuple(str(ROOT / "auditing" / name) for name in ("checker", "translog", "client", "verifier", "research"))
    corridor = [path for path in sources if name_of(path).startswith("auditing/") and not str(path).startswith(apart)]
    assert sum(sources[path].count("\n") for path in corridor) < MOST_LINES_OF_THE_CORRIDOR
    programs = [path for path in sources if str(path).startswith(str(ROOT / "auditing" / "verifier"))]
    assert sum(sources[path].count("\n") for path in programs) < MOST_LINES_FOR_STRANGERS


def test_nothing_outside_tests_and_benchmarks_names_the_shared_folder(sources):
    assert [name_of(path) for path, source in sources.items() if "../shared" in source] == []
