"""What an operator says of the youngest leaves, with all that follows from it; test_operators_lies.py tells it."""

import hmac
from collections.abc import Callable
from functools import cache
from typing import Any
from uuid import UUID

from auditing.verifier import verify_audit
from benchmarks import liar
from benchmarks.lying.consequences import Consequences
from benchmarks.lying.log import Leaf, Log
from tests.verifier.test_named_lies import drop, of, repay

Change = Callable[[Log], Any]
NOBODY = "00000000-0000-4000-8000-000000000000"


@cache
def honest(story: str) -> Log:
    """An audit of today; where its draws hang on the seed of its own ledger, the liar keeps that seed."""
    log = liar.read_log(liar.NEWER / f"{story}.json.gz")
    if story in liar.TODAYS:
        Consequences(log, lambda leaf, name: False).follow()
        log.learn()
    else:
        log.freeze()
    return log


def report_of(story: str, lie: Change, kept: tuple[str, ...] = ()) -> verify_audit.Report:
    log = honest(story).copied()
    lie(log)
    Consequences(log, lambda leaf, name: name in kept).follow()
    if log.frozen is None:
        return verify_audit.verify(log.bundle())
    report = verify_audit.Report()
    try:
        liar.check_late(log, honest(story), report)
    except verify_audit.CheckFailedError as error:  # of a leaf's form, which a whole file reports
        report.lines.append((False, "form of every leaf", str(error)))
    return report


def at(leaf: Leaf) -> Leaf:
    return {name: leaf[name] for name in ("audit", "segment", "round", "v")}


def unpay(log: Log, *seats: str) -> None:
    for leaf in of(log, "payout"):
        leaf["lines"] = [line for line in leaf["lines"] if line["seat"] not in seats]
    drop(log, *(leaf for leaf in of(log, "payout") if not leaf["lines"]))


def excuse(reason: str) -> Change:
    """A friend who stayed away is not fined: the seat ends for another reason."""

    def lie(log: Log) -> None:
        seat = of(log, "vote.noreveal")[0]["seats"][0]
        seat["reason"] = reason
        unpay(log, seat["seat"])
        for leaf in of(log, "substitution"):
            leaf["replaced"] = [name for name in leaf["replaced"] if name != seat["seat"]]

    return lie


def share_a_seat(log: Log) -> None:
    """A friend's fine in one round goes: the seat has the id of a rewarded seat in another."""
    order = [leaf["segment"] for leaf in of(log, "round.open")]
    lines = [(leaf, line) for leaf in of(log, "payout") for line in leaf["lines"]]
    lost, fine, other = next(
        (leaf, line, mine["seat"])
        for leaf, line in lines
        for later, mine in lines
        if line["points"] < 0
        and mine["auditor"] == line["auditor"]
        and order.index(leaf["segment"]) < order.index(later["segment"])
    )
    before = fine["seat"]
    lost["lines"].remove(fine)
    for leaf in log.leaves:
        for entry in [leaf, *leaf.get("openings", [])]:
            if entry.get("seat") == before:
                entry["seat"] = other
    audit = log.audit()
    for commit in of(log, "vote.commit"):
        key = (commit["segment"], commit["round"])
        seat = next(seat for seat in verify_audit.seats_of(audit, *key) if seat.seat == commit["seat"])
        commit["commitment"] = verify_audit.commitment_of(audit, key, seat)


def another_gold(log: Log) -> None:
    """A truth that no vote can hit or miss."""
    leaf = of(log, "gold.reveal")[0]
    leaf["truth"] = "maybe"
    message = verify_audit.pad32("TRUST/gold/v1") + UUID(leaf["segment"]).bytes + b"maybe"
    line = next(line for line in log.segments if line["segment"] == leaf["segment"])
    line["gold"] = hmac.digest(bytes.fromhex(leaf["salt"]), message, "sha256").hex()
    drop(log, *(entry for entry in of(log, "payout") if entry["segment"] == leaf["segment"]))
    steps = [step for step in of(log, "reputation.update") if step["segment"] == leaf["segment"]]
    drop(log, *(step for step in steps if step["column"] == "gold"))


def follow_itself(log: Log) -> None:
    opened = of(log, "audit.open")[0]
    opened["predecessor"] = opened["audit"]
    drop(log, *of(log, "submission"))


def show_another_text(log: Log) -> None:
    voted = {leaf["segment"] for leaf in of(log, "vote.commit") if leaf["round"]}
    opened = next(leaf for leaf in of(log, "round.open") if leaf["round"] and leaf["segment"] not in voted)
    opened["segment_digest"] = "ab" * 32


def every_weight(**values: Any) -> Change:
    """Every weight says so; a value of None is left out."""

    def lie(log: Log) -> None:
        for line in [line for leaf in of(log, "skills") for line in leaf["auditors"]]:
            line.update(values)
            for name in [name for name, value in values.items() if value is None]:
                del line[name]
        Consequences(log, lambda leaf, name: False).follow()
        repay(log)

    return lie


def first_segment(**values: Any) -> Change:
    return lambda log: log.segments[0].update(values)


def appeal(**values: Any) -> Change:
    def lie(log: Log) -> None:
        audit = of(log, "audit.open")[0]["audit"]
        made = {"t": "appeal", "v": 1, "audit": audit, "by": "operator", "reason": "misread"}
        made |= {name: audit if value == "itself" else value for name, value in values.items()}
        earlier = [place for place, leaf in enumerate(log.leaves) if leaf["t"] == "appeal"]
        log.leaves.insert(earlier[-1] + 1 if earlier else len(log.leaves), made)

    return lie


def take_back_late(log: Log) -> None:
    appeal(successor=NOBODY)(log)
    leaf = of(log, "segment.outcome")[0]
    back = {"round": leaf["rounds"] - 1, "reason": "successor", "outcome": "fail", "t": "outcome.rollback"}
    log.leaves.append({name: leaf[name] for name in ("audit", "segment", "v")} | back)


def withdraw_vote(sealed: bool) -> Change:
    """A vote that decides the trace goes, as if nobody had needed it."""

    def lie(log: Log) -> None:
        human = {(leaf["segment"], leaf["round"]) for leaf in of(log, "round.open") if leaf["tier"] == "human"}
        leaf = next(leaf for leaf in of(log, "vote.reveal") if (leaf["segment"], leaf["round"]) in human)
        gone = leaf["openings"].pop()
        seat = {name: gone[name] for name in ("seat", "auditor", "draw")}
        end = {**at(leaf), "t": "vote.noreveal", "seats": [{**seat, "committed": sealed, "reason": "withdrawn"}]}
        log.leaves.insert(log.leaves.index(leaf) + 1, end)
        unpay(log, gone["seat"])
        steps = of(log, "reputation.update")
        drop(log, *(step for step in steps if (step["segment"], step["auditor"]) == (leaf["segment"], gone["auditor"])))
        if not sealed:
            drop(log, next(commit for commit in of(log, "vote.commit") if commit["seat"] == gone["seat"]))
            weights = next(entry for entry in of(log, "skills") if at(entry) == at(leaf))
            weights["auditors"] = [line for line in weights["auditors"] if line["auditor"] != gone["auditor"]]

    return lie


def end_all(reason: str) -> Change:
    def lie(log: Log) -> None:
        for seat in [seat for leaf in of(log, "vote.noreveal") for seat in leaf["seats"]]:
            seat["reason"] = reason

    return lie


def forget_appeal(log: Log) -> None:
    """The same audit, as if its trace had just been handed in."""
    audit = of(log, "audit.open")[0].pop("predecessor") and of(log, "audit.open")[0]["audit"]
    log.leaves.insert(0, {"t": "submission", "v": 1, "audit": audit, "digest": "ab" * 32})
    log.sizes = [size + 1 for size in log.sizes]
    log.frozen = [(size + 1, seed) for size, seed in log.frozen or ()]


def ask_another_judge(log: Log) -> None:
    """The adjudicator's word does not please: another one is asked."""
    last = [leaf for leaf in of(log, "outcome.preliminary") if leaf["round"]]
    judged = next(leaf for leaf in last if any(line["adjudicated"] for line in of(log, "segment.outcome")))
    why = {"t": "escalation", "to": "adjudicator", "reason": "hung"}
    log.leaves.insert(log.leaves.index(judged) + 1, {**at(judged), **why})


def release(log: Log) -> None:
    """Points are given out at once, so that nobody can take them back."""
    for leaf in of(log, "payout"):
        lines = [{**line, "posting": "release"} for line in leaf["lines"] if line["points"]]
        for line in lines:
            line.pop("p", None)
        log.leaves.append({**leaf, "held": False, "lines": lines, "pool": -sum(line["points"] for line in lines)})


def released(log: Log) -> list[Leaf]:
    return [leaf for leaf in of(log, "payout") if not leaf["held"]]


def rename(log: Log, before: str, after: str) -> None:
    """Another name of a seat, wherever it stands."""
    for leaf in log.leaves:
        for entry in [leaf, *(entry for kind in ("openings", "seats", "lines") for entry in inner(leaf, kind))]:
            if entry.get("seat") == before:
                entry["seat"] = after
        if "replaced" in leaf:
            leaf["replaced"] = sorted(after if name == before else name for name in leaf["replaced"])


def inner(leaf: Leaf, kind: str) -> list[Leaf]:
    """The records in a list of a leaf; `seats` is a number in some leaves."""
    return leaf[kind] if isinstance(leaf.get(kind), list) else []


def rename_unsealed(log: Log) -> None:
    rename(log, of(log, "vote.noreveal")[0]["seats"][0]["seat"], NOBODY)


def spare(log: Log) -> None:
    """A friend's seat is named when the seed is known to the operator alone, so that no slash meets it."""
    line = next(line for leaf in of(log, "payout") for line in leaf["lines"] if line["points"] < 0 and "p" in line)
    seed = bytes.fromhex(of(log, "trace.outcome")[0]["seed"])
    chance, label = verify_audit.rational(line["p"]), verify_audit.pad32("TRUST/slash/v1")
    names = (UUID(int=number) for number in range(1, 1_000))
    draws = ((name, verify_audit.sha(label, seed, name.bytes)[:8]) for name in names)
    spared = next(name for name, drawn in draws if int.from_bytes(drawn) >= chance * 2**64)
    rename(log, line["seat"], str(spared))


def seal_early(log: Log) -> None:
    """A machine's vote is in the log before its round was opened."""
    opened = next(leaf for leaf in of(log, "round.open") if leaf["tier"] == "computer")
    commit = next(leaf for leaf in of(log, "vote.commit") if at(leaf) == at(opened))
    log.leaves.remove(commit)
    log.leaves.insert(log.leaves.index(opened), commit)
