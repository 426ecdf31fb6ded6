"""Lies that the file of one audit cannot show: about policies, anchors and what is found by a receipt."""

import copy
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from auditing.verifier import verify_audit
from benchmarks.liar import NEWER
from tests.verifier.test_whole_ledger import leaves, published, refusals

Leaf = dict[str, Any]
Change = Callable[[list[Leaf]], Any]


def first(log: list[Leaf], kind: str) -> Leaf:
    return next(leaf for leaf in log if leaf["t"] == kind)


def repolicy(log: list[Leaf], **changes: Any) -> None:
    """The published policy says something else, and its digest with it."""
    leaf = first(log, "params.policy")
    leaf["params"].update(changes)
    leaf["digest"] = verify_audit.sha(verify_audit.canonical(leaf["params"])).hex()


def leave_out(log: list[Leaf]) -> None:
    """Published: the revealer keeps every opening. The audit does not say so, and lets votes fall silent."""
    repolicy(log, openings="escrow")
    for leaf in log:
        if leaf["t"] == "audit.open":
            del leaf["params"]["openings"]


def say_one(log: list[Leaf]) -> None:
    """Published: waves are planned. The audit says 1, which is not true, and plans none."""
    repolicy(log, planner=True)
    for leaf in log:
        if leaf["t"] == "audit.open":
            leaf["params"]["planner"] = 1


def publish_again(log: list[Leaf]) -> None:
    """The same number a second time, for those who read the last one."""
    leaf = copy.deepcopy(first(log, "params.policy"))
    leaf["params"]["theta_pass"] = "0.6"
    leaf["digest"] = verify_audit.sha(verify_audit.canonical(leaf["params"])).hex()
    log.append(leaf)


def shorten(log: list[Leaf]) -> None:
    """The leaf has room for its routes, and its digest is of something else."""
    first(log, "params.policy")["digest"] = "ab" * 32


def anchor(log: list[Leaf], size: int, root: str) -> None:
    leaf = {"chain": "1", "contract": "0x0", "transaction": "0x0", "size": size, "root": root, "t": "anchor", "v": 1}
    log.append(leaf)


def root_of(log: list[Leaf], size: int) -> str:
    return verify_audit.tree_root([verify_audit.leaf_hash(verify_audit.canonical(leaf)) for leaf in log[:size]]).hex()


REFUSED: dict[str, tuple[Change, str]] = {
    "a parameter left out": (leave_out, "says openings, and the audit leaves it out"),
    "one for true": (say_one, "planner is not what policy 1 says"),
    "a policy published twice": (publish_again, "policy 1 was published twice, as two things"),
    "a digest of something else": (shorten, "policy 1 is not what its digest says"),
    "an anchor of another tree": (lambda log: anchor(log, 100, "ab" * 32), "anchors another tree"),
    "an anchor of what was not there yet": (
        lambda log: anchor(log, len(log) + 1, "ab" * 32),
        "anchors a head that was not there yet",
    ),
    "an anchor of nothing": (lambda log: anchor(log, 0, "ab" * 32), "anchors a head that was not there yet"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_lie_about_the_whole_ledger_is_refused(name: str, tmp_path: Path) -> None:
    lie, words = REFUSED[name]
    log = leaves()
    lie(log)
    assert words in refusals(published(tmp_path, log), [])


@pytest.mark.parametrize("size", [1, 2, 3, 100, 255, 256, 257])
def test_an_anchor_of_an_older_head_is_accepted(size: int, tmp_path: Path) -> None:
    log = leaves()
    anchor(log, size, root_of(log, size))
    assert refusals(published(tmp_path, log), []) == ""


def test_what_a_domain_behind_a_digest_changed_is_named_and_believed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A policy too long for its leaf: nobody but the operator can read its domains."""
    log = leaves()
    leaf = first(log, "params.policy")
    leaf["params"] = {name: value for name, value in leaf["params"].items() if name not in ("routes", "domains")}
    leaf["digest"] = "ab" * 32
    first(log, "audit.open")["params"]["segments_per_hour"] = 7
    assert verify_audit.main(["ledger", published(tmp_path, log)]) == 0
    printed = capsys.readouterr().out
    assert "segments_per_hour by a domain of policy 1 that stands behind its digest" in printed
    assert verify_audit.BELIEVED["text"] in printed


def test_a_vote_that_was_never_opened_is_not_called_counted() -> None:
    data = gzip.decompress((NEWER / "unopened.json.gz").read_bytes())
    log = [json.loads(leaf["entry"]) for leaf in json.loads(data)["leaves"]]
    seat = next(entry["seat"] for leaf in log if leaf["t"] == "vote.noreveal" for entry in leaf["seats"])
    commit = next(leaf for leaf in log if leaf["t"] == "vote.commit" and leaf["seat"] == seat)
    promise = {
        "origin": json.loads(data)["vkey"].split("+")[0],
        "kind": "vote.commit",
        "subject": seat,
        "digest": commit["commitment"],
        "leaf": verify_audit.leaf_hash(verify_audit.canonical(commit)).hex(),
    }
    assert "it was never opened, so it was not counted" in verify_audit.find_promised(data, promise)
