"""The design of an experiment against the ledger: registered before its audits, which are all that it asks for."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from auditing.verifier import verify_audit
from tests.verifier.test_whole_ledger import leaves, published, refusals

Json = dict[str, Any]
DESIGN: Json = {"hypothesis": "h", "arms": ["a", "b"], "people": ["p", "q"], "traces": ["t", "u"], "seed": 1}
DIGEST = verify_audit.sha(verify_audit.canonical(DESIGN)).hex()
LEAF = {"t": "experiment.register", "v": 1, "digest": DIGEST}
PAIRS = [{"arm": arm, "trace": trace} for arm in DESIGN["arms"] for trace in DESIGN["traces"]]


def told(tmp_path: Path, place: int | None, change: Callable[[list[Json], Json], Any] = lambda log, file: None) -> str:
    """What the walk says of the design: registered as leaf `place` of a real ledger, four of whose audits are its."""
    log = leaves()
    first = [leaf["audit"] for leaf in log if leaf["t"] == "audit.open"]
    file = {"design": copy.deepcopy(DESIGN), "audits": dict(zip(first, copy.deepcopy(PAIRS), strict=False))}
    change(log, file)
    if place is not None:
        log.insert(place, LEAF)
    (tmp_path / "registered.json").write_text(json.dumps(file))
    walk = verify_audit.verify_ledger(
        published(tmp_path, log), ((), None), [], False, None, [str(tmp_path / "registered.json")]
    )
    return next(f"{good}: {note}" for good, title, note in walk.lines if title.startswith("design "))


def leave_out(log: list[Json], file: Json) -> None:
    file["audits"].popitem()


def ask_twice(log: list[Json], file: Json) -> None:
    list(file["audits"].values())[1].update(PAIRS[0])


def name_a_stranger(log: list[Json], file: Json) -> None:
    place = file["audits"].popitem()[1]
    file["audits"]["00000000-0000-0000-0000-000000000000"] = place


def mix_policies(log: list[Json], file: Json) -> None:
    audit = next(iter(file["audits"]))
    next(leaf for leaf in log if leaf["t"] == "audit.open" and leaf["audit"] == audit)["policy"] = 99


def test_a_design_registered_first_is_told_with_its_leaf(tmp_path: Path) -> None:
    assert told(tmp_path, 1) == "True: leaf 1, before the first leaf of its 4 audits"


@pytest.mark.parametrize(
    ("place", "change", "why"),
    [
        (None, lambda log, file: None, "this design is not registered"),
        (1, lambda log, file: file["design"].update(hypothesis="i"), "this design is not registered"),
        (10_000, lambda log, file: None, "began before the design was registered"),
        (1, leave_out, "its audits are not each trace of the design once in each arm"),
        (1, ask_twice, "its audits are not each trace of the design once in each arm"),
        (1, name_a_stranger, "is not in this ledger"),
        (1, mix_policies, "audits of the arm a ran under several policies"),
        (1, lambda log, file: file.pop("audits"), "the key 'audits' is missing"),
    ],
)
def test_any_other_design_is_refused(tmp_path: Path, place: int | None, change: Any, why: str) -> None:
    assert told(tmp_path, place, change).startswith("False: ")
    assert why in told(tmp_path, place, change)


def test_a_design_that_is_registered_twice_is_refused(tmp_path: Path) -> None:
    assert "one design is registered twice" in refusals(published(tmp_path, [LEAF, *leaves(), LEAF]), [])


def test_the_command_takes_the_file_and_ends_with_2_where_it_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "registered.json").write_text(json.dumps({"design": DESIGN, "audits": {}}))
    command = ["ledger", published(tmp_path, leaves()), "--design", str(tmp_path / "registered.json")]
    assert verify_audit.main(command) == 2
    assert "this design is not registered" in capsys.readouterr().out
