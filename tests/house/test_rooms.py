"""The corridor's floors hold the same rooms, and beside them only the spine (docs/decisions/0012)."""

import ast
import tomllib

import pytest

from tests.house.test_house import ROOT

CORRIDOR = ROOT / "auditing"
ROOMS = frozenset(
    "intake routing seating voting consensus points gold conduct policy campaigns ledger model_tier soundness "
    "report".split()
)
SPINE = {
    "core": {"stages", "values", "errors", "events"},
    "models": {"choices", "jobs"},
    "selectors": {"clock", "kept"},
    "services": {"corridor", "transitions", "events", "jobs"},
    "views": set(),
    "api": {"urls", "errors"},
}
"""Floor -> the files beside the rooms that a newcomer reads first."""
MOST_FILES = 20


def names_on(floor):
    """Rooms and spine of a floor: its files without their suffix, its folders that hold Python."""
    files = {path.stem for path in floor.glob("*.py") if path.stem != "__init__"}
    folders = {path.parent.name for path in floor.glob("*/*.py")}
    return files, folders


def strangers_on(floor, spine):
    files, folders = names_on(floor)
    return (files | folders) - ROOMS - spine


@pytest.mark.parametrize("floor", SPINE)
def test_a_floor_holds_rooms_and_its_spine_only(floor):
    assert strangers_on(CORRIDOR / floor, SPINE[floor]) == set()


@pytest.mark.parametrize("floor", SPINE)
def test_a_room_is_a_file_or_a_folder_but_not_both(floor):
    files, folders = names_on(CORRIDOR / floor)
    assert files & folders == set()


def test_no_room_stands_empty():
    rooms = {name for floor in SPINE for names in names_on(CORRIDOR / floor) for name in names}
    assert rooms >= ROOMS


@pytest.mark.parametrize("floor", SPINE)
def test_a_folder_holds_at_most_twenty_files(floor):
    folders = {path.parent for path in (CORRIDOR / floor).rglob("*.py")}
    counts = {folder.name: len([path for path in folder.glob("*.py") if path.stem != "__init__"]) for folder in folders}
    assert {name: count for name, count in counts.items() if count > MOST_FILES} == {}


def test_every_module_of_the_floors_below_the_outside_says_what_it_is():
    silent = [
        path.relative_to(CORRIDOR).as_posix()
        for floor in ("core", "models", "selectors", "services")
        for path in (CORRIDOR / floor).rglob("*.py")
        if path.read_text().strip() and not ast.get_docstring(ast.parse(path.read_text()))
    ]
    assert silent == []


def contract(name):
    """A contract of pyproject.toml."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    return next(entry for entry in settings["contracts"] if entry["id"] == name)


def rooms_above(floor):
    """Dotted names of a floor in every room above the corridor."""
    rooms = (path for path in (CORRIDOR / "research").iterdir() if path.is_dir())
    return {
        f"auditing.research.{room.name}.{floor}" for room in rooms if [*room.glob(f"{floor}.py"), *room.glob(floor)]
    }


@pytest.mark.parametrize(
    ("name", "floors"), [("pure", ["core"]), ("reading", ["selectors"]), ("outside", ["views", "api"])]
)
def test_every_floor_of_the_rooms_above_is_under_contract(name, floors):
    assert {floor for word in floors for floor in rooms_above(word)} - set(contract(name)["source_modules"]) == set()


def test_every_room_above_that_has_floors_keeps_their_order():
    rooms = {name.rpartition(".")[0] for word in ("core", "selectors", "services", "api") for name in rooms_above(word)}
    assert rooms - set(contract("research-floors")["containers"]) == set()


def test_a_stranger_among_the_rooms_is_found(tmp_path):
    (tmp_path / "helpers").mkdir()
    for name in ("voting.py", "stages.py", "judging.py", "helpers/dates.py"):
        (tmp_path / name).write_text("")
    assert strangers_on(tmp_path, {"stages"}) == {"judging", "helpers"}


def test_pages_and_tests_stand_in_the_same_rooms():
    pages = {path.name for path in (ROOT / "templates" / "auditing").iterdir() if path.is_dir()}
    tests = {path.name for path in (ROOT / "tests" / "rooms").iterdir() if path.is_dir()} - {"__pycache__", "research"}
    assert pages - ROOMS == set()
    assert tests - ROOMS == set()
