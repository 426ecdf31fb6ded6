"""What `make test` leaves to `make sweep` (docs/decisions/0062): nothing is lost, and nothing but sweeps is left."""

import ast
import re
from pathlib import Path
from typing import Any

import pytest

from tests.tools.sweeping import LARGEST, sampled, shares, sweep_of

ROOT = Path(__file__).resolve().parents[2]
GIVERS = {"sampled", "shares", "sweep_of"}
MARKER = re.compile(r"mark\.sweep\b|\bSWEEP\b")
# Who may: files that go through all of something. What the corridor does with votes, seats and points is no sweep.
SWEPT = {
    "api": "description",
    "browser": "desk_hands every_page policy_look research_look trace_look workbench",
    "jobs": "serve ten_records tls",
    "pages": "anonymity as_before blindness doors every_page every_parameter headers way_of_programs",
    "rooms/consensus": "waves",
    "rooms/ledger": "stories",
    "unit/chat": "dialects",
    "unit/consensus": "rules",
    "unit/checker": "long_traces safety said_again",
    "unit/desk": "masking_hints",
    "unit/hdag": "units",
    "unit/rendering": "text",
    "unit/research": "plots",
    "unit/soundness": "detectors particles",
    "verifier": "liar",
}
FILES = sorted(f"tests/{place}/test_{name}.py" for place, names in SWEPT.items() for name in names.split())


def givers_in(source: str) -> set[str]:
    """What a file takes from `tests/tools/sweeping.py`."""
    if "tests.tools.sweeping" not in source:
        return set()
    imports = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)]
    return {name.name for node in imports if node.module == "tests.tools.sweeping" for name in node.names}


def is_marked(test: ast.FunctionDef, names: set[str]) -> bool:
    """Whether one of the decorators leaves the test to the sweep, wholly: `names` are those that do."""
    return any(
        isinstance(node, ast.Name) and node.id in names
        for decorator in test.decorator_list
        for node in ast.walk(decorator)
    )


def orphans(source: str) -> list[str]:
    """Tests that are left to the sweep as a whole and whose small instance is none, or is left to the sweep too.

    >>> orphans("@sweep_of('test_a')\\ndef test_b(): ...")
    ['test_a']
    """
    tree = ast.parse(source)
    tests = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _name(node.func) == "sweep_of"]
    kept = [node for node in tree.body if isinstance(node, ast.Assign) and _name(getattr(node.value, "func", None))]
    aliases = {_name(node.targets[0]) for node in kept if node.value in calls}
    samples = [call.args[0].value for call in calls if isinstance(call.args[0], ast.Constant)]
    assert len(samples) == len(calls), "the small instance is named where it stands"
    return [
        str(sample)
        for sample in samples
        if sample not in tests or is_marked(tests[str(sample)], {"sweep_of", *aliases})
    ]


def _name(node: Any) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def sources() -> dict[str, str]:
    paths = sorted((ROOT / "tests").rglob("*.py"))
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in paths}


def test_the_build_server_runs_what_make_test_leaves_out() -> None:
    makefile, server = ((ROOT / name).read_text(encoding="utf-8") for name in ("Makefile", ".ci/run"))
    runs = re.findall(r"-m pytest tests -m (\"not sweep\"|sweep) \$\(PROCESSES\)", makefile)
    assert runs == ['"not sweep"', "sweep"]
    assert "for tests in test sweep; do" in server
    assert 'make "$tests"' in server


def test_only_sweeps_are_left_out() -> None:
    users = [name for name, source in sources().items() if givers_in(source) & GIVERS and name != name_of_this()]
    assert users == FILES


def test_the_marker_is_given_in_one_file_alone() -> None:
    found = [name for name, source in sources().items() if MARKER.search(source) and name != name_of_this()]
    assert found == ["tests/tools/sweeping.py"]


@pytest.mark.parametrize("name", FILES)
def test_of_every_sweep_a_small_instance_stays(name: str) -> None:
    assert orphans((ROOT / name).read_text(encoding="utf-8")) == []


def name_of_this() -> str:
    return Path(__file__).resolve().relative_to(ROOT).as_posix()


# -- the rules bite ---------------------------------------------------------------------------------------------------


def marked(cases: list[Any]) -> list[bool]:
    return [bool(case.marks) for case in cases]


def test_of_cases_a_share_stays() -> None:
    assert marked(sampled("abcdefg", one_in=3)) == [False, True, True, False, True, True, False]
    assert marked(sampled([("a", 1), ("b", 2)], one_in=2, first=1)) == [True, False]
    assert marked(shares(4)) == [False, True]
    assert sweep_of("test_a").kwargs == {"sample": "test_a"}


@pytest.mark.parametrize("refused", [(1, 0), (LARGEST + 1, 0), (3, 3), (3, 2), (2, -1)])
def test_no_list_is_left_out_whole(refused: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="leaves too little"):
        sampled("ab", one_in=refused[0], first=refused[1])


@pytest.mark.parametrize(
    "source",
    [
        "@sweep_of('test_b')\ndef test_b(): ...",
        "of_b = sweep_of('test_b')\n@of_b\ndef test_b(): ...\n@of_b\ndef test_c(): ...",
        "@sweep_of('test_elsewhere')\ndef test_b(): ...",
    ],
)
def test_a_sweep_without_a_small_instance_is_found(source: str) -> None:
    assert orphans(source)
    assert not orphans("of_a = sweep_of('test_a')\n@of_a\ndef test_b(): ...\ndef test_a(): ...")
