"""Lies that an attacker with every key thought of: two or three changes each, with all that follows from them.

None of them is a row of the liar's table, which changes one thing at a time. Lies about a whole ledger:
test_lies_about_a_ledger.py.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from auditing.verifier import verify_audit
from benchmarks import liar
from benchmarks.lying.consequences import Consequences
from tests.verifier.attackers import (
    Change,
    abstain_surely,
    add_nobody,
    adjudicate,
    ask_again,
    ask_for_words,
    ask_later,
    borrow,
    bound_all,
    call_declined,
    close_twice,
    drift,
    favour,
    forget_gold,
    forget_last_plan,
    go_back,
    human_opening,
    move_vote,
    open_again,
    pay_friend,
    pay_in_halves,
    release_to_friend,
    report_of,
    share_commitment,
    step_on_no_gold,
    take_back,
    turn_sign,
)
from tests.verifier.test_named_lies import drop, of, repay, told

# name: (story, the lie, its own fields, words of the refusal)
REFUSED: dict[str, tuple[str, Change, tuple[str, ...], str]] = {
    "an extension of nobody, for another seed": ("divided", add_nobody, (), "adds nobody, and asks for another seed"),
    "the older list again": ("left", go_back, (), "these are not the auditors that the seed draws"),
    "an abstention that is sure": ("divided", abstain_surely, (), "a confidence of"),
    "a dissent given back after it was sealed": ("divided", call_declined, (), "and is called declined"),
    "seats drawn again after enough had voted": ("divided", close_twice, (), "although enough had voted"),
    "words that no model has read": ("divided", ask_for_words, (), "it is decided and escalated"),
    "a verdict of nobody": (
        "divided",
        adjudicate,
        ("adjudicated", "outcome", "posterior"),
        "nobody was asked to adjudicate",
    ),
    "a reward and a fine exchanged": ("divided", pay_friend, ("points", "p"), "recomputed"),
    "one reward in two halves": ("divided", pay_in_halves, ("points",), "is paid twice for one thing"),
    "a reward in the other sign": ("divided", turn_sign, ("points", "pool"), "recomputed"),
    "released to somebody else": ("released", release_to_friend, ("points",), "points are released that were not held"),
    "taken back though it stands": ("divided", take_back, ("points",), "lost its postings"),
    "a step against gold that was none": ("divided", step_on_no_gold, ("correct",), "a step that no vote explains"),
    "a reputation that drifts": ("divided", drift, ("prior", "after"), "jumps to"),
    "another policy in mid-audit": ("divided", open_again, (), "there must be one audit.open leaf"),
    "a seal of another audit": ("divided", borrow, ("commitment",), "is of another audit"),
    "one seal for two seats": ("divided", share_commitment, ("commitment",), "the opened vote is not the sealed one"),
    "a vote counted in an earlier round": ("divided", move_vote, (), "there are more votes than seats"),
    "asked again after the trace has failed": ("waves", ask_again, (), "recomputed fail"),
    "the last plan forgotten": ("waves", forget_last_plan, ("outcome",), "before a plan has decided the trace"),
    "more seats for one passage": ("waves", favour, ("k",), "than the 5 that its numbers ask for"),
    "one passage asked when the others are known": ("waves", ask_later, (), "than the 5 that its numbers ask for"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_lie_of_several_changes_is_refused(name: str) -> None:
    story, lie, kept, words = REFUSED[name]
    report = report_of(story, lie, kept)
    assert not report.ok
    assert any(words in f"{title}: {note}" for good, title, note in report.lines if not good), report.text()
    assert "\n" not in report.refusal
    assert report.text().count("Refused: ") == 1


def test_the_honest_audits_that_are_lied_about_hold() -> None:
    assert all(report_of(story, lambda log: None).ok for story in ("divided", "released", "left", "waves"))


# name: (story, the lie, its own fields, entry of the closed list, what it says there)
LISTED: dict[str, tuple[str, Change, tuple[str, ...], str, str]] = {
    "gold that was never opened": ("golden", forget_gold, (), "gold", "2 of 7 segments"),
    "a bound in plan, passage and trace": (
        "waves",
        bound_all,
        ("posterior", "score", "right", "bound"),
        "values",
        "no passage is sounder than 0.05",
    ),
}


@pytest.mark.parametrize("name", LISTED)
def test_a_lie_that_is_the_operators_word_is_listed(name: str) -> None:
    story, lie, kept, key, words = LISTED[name]
    report = report_of(story, lie, kept)
    assert report.ok, report.text()
    assert any(words in detail for detail in report.believed[key])


def test_a_dissent_made_an_abstention_throughout_is_shown_by_its_owners_receipt() -> None:
    log = told("divided").copied()
    leaf, opening = human_opening(log, 0)
    commit = next(entry for entry in of(log, "vote.commit") if entry["seat"] == opening["seat"])
    promise = {
        "origin": log.origin.replace("/ledger/", "/receipt/"),
        "kind": "vote.commit",
        "subject": commit["seat"],
        "digest": commit["commitment"],
        "leaf": verify_audit.leaf_hash(verify_audit.canonical(commit)).hex(),
    }
    opening.update(vote=2, confidence=0xFFFF)
    Consequences(log, lambda leaf, name: False).follow()
    drop(
        log,
        *(
            step
            for step in of(log, "reputation.update")
            if (step["segment"], step["round"], step["auditor"]) == (leaf["segment"], leaf["round"], opening["auditor"])
        ),
    )
    repay(log)
    report = verify_audit.verify(log.bundle())
    assert (report.ok, "receipt" in report.elsewhere) == (True, True), report.text()
    with pytest.raises(verify_audit.CheckFailedError, match="the promised leaf is not in this audit"):
        verify_audit.find_promised(log.bundle(), promise)


def test_an_audit_without_its_end_says_that_no_draw_was_repeated() -> None:
    kinds = ("trace.outcome", "gold.reveal", "payout", "reputation.update")
    report = report_of("divided", lambda log: drop(log, *(leaf for kind in kinds for leaf in of(log, kind))))
    assert (True, "unfinished") in [line[:2] for line in report.lines]
    assert "no draw was repeated" in report.text()


TWINS = {
    "an index with a point": ('"index":1,', '"index":1.0,'),
    "an index with an exponent": ('"index":1,', '"index":1e0,'),
    "an index as text": ('"index":1,', '"index":"1",'),
    "an index that is true": ('"index":1,', '"index":true,'),
    "an index twice": ('"index":1,', '"index":1,"index":1,'),
    "minus nothing in a list": ('"load":0,', '"load":-0,'),
    "a point in a list": ('"load":0,', '"load":0.0,'),
    "an exponent in a list": ('"load":0,', '"load":0e5,'),
    "a key of a list twice": ('"load":0,', '"load":0,"load":0,'),
    "false for nothing": ('"load":0,', '"load":false,'),
    "a huge number": ('"load":0,', f'"load":{"9" * 5_000},'),
    "infinity": ('"load":0,', '"load":1e999,'),
    "digits of another script": ('"load":0,', '"load":"\u0660",'),
    "a deep list": ('"load":0,', f'"load":{"[" * 3_000}{"]" * 3_000},'),
    "a letter that looks like another": ('"kind":"human"', '"kind":"hum\u0430n"'),
    "a letter nobody sees": ('"kind":"human"', '"kind":"human\u200b"'),
}


@pytest.mark.parametrize("name", TWINS)
def test_a_value_in_another_spelling_is_refused(name: str, tmp_path: Path, capsys: Any) -> None:
    honest = told("divided").bundle().decode()
    before, after = TWINS[name]
    assert before in honest
    (tmp_path / "audit.json").write_text(honest.replace(before, after, 1), encoding="utf-8")
    assert verify_audit.main([str(tmp_path / "audit.json")]) == 2
    printed = capsys.readouterr()
    assert (printed.out + printed.err).count("Refused: ") == 1


def test_a_draw_of_an_unfinished_audit_carries_nothing() -> None:
    bundle = json.loads(liar.read_log(liar.OLDER / "withdrawn.json.gz").bundle())
    assert verify_audit.verify(json.dumps(bundle).encode()).ok
    for draw in (None, [], {"consistency": ["AAAA"]}, {"x": 1}):
        assert not verify_audit.verify(json.dumps({**bundle, "draw": draw}).encode()).ok
