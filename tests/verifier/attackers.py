"""What an attacker with every key does to an audit: two or three changes each; test_attackers_lies.py tells them."""

import copy
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

from auditing.verifier import verify_audit
from benchmarks import liar
from benchmarks.lying.consequences import Consequences, decimal, root_of
from benchmarks.lying.log import Leaf, Log
from tests.verifier.test_named_lies import drop, of, repay, told

Change = Callable[[Log], Any]


@cache
def frozen(story: str) -> Log:
    """An audit whose draws hang on the seed of its own ledger: the liar keeps that seed."""
    folder, name = (liar.NEWER, story) if story == "waves" else (liar.OLDER, story)
    log = liar.read_log(folder / f"{name}.json.gz")
    log.freeze()
    return log


def report_of(story: str, lie: Change, kept: tuple[str, ...] = ()) -> verify_audit.Report:
    """What the verifier says: of the file with a tree of the liar's own, or of the leaves under a frozen seed."""
    log = (told(story) if story in liar.STORIES else frozen(story)).copied()
    lie(log)
    Consequences(log, lambda leaf, name: name in kept).follow()
    if log.frozen is None:
        return verify_audit.verify(log.bundle())
    report = verify_audit.Report()
    liar.check_late(log, frozen(story), report)
    return report


def insert_after(log: Log, kind: str, leaf: Leaf, last: bool = False) -> None:
    places = [at for at, known in enumerate(log.leaves) if known["t"] == kind]
    log.leaves.insert(places[-1 if last else 0] + 1, leaf)


def add_nobody(log: Log) -> None:
    leaf = {"audit": of(log, "audit.open")[0]["audit"], "eligible": 0, "eligible_root": root_of([]), "number": 1}
    insert_after(log, "audit.open", {**leaf, "t": "eligible.extend", "v": 1})


def go_back(log: Log) -> None:
    """The older list again, after one draw from the newer."""
    [leaf for leaf in of(log, "substitution") if leaf.get("roster")][-1].pop("roster")


def human_opening(log: Log, vote: int) -> tuple[Leaf, Leaf]:
    """A leaf of people's openings, and one of them with this vote."""
    rounds = {(leaf["segment"], leaf["round"]) for leaf in of(log, "round.open") if leaf["tier"] == "human"}
    for leaf in of(log, "vote.reveal"):
        for opening in leaf["openings"]:
            if (leaf["segment"], leaf["round"]) in rounds and opening["vote"] == vote:
                return leaf, opening
    raise AssertionError("nobody voted so")


def abstain_surely(log: Log) -> None:
    human_opening(log, 0)[1]["vote"] = 2
    repay(log)


def call_declined(log: Log) -> None:
    """A dissenting vote becomes a seat that was given back."""
    leaf, opening = human_opening(log, 0)
    leaf["openings"].remove(opening)
    seat = {"seat": opening["seat"], "auditor": opening["auditor"], "draw": opening["draw"], "committed": True}
    at = {name: leaf[name] for name in ("audit", "segment", "round", "v")}
    told_so = {**at, "t": "vote.noreveal", "seats": [{**seat, "reason": "declined"}]}
    log.leaves.insert(log.leaves.index(leaf) + 1, told_so)


def close_twice(log: Log) -> None:
    leaf = next(leaf for leaf in of(log, "phase.reveal") if leaf["commits"] > 1)
    again = copy.deepcopy(leaf)
    again["salts"] = [*leaf["salts"], "ab" * 32]
    log.leaves.insert(log.leaves.index(leaf) + 1, again)


def ask_for_words(log: Log) -> None:
    """People are asked because of words that no model has read."""
    tally = next(leaf for leaf in of(log, "outcome.preliminary") if leaf["tier"] == "human")
    at = {name: tally[name] for name in ("audit", "segment", "round", "v")}
    leaf = {**at, "t": "escalation", "to": "adjudicator", "reason": verify_audit.PEOPLE_DISAGREE}
    log.leaves.insert(log.leaves.index(tally) + 1, leaf)


def adjudicate(log: Log) -> None:
    leaf = next(leaf for leaf in of(log, "segment.outcome") if leaf["tier"] == "human")
    leaf.update(adjudicated=True, outcome="fail" if leaf["outcome"] == "pass" else "pass", posterior="0.02")


def pay_friend(log: Log) -> None:
    """A reward and a fine change places: the sum is the same."""
    for leaf in of(log, "payout"):
        by = {line["posting"]: line for line in leaf["lines"]}
        if {"reward", "slash"} <= by.keys():
            for name in ("seat", "auditor"):
                by["reward"][name], by["slash"][name] = by["slash"][name], by["reward"][name]
            return
    raise AssertionError("no round has both")


def line_of(log: Log, posting: str) -> tuple[Leaf, Leaf]:
    return next((leaf, line) for leaf in of(log, "payout") for line in leaf["lines"] if line["posting"] == posting)


def pay_in_halves(log: Log) -> None:
    leaf, line = line_of(log, "reward")
    half = line["points"] // 2
    leaf["lines"].append({**line, "points": half})
    line["points"] -= half


def turn_sign(log: Log) -> None:
    leaf, line = line_of(log, "reward")
    line["points"] = -line["points"]
    leaf["pool"] = -sum(entry["points"] for entry in leaf["lines"])


def release_to_friend(log: Log) -> None:
    leaf, line = line_of(log, "release")
    other = next(entry for entry in leaf["lines"] if entry["points"] != line["points"])
    line["points"], other["points"] = other["points"], line["points"]


def take_back(log: Log) -> None:
    """Points are taken back though no outcome was."""
    leaf, line = line_of(log, "reward")
    back = {"seat": line["seat"], "auditor": line["auditor"], "posting": "reversal", "points": -line["points"]}
    insert_after(log, "payout", {**leaf, "lines": [back], "pool": line["points"]}, last=True)


def step_on_no_gold(log: Log) -> None:
    leaf = copy.deepcopy(of(log, "reputation.update")[-1])
    log.leaves.append({**leaf, "column": "gold"})


def drift(log: Log) -> None:
    """Each step of a chain begins .01 above where the last one led; no single one is off by more than rounding."""
    chains: dict[tuple[str, str], list[Leaf]] = {}
    for leaf in of(log, "reputation.update"):
        chains.setdefault((leaf["auditor"], leaf["column"]), []).append(leaf)
    chain, gamma = max(chains.values(), key=len), verify_audit.rational(log.audit().params["gamma"])
    after = verify_audit.rational(chain[0]["after"])
    for leaf in chain[1:]:
        prior = Fraction(int((after + Fraction(1, 100)) * 100), 100)
        after = (1 - gamma) * prior + gamma * leaf["correct"]
        leaf["prior"], leaf["after"] = decimal(prior), decimal(after)


def open_again(log: Log) -> None:
    leaf = copy.deepcopy(of(log, "audit.open")[0])
    leaf["params"]["theta_pass"] = "0.5"
    insert_after(log, "round.open", leaf)


def borrow(log: Log) -> None:
    of(log, "vote.commit")[0]["audit"] = "00000000-0000-4000-8000-000000000000"


def share_commitment(log: Log) -> None:
    first, second = [leaf for leaf in of(log, "vote.commit") if leaf["segment"] == human_opening(log, 1)[0]["segment"]][
        -2:
    ]
    second["commitment"] = first["commitment"]


def move_vote(log: Log) -> None:
    """A vote that people gave is counted in an earlier round of its segment."""
    leaf, opening = human_opening(log, 1)
    leaf["openings"].remove(opening)
    commit = next(entry for entry in of(log, "vote.commit") if entry["seat"] == opening["seat"])
    earlier = next(entry for entry in of(log, "vote.reveal") if entry["segment"] == leaf["segment"])
    earlier["openings"].append({**opening, "draw": 0})
    commit["round"] = earlier["round"]
    log.leaves.remove(commit)
    closing = next(
        entry
        for entry in of(log, "phase.reveal")
        if (entry["segment"], entry["round"]) == (earlier["segment"], earlier["round"])
    )
    log.leaves.insert(log.leaves.index(closing), commit)


def plans(log: Log) -> list[Leaf]:
    return of(log, "wave.plan")


def ask_again(log: Log) -> None:
    """The trace has failed, and another reviewer of one passage is asked until one passes it."""
    last = plans(log)[-1]
    entry = plans(log)[0]["asked"][0]
    last.pop("outcome")
    last.update(asked=[{**entry, "round": 2}], reason="where-the-doubt-is")


def forget_last_plan(log: Log) -> None:
    drop(log, plans(log)[-1])
    of(log, "trace.outcome")[0]["outcome"] = "undecided"


def favour(log: Log) -> None:
    entry = plans(log)[0]["asked"][0]
    entry["seats"] = 3
    next(
        leaf for leaf in of(log, "round.open") if (leaf["segment"], leaf["round"]) == (entry["segment"], entry["round"])
    )["k"] = 3


def ask_later(log: Log) -> None:
    """One passage waits for a wave of its own, until the others are known."""
    first, last = plans(log)
    entry = first["asked"].pop()
    later = {**copy.deepcopy(last), "asked": [entry], "reason": "first-wave", "wave": 2}
    later.pop("outcome")
    last["wave"] = 3
    log.leaves.insert(log.leaves.index(last), later)


def bound_all(log: Log) -> None:
    """A certificate of the operator's own says that nothing is sound, in plan, segment and trace alike."""
    end = of(log, "trace.outcome")[0]
    plans(log)[-1].update(bound="0.05", right="0.05")
    rests = {line["segment"] for line in log.segments if line["basis"]}
    next(leaf for leaf in of(log, "segment.outcome") if leaf["segment"] in rests)["soundness"] = "0.05"
    end.update(posterior="0.05", score="0.05")


def forget_gold(log: Log) -> None:
    """A friend's miss is not gold any more: neither fine nor step follows from it."""
    drop(log, of(log, "gold.reveal")[0])
    steps = verify_audit.steps_due(log.audit())
    names = ("segment", "round", "auditor", "column", "correct")
    drop(log, *(leaf for leaf in of(log, "reputation.update") if tuple(leaf[name] for name in names) not in steps))
    repay(log)
