"""Eleven lies (E1 to E11) that a report once called "Everything that can be checked holds", each with its consequences.

Whoever tells them holds every key: trees, signatures, tallies and payouts are made anew around the lie. E6, a sealed
vote called silent: tests/rooms/voting/test_unopened.py and test_older_audits.py.
"""

import gzip
import json
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from auditing.verifier import verify_audit
from benchmarks.liar import OLDER
from benchmarks.lying.consequences import Consequences, decimal
from benchmarks.lying.log import Leaf, Log
from tests.tools.before import VECTORS

STORY = VECTORS / "story"


@cache
def told(story: str) -> Log:
    log = Log(json.loads(gzip.decompress((OLDER / f"{story}.json.gz").read_bytes())))
    Consequences(log, lambda leaf, name: False).follow()
    return log


def report_of(story: str, lie: Callable[[Log], Any], kept: tuple[str, ...] = ()) -> verify_audit.Report:
    """What the verifier says after the lie and all that follows from it; fields in `kept` are the lie itself."""
    log = told(story).copied()
    lie(log)
    Consequences(log, lambda leaf, name: name in kept).follow()
    return verify_audit.verify(log.bundle())


def of(log: Log, kind: str) -> list[Leaf]:
    return [leaf for leaf in log.leaves if leaf["t"] == kind]


def drop(log: Log, *leaves: Leaf) -> None:
    log.leaves[:] = [leaf for leaf in log.leaves if not any(leaf is one for one in leaves)]


def failing(log: Log) -> Leaf:
    return next(leaf for leaf in of(log, "segment.outcome") if leaf["outcome"] == "fail")


def drop_failing(log: Log) -> None:
    drop(log, failing(log))


def after_tally(log: Log) -> None:
    """The operator's own adjudicator is asked although the people have decided."""
    tally = next(leaf for leaf in of(log, "outcome.preliminary") if leaf["tier"] == "human")
    at = {name: tally[name] for name in ("audit", "segment", "round", "v")}
    log.leaves.insert(log.leaves.index(tally) + 1, {**at, "t": "escalation", "to": "adjudicator", "reason": "hung"})


def lower(log: Log) -> None:
    next(leaf for leaf in of(log, "round.open") if leaf["tier"] == "human")["k"] = 1


def without_payouts(log: Log, half: bool = False) -> None:
    payouts = of(log, "payout")
    drop(log, *(payouts[:1] if half else payouts))


def pay_twice(log: Log) -> None:
    payout = of(log, "payout")[0]
    log.leaves.insert(log.leaves.index(payout) + 1, json.loads(json.dumps(payout)))


def forgive(log: Log) -> None:
    """A fine is left out of its payout."""
    for leaf in of(log, "payout"):
        if any(line["posting"] == "slash" for line in leaf["lines"]):
            leaf["lines"] = [line for line in leaf["lines"] if line["posting"] != "slash"]
            return
    raise AssertionError("nobody was slashed")


def chance(log: Log) -> None:
    line = next(line for leaf in of(log, "payout") for line in leaf["lines"] if "p" in line)
    line["p"] = "0.1" if line["p"] != "0.1" else "0.2"


def steps(change: str) -> Callable[[Log], None]:
    def lie(log: Log) -> None:
        mine = of(log, "reputation.update")
        if change == "doubled":
            log.leaves.append(json.loads(json.dumps(mine[-1])))
        elif change == "of the wrong voters alone":
            drop(log, *(leaf for leaf in mine if leaf["correct"]))
        else:
            drop(log, mine[0])

    return lie


def set_first(kind: str, **values: Any) -> Callable[[Log], None]:
    return lambda log: of(log, kind)[0].update(values)


def overturn(times: int = 1, known: bool = True, turned: bool = True) -> Callable[[Log], None]:
    """Gold is overturned at the end of the log: nothing is paid anew, and more that the arguments say."""

    def lie(log: Log) -> None:
        reveal = next(leaf for leaf in of(log, "gold.reveal") if any_fine(log, leaf["segment"]))
        other = next(leaf["segment"] for leaf in of(log, "segment.outcome") if leaf["segment"] != reveal["segment"])
        stands = "none" if turned else reveal["truth"]
        segment = reveal["segment"] if known else other
        leaf = {"t": "gold.overturn", "v": 1, "audit": reveal["audit"], "segment": segment, "stands": stands}
        log.leaves += [dict(leaf) for _ in range(times)]

    return lie


def any_fine(log: Log, segment: str) -> bool:
    lines = [line for leaf in of(log, "payout") if leaf["segment"] == segment for line in leaf["lines"]]
    return any(line["posting"] == "slash" for line in lines)


# name: (story, the lie, its own fields, what the one sentence says)
REFUSED: dict[str, tuple[str, Callable[[Log], Any], tuple[str, ...], str]] = {
    "E1 no outcome for a failing segment": ("adjudicated", drop_failing, (), "has no outcome, and no leaf says why"),
    "E3 fewer seats than the route has": ("divided", lower, ("k",), "policy and route say 3"),
    "E4 escalated after a tally that passed": ("divided", after_tally, (), "it is decided and escalated"),
    "E8 a payout left out": ("divided", lambda log: without_payouts(log, half=True), (), "and no payout says so"),
    "E8 paid twice": ("divided", pay_twice, (), "is paid twice"),
    "E8 a fine forgiven": ("golden", forgive, (), "and no payout says so"),
    "E8 another chance of a slash": ("divided", chance, ("p",), "a slash at chance"),
    "E9 a step left out": ("divided", steps("left out"), (), "a step of reputation is left out"),
    "E9 a step doubled": ("divided", steps("doubled"), (), "a step that no vote explains"),
    "E9 steps of the wrong voters alone": ("divided", steps("of the wrong voters alone"), (), "is left out"),
    "overturned gold that pays nobody": ("golden", overturn(), (), "stands at what no longer holds"),
    "gold overturned twice": ("golden", overturn(times=2), (), "it is overturned twice"),
    "gold overturned for what it was": ("golden", overturn(turned=False), (), "is overturned for"),
    "no gold, overturned": ("golden", overturn(known=False), (), "gold.overturn without gold.reveal"),
    "E11 another tier": ("divided", set_first("outcome.preliminary", tier="llm"), ("tier",), "recomputed"),
    "E11 redraws": ("divided", set_first("outcome.preliminary", redraws=2), ("redraws",), "drawn again 0 times"),
    "E11 no submission": ("divided", lambda log: drop(log, *of(log, "submission")), (), "no submission leaf"),
    "E11 an escalation left out": ("adjudicated", lambda log: drop(log, of(log, "escalation")[0]), (), ""),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_named_lie_is_refused_with_one_sentence(name: str, tmp_path: Path, capsys: Any) -> None:
    story, lie, kept, words = REFUSED[name]
    log = told(story).copied()
    lie(log)
    Consequences(log, lambda leaf, field: field in kept).follow()
    (tmp_path / "audit.json").write_bytes(log.bundle())
    assert verify_audit.main([str(tmp_path / "audit.json")]) == 2
    printed = capsys.readouterr().out
    assert len([line for line in printed.splitlines() if line.startswith("Refused: ")]) == 1
    assert words in printed
    assert "Everything that can be checked holds." not in printed


def weigh_late(log: Log) -> None:
    """E2: in an audit of the older format weights are chosen when the votes are known: a lone dissenter is believed."""
    for leaf in of(log, "skills"):
        for line in leaf["auditors"]:
            line.update(sensitivity="1/100", specificity="1/100")
    Consequences(log, lambda leaf, name: False).follow()
    repay(log)


def repay(log: Log) -> None:
    """Rewards become fines where the outcome turned: each seat is posted what it is due now."""
    books = verify_audit.Books(log.audit())
    for index, leaf in enumerate(log.leaves):
        if leaf["t"] != "payout":
            continue
        seats = {line["seat"]: line["auditor"] for line in leaf["lines"]}
        leaf["lines"] = [
            {"seat": seat, "auditor": auditor, "posting": posting, "points": points}
            | ({} if chance is None else {"p": decimal(chance)})
            for seat, auditor in seats.items()
            for posting, (points, chance) in books.due(seat, index).items()
        ]
        leaf["pool"] = -sum(line["points"] for line in leaf["lines"])
    chains: dict[tuple[str, str], Fraction] = {}
    for leaf in of(log, "reputation.update"):
        chain, gamma = (leaf["auditor"], leaf["column"]), verify_audit.rational(log.audit().params["gamma"])
        exact = chains.get(chain, verify_audit.rational(leaf["prior"]))
        prior = Fraction(round(exact * 100), 100)
        leaf["prior"], leaf["after"] = decimal(prior), decimal((1 - gamma) * prior + gamma * leaf["correct"])
        chains[chain] = (1 - gamma) * exact + gamma * leaf["correct"]


def slip_in(log: Log) -> None:
    passing = next(leaf for leaf in of(log, "segment.outcome") if leaf["outcome"] == "pass")
    passing["soundness"] = "0.01"


def lower_everywhere(log: Log) -> None:
    """E3 once more, with the route itself changed."""
    leaf = next(leaf for leaf in of(log, "round.open") if leaf["tier"] == "human")
    line = next(line for line in log.segments if line["segment"] == leaf["segment"])
    line["k"] = 2


# name: (story, the lie, entry of the closed list, what it says there)
LISTED: dict[str, tuple[str, Callable[[Log], Any], str, str]] = {
    "E2 weights after the votes (older format)": ("divided", weigh_late, "weights", "by its weights"),
    "E8 nobody paid at all (older format)": ("divided", without_payouts, "persons", "never paid are simulated"),
    "E5 soundness slipped in": ("divided", slip_in, "values", "soundness 0.01"),
}


@pytest.mark.parametrize("name", LISTED)
def test_a_named_lie_that_is_the_operators_word_is_listed_with_its_place(name: str) -> None:
    story, lie, key, words = LISTED[name]
    report = report_of(story, lie)
    assert report.ok, report.refusal
    assert any(words in detail for detail in report.believed[key])
    assert words not in "".join(verify_audit.verify(told(story).bundle()).believed.get(key, []))


def test_e3_a_route_with_other_seats_than_its_tier_is_named_in_older_audits_and_refused_in_newer_ones() -> None:
    log = told("divided").copied()
    lower_everywhere(log)
    audit = log.audit(verify_audit.Report())
    verify_audit.check_seats_of_routes(audit)
    assert any("has 2 seats, its tier 3" in detail for detail in audit.report.believed["text"])
    audit.open["revision"] = 2
    with pytest.raises(verify_audit.CheckFailedError, match="no route of the policy names another number"):
        verify_audit.check_seats_of_routes(audit)
    audit.open["params"]["route_seats"] = {"human": [2]}
    verify_audit.check_seats_of_routes(audit)


def test_e7_a_commitment_that_was_never_logged_is_shown_by_its_receipt(tmp_path: Path, capsys: Any) -> None:
    receipt = (STORY / "receipts" / "vote.txt").read_text(encoding="utf-8")
    digest = next(line.split(" ")[1] for line in receipt.splitlines() if line.startswith("leaf "))
    (tmp_path / "receipt.txt").write_text(receipt.replace(digest, "ab" * 32), encoding="utf-8")
    assert verify_audit.main(["ledger", str(STORY / "ledger"), str(tmp_path / "receipt.txt")]) == 2
    assert "this receipt proves that the operator broke its word" in capsys.readouterr().out


MISSPELT = {
    "checkpoint": "chekpoint",
    "vkey": "v_key",
    "leaves": "leafs",
    "segments": "segment",
    "eligible": "elegible",
    "draw": "draws",
    "format": "fromat",
}


@pytest.mark.parametrize("key", MISSPELT)
def test_a_misspelt_key_is_refused_with_one_sentence(key: str, tmp_path: Path, capsys: Any) -> None:
    bundle = json.loads(gzip.decompress((OLDER / "pens.json.gz").read_bytes()))
    bundle[MISSPELT[key]] = bundle.pop(key)
    (tmp_path / "audit.json").write_text(json.dumps(bundle), encoding="utf-8")
    assert verify_audit.main([str(tmp_path / "audit.json")]) == 2
    printed = capsys.readouterr()
    assert len([line for line in (printed.out + printed.err).splitlines() if line.startswith("Refused: ")]) == 1
    assert "Traceback" not in printed.out + printed.err


@pytest.mark.parametrize(("key", "inner"), [("draw", "beacon"), ("later", "extra"), ("", "notes")])
def test_nothing_unchecked_rides_along(key: str, inner: str) -> None:
    bundle = json.loads(told("divided").bundle())
    if key == "later":
        bundle["later"] = {"checkpoint": bundle["checkpoint"], "consistency": []}
        assert verify_audit.verify(json.dumps(bundle).encode()).ok
    (bundle[key] if key else bundle)[inner] = "x"
    assert not verify_audit.verify(json.dumps(bundle).encode()).ok
