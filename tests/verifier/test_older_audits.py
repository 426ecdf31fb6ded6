"""Audits of the older format still verify, with what they could not prove; consistent lies about them are refused."""

import copy
import gzip
import json
from collections.abc import Callable
from typing import Any

import pytest

from auditing.verifier import verify_audit
from benchmarks import liar
from benchmarks.lying.consequences import Consequences
from benchmarks.lying.log import Log

OLDER = sorted(path.name.removesuffix(".json.gz") for path in liar.OLDER.iterdir())
Lie = Callable[[Log], None]


def bundle_of(name: str) -> bytes:
    return gzip.decompress((liar.OLDER / f"{name}.json.gz").read_bytes())


def told(name: str, lie: Lie) -> verify_audit.Report:
    """What the verifier says of an audit about which whoever holds the key lied, with all that follows made to fit."""
    log = Log(json.loads(bundle_of(name)))
    lie(log)
    Consequences(log, lambda leaf, field: False).follow()
    return verify_audit.verify(log.bundle())


def of(log: Log, kind: str) -> list[Any]:
    return [leaf for leaf in log.leaves if leaf["t"] == kind]


def drop(log: Log, leaf: Any) -> None:
    log.leaves[:] = [one for one in log.leaves if one is not leaf]


@pytest.mark.parametrize("name", OLDER)
def test_an_audit_of_the_older_format_verifies(name: str) -> None:
    report = verify_audit.verify(bundle_of(name))
    assert report.ok, report.text()


@pytest.mark.parametrize("name", liar.STORIES)
def test_the_liar_makes_an_honest_log_that_verifies(name: str) -> None:
    report = told(name, lambda log: None)
    assert report.ok, report.text()


def leave_out_an_outcome(log: Log) -> None:
    drop(log, next(leaf for leaf in of(log, "segment.outcome") if leaf["outcome"] == "fail"))


def lower_k(log: Log) -> None:
    next(leaf for leaf in of(log, "round.open") if leaf["tier"] == "human")["k"] = 1


def hang_what_was_decided(log: Log) -> None:
    last = next(leaf for leaf in of(log, "segment.outcome") if leaf["tier"] == "human")
    at = log.leaves.index(last)
    where = {name: last[name] for name in ("audit", "segment", "v")} | {"round": last["rounds"] - 1}
    log.leaves.insert(at, {**where, "t": "escalation", "to": "adjudicator", "reason": "hung"})


def silence_a_sealed_vote(log: Log) -> None:
    leaf = next(leaf for leaf in of(log, "vote.reveal") if len(leaf["openings"]) > 1)
    gone = leaf["openings"].pop()
    silent = {name: gone[name] for name in ("seat", "auditor", "draw")} | {"committed": True, "reason": "silent"}
    where = {name: leaf[name] for name in ("audit", "segment", "round", "v")}
    log.leaves.insert(log.leaves.index(leaf) + 1, {**where, "t": "vote.noreveal", "seats": [silent]})


def silence_under_escrow(log: Log) -> None:
    of(log, "audit.open")[0]["params"]["openings"] = "escrow"
    silence_a_sealed_vote(log)


def leave_out_a_payout(log: Log) -> None:
    drop(log, of(log, "payout")[0])


def pay_twice(log: Log) -> None:
    leaf = of(log, "payout")[0]
    log.leaves.insert(log.leaves.index(leaf), copy.deepcopy(leaf))


def drop_a_fine(log: Log) -> None:
    leaf = next(leaf for leaf in of(log, "payout") if any(line["posting"] == "slash" for line in leaf["lines"]))
    leaf["lines"] = [line for line in leaf["lines"] if line["posting"] != "slash"]


def leave_out_a_step(log: Log) -> None:
    drop(log, of(log, "reputation.update")[0])


def double_a_step(log: Log) -> None:
    leaf = of(log, "reputation.update")[0]
    log.leaves.insert(log.leaves.index(leaf), copy.deepcopy(leaf))


LIES = [
    ("adjudicated", leave_out_an_outcome, "has no outcome, and no leaf says why"),
    ("divided", lower_k, "the round has 1 seats, policy and route say 3"),
    ("divided", hang_what_was_decided, "it is decided and escalated"),
    ("divided", silence_under_escrow, "was never opened, and nothing shows whose fault that was"),
    ("divided", leave_out_a_payout, "earned"),
    ("divided", pay_twice, "is paid twice"),
    ("divided", drop_a_fine, "earned slash"),
    ("divided", leave_out_a_step, "a step of reputation is left out"),
    ("divided", double_a_step, "a step that no vote explains"),
    ("divided", lambda log: drop(log, of(log, "submission")[0]), "no submission leaf"),
    ("divided", lambda log: drop(log, of(log, "escalation")[0]), "0 leaves escalation instead of one"),
]


@pytest.mark.parametrize(("name", "lie", "why"), LIES)
def test_a_lie_with_all_that_follows_from_it_is_refused(name: str, lie: Lie, why: str) -> None:
    report = told(name, lie)
    assert why in "\n".join(f"{title}: {note}" for good, title, note in report.lines if not good)
    assert report.refusal


def test_skills_that_were_chosen_after_the_votes_are_listed_with_what_they_decided() -> None:
    """In an older audit nobody can tell: three passes become a fail by weights, and the report says so."""

    def lie(log: Log) -> None:
        for leaf in of(log, "skills"):
            for line in leaf["auditors"]:
                line |= {"sensitivity": "1/100", "specificity": "1/100"}

    sentences = "\n".join(told("divided", lie).sentences())
    assert "weights in an audit of the older format" in sentences
    assert "by its weights" in sentences


def test_a_lost_key_of_an_older_audit_is_listed_because_nothing_shows_whose_it_was() -> None:
    """Where reviewers might keep their openings, an older audit cannot tell a lost key from a vote that was hidden."""

    def lose(log: Log) -> None:
        silence_a_sealed_vote(log)
        for kind in ("payout", "reputation.update"):
            log.leaves[:] = [leaf for leaf in log.leaves if leaf["t"] != kind]

    (sentence,) = [line for line in told("divided", lose).sentences() if "never handed it in" in line]
    assert "sealed a vote that nobody saw, or that the revealer had no opening of it" in sentence


@pytest.mark.parametrize("key", sorted(verify_audit.KEYS))
def test_a_misspelt_key_is_refused(key: str, tmp_path: Any, capsys: Any) -> None:
    bundle = json.loads(bundle_of("pens"))
    bundle[f"{key}s"] = bundle.pop(key)
    (tmp_path / "bundle.json").write_text(json.dumps(bundle))
    assert verify_audit.main([str(tmp_path / "bundle.json")]) == 2
    assert "Refused: cannot read" in capsys.readouterr().err
