"""Lies that the file of one audit cannot show: about policies, anchors and what is found by a receipt."""

import copy
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from auditing.core.ledger import rotation
from auditing.core.ledger.leaves import encode
from auditing.translog import note
from auditing.verifier import verify_audit
from benchmarks.liar import NEWER
from tests.verifier.test_whole_ledger import KEY, leaves, published, refusals

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


def opened(log: list[Leaf], follows: bool) -> Leaf:
    """An audit that follows another one, or one that does not."""
    return next(leaf for leaf in log if leaf["t"] == "audit.open" and ("predecessor" in leaf) is follows)


def say_in_audits(**params: Any) -> Change:
    """What a policy leaves unsaid means the usual; the audits of this one say otherwise."""

    def lie(log: list[Leaf]) -> None:
        for leaf in log:
            if leaf["t"] == "audit.open":
                leaf["params"].update(params)

    return lie


def appeal_afterwards(log: list[Leaf]) -> None:
    """The successor is decided; only then, as it pleases, somebody appeals."""
    leaf = first(log, "appeal")
    log.remove(leaf)
    mine = [place for place, entry in enumerate(log) if entry.get("audit") == leaf["successor"]]
    log.insert(mine[-1] + 1, leaf)


def follow_itself(log: list[Leaf]) -> None:
    leaf = opened(log, follows=False)
    key = leaf["predecessor"] = leaf["audit"]
    log.remove(next(entry for entry in log if entry["t"] == "submission" and entry["audit"] == key))
    log.append({**first(log, "appeal"), "audit": key, "successor": key})


def follow_too(log: list[Leaf]) -> None:
    """A second audit that follows the same one, without an appeal that names it."""
    follower = opened(log, follows=True)
    leaf = next(
        entry
        for entry in log
        if entry["t"] == "audit.open" and entry["audit"] not in (follower["audit"], follower["predecessor"])
    )
    leaf["predecessor"] = follower["predecessor"]
    log.remove(next(entry for entry in log if entry["t"] == "submission" and entry["audit"] == leaf["audit"]))


def name_an_older(log: list[Leaf]) -> None:
    """The successor is said to be followed by the audit before it, so that it may be taken back for that one's word."""
    leaf = opened(log, follows=True)
    log.append({**first(log, "appeal"), "audit": leaf["audit"], "successor": leaf["predecessor"]})


def hand_over(log: list[Leaf]) -> None:
    """A key of another ledger hands this one over."""
    old, new = (note.signing_key(name=name, seed=b"h" * 32) for name in ("other.example/ledger/v1", KEY.name))
    leaf = rotation.rotation_leaf(old=old, new=new.verifier)
    log.append(json.loads(encode(leaf=leaf)) | {"new": KEY.verifier.vkey})


def give_out(log: list[Leaf]) -> None:
    """The points of an audit are given out while its appeal is being looked at."""
    asked = first(log, "appeal")
    held = next(leaf for leaf in log if leaf["t"] == "payout" and leaf["audit"] == asked["audit"])
    lines = [{**line, "posting": "release"} for line in held["lines"]]
    log.insert(log.index(asked) + 1, {**held, "held": False, "lines": lines})


def forget(log: list[Leaf], audit: str, *kinds: str) -> None:
    log[:] = [leaf for leaf in log if leaf.get("audit") != audit or leaf["t"] in kinds]


REFUSED: dict[str, tuple[Change, str]] = {
    "points given out during an appeal": (give_out, "given out before its appeal was decided"),
    "neighbours unsaid, and allowed": (say_in_audits(neighbours=True), "neighbours is not what policy 1 says"),
    "a basis of slashes unsaid": (say_in_audits(slashing="outcome"), "slashing is not what policy 1 says"),
    "a model that routes, unsaid": (say_in_audits(routed_by="model"), "routed_by is not what policy 1 says"),
    "an appeal after its successor": (appeal_afterwards, "before anybody had appealed for it"),
    "an audit that follows itself": (follow_itself, "an audit follows itself"),
    "two audits that follow one": (follow_too, "2 successors: one could be chosen afterwards"),
    "an older audit as successor": (name_an_older, "which does not follow this one"),
    "handed over by another ledger's key": (hand_over, "names another ledger"),
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


def undone(folder: str) -> tuple[bool, list[str]]:
    """Whether a walk holds, and what it says of audits that were begun and not ended."""
    report = verify_audit.verify_ledger(folder, ((), None), [], False)
    return report.ok, [note for _, title, note in report.lines if title.startswith(("audit ", "begun"))]


def test_an_appeal_whose_audit_was_never_opened_is_told(tmp_path: Path) -> None:
    log = leaves()
    asked = first(log, "appeal")
    forget(log, asked["successor"])
    holds, notes = undone(published(tmp_path, log))
    assert holds
    assert notes[-1] == "1 appeals whose audit was not opened"
    assert any(f"its appeal asked for audit {asked['successor'][:8]}, which was not opened" in note for note in notes)


def test_points_that_are_given_out_though_the_appeal_has_no_outcome_are_told(tmp_path: Path) -> None:
    log = leaves()
    give_out(log)
    forget(log, first(log, "appeal")["successor"], "audit.open")
    holds, notes = undone(published(tmp_path, log))
    assert holds
    assert any("which has no outcome, and its points were given out" in note for note in notes)
    assert notes[-1] == "1 appeals whose audit has no outcome, 1 audits"


def test_an_audit_without_an_end_is_told_and_that_a_later_one_has_settled(tmp_path: Path) -> None:
    log = leaves()
    forget(log, first(log, "audit.open")["audit"], "submission", "audit.open")
    holds, notes = undone(published(tmp_path, [leaf for leaf in log if leaf["t"] != "appeal"]))
    assert holds
    overtaken = "though an audit that was opened later has settled"
    assert any(note == f"unfinished, {overtaken}" for note in notes)
    assert notes[-1] == f"1 audits, {overtaken}"


@pytest.mark.parametrize("name", REFUSED)
def test_a_lie_about_the_whole_ledger_is_refused(name: str, tmp_path: Path) -> None:
    lie, words = REFUSED[name]
    log = leaves()
    lie(log)
    assert words in refusals(published(tmp_path, log), [])


def test_what_a_successor_found_otherwise_is_taken_back_once_a_later_audit_has_settled() -> None:
    log = leaves()
    follower = opened(log, follows=True)
    outcome = first([leaf for leaf in log if leaf.get("audit") == follower["audit"]], "segment.outcome")
    ledger = verify_audit.Ledger([verify_audit.canonical(leaf) for leaf in log])
    before = ledger.audit(follower["predecessor"], verify_audit.Report())
    assert verify_audit.has_settled(ledger, follower["audit"])
    later = {"t": "audit.open", "audit": "later", "index": len(ledger.leaves)}
    step = {"t": "reputation.update", "audit": "later", "index": later["index"] + 1}
    ledger.leaves += [later, step]
    ledger.audits["later"] += [later, step]
    verify_audit.check_taken_back(ledger, before, follower["audit"])
    mine = ledger.audits[follower["audit"]]
    changed = next(leaf for leaf in mine if (leaf["t"], leaf.get("segment")) == ("segment.outcome", outcome["segment"]))
    changed["outcome"] = {"pass": "fail", "fail": "pass"}[changed["outcome"]]
    with pytest.raises(verify_audit.CheckFailedError, match="and nothing was taken back"):
        verify_audit.check_taken_back(ledger, before, follower["audit"])


def test_seats_of_routes_that_stand_behind_a_digest_are_named_and_believed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = leaves()
    leaf = first(log, "params.policy")
    leaf["params"] = {name: value for name, value in leaf["params"].items() if name not in ("routes", "domains")}
    say_in_audits(route_seats={"human": [1]}, favour="friends")(log)
    assert verify_audit.main(["ledger", published(tmp_path, log)]) == 0
    printed = capsys.readouterr().out
    assert "human x 1 by routes of policy 1 that stand behind its digest" in printed
    assert "its policy does not name favour" in printed
    assert verify_audit.BELIEVED["text"] in printed


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
