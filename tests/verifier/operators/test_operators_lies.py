"""Lies about the youngest leaves: seats withdrawn, gold overturned, refutations overruled, suggestions, appeals.

Each is told about an audit of today's format; before its test most were believed. Lies about whole ledgers:
test_lies_about_a_ledger.py; every field one by one: benchmarks/liar.py.
"""

import copy

import pytest

from auditing.verifier import verify_audit
from benchmarks import liar
from tests.verifier.operators.lies import (
    NOBODY,
    Change,
    another_gold,
    appeal,
    ask_another_judge,
    end_all,
    every_weight,
    excuse,
    first_segment,
    follow_itself,
    forget_appeal,
    release,
    released,
    rename_unsealed,
    report_of,
    seal_early,
    share_a_seat,
    show_another_text,
    spare,
    take_back_late,
    withdraw_vote,
)
from tests.verifier.test_named_lies import drop, of

SETTLED = ("payout", "reputation.update", "gold.reveal")
# name: (story, the lie, its own fields, words of the refusal)
REFUSED: dict[str, tuple[str, Change, tuple[str, ...], str]] = {
    "a silent friend called withdrawn": ("silent", excuse("withdrawn"), (), "and no wave had asked for them"),
    "a machine's vote before its round": ("golden", seal_early, (), "sealed a vote before it was drawn"),
    "one id for two seats": ("divided", share_a_seat, ("commitment",), "a seat has the id of another one"),
    "gold of another word": ("golden", another_gold, (), "truth says maybe, which is none of its words"),
    "an audit that follows itself": ("divided", follow_itself, (), "an audit follows itself"),
    "an appeal that opened the audit itself": ("released", appeal(successor="itself"), (), "an audit follows itself"),
    "another text in a round without votes": ("silent", show_another_text, ("segment_digest",), "another text"),
    "weights out of nowhere": ("divided", every_weight(sources=None), (), "does not say what it came from"),
    "three people as one voice": (
        "divided",
        every_weight(family="acme", correlation="1/1"),
        (),
        "counts as one voice with others",
    ),
    "a segment of less than no weight": ("divided", first_segment(weight="-1"), (), "a segment has no weight"),
    "a tier that nobody is of": ("divided", first_segment(secondaries=["oracle"]), (), "none of its words"),
    "taken back when points were released": ("released", take_back_late, (), "after its points were released"),
    "two successors to choose from": ("overturned", appeal(successor=NOBODY), (), "appeals opened two successors"),
    "taken back without an appeal": (
        "overturned",
        lambda log: drop(log, *of(log, "appeal")),
        (),
        "nobody had appealed",
    ),
    "an appeal when everything is paid": (
        "released",
        appeal(),
        (),
        "somebody appealed after its points were given out",
    ),
    "one seat not released": (
        "released",
        lambda log: drop(log, released(log)[0]),
        (),
        "was not released with the others",
    ),
    "a sealed vote withdrawn": ("relieved", withdraw_vote(True), (), "sealed a vote, and is called withdrawn"),
    "a vote unsealed and withdrawn": ("relieved", withdraw_vote(False), (), "no tally before that decided the trace"),
    "withdrawn seats called silent": ("relieved", end_all("silent"), (), "the silent seats were not drawn again"),
    "withdrawn seats called lapsed": ("relieved", end_all("lapsed"), (), "the silent seats were not drawn again"),
    "a plan that hides whom it asked": (
        "relieved",
        lambda log: of(log, "wave.plan")[0]["asked"].pop(),
        (),
        "was opened before anybody asked for it",
    ),
    "overturned gold that pays nobody": (
        "disputed",
        lambda log: drop(log, *of(log, "payout")[1:]),
        (),
        "stands at what no longer holds",
    ),
    "gold overturned for no verdict": (
        "disputed",
        lambda log: of(log, "gold.overturn")[0].update(stands="undecided"),
        (),
        "stands says undecided",
    ),
    "a refutation overruled without an appeal": ("overruled", forget_appeal, (), "an-appeal-questions-the-refutation"),
    "the same in waves": ("overruled-waves", forget_appeal, (), "it was escalated, and the policy plans waves"),
    "an adjudicator of no trusted pool": (
        "overruled",
        lambda log: [leaf.pop("pool", None) for leaf in of(log, "seat.assign")],
        (),
        "these are not the auditors that the seed draws",
    ),
    "another adjudicator, until one agrees": ("overruled", ask_another_judge, (), "it is decided and escalated"),
    "a model's tiers under a policy of rules": (
        "suggested",
        lambda log: of(log, "audit.open")[0]["params"].update(routed_by="rules"),
        (),
        "its policy routes by rules",
    ),
    "tiers that somebody else suggested": ("suggested", first_segment(by="operator"), (), "are suggested by operator"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_an_operators_lie_is_refused_with_one_sentence(name: str) -> None:
    story, lie, kept, words = REFUSED[name]
    report = report_of(story, lie, kept)
    assert not report.ok
    assert any(words in f"{title}: {note}" for good, title, note in report.lines if not good), report.text()
    assert report.text().count("Refused: ") == 1


@pytest.mark.parametrize("story", [*liar.TODAYS, *liar.DRAWN, *liar.BESIDES])
def test_the_audits_of_today_hold_before_anybody_lies(story: str) -> None:
    report = report_of(story, lambda log: None)
    assert report.ok, report.text()


# name: (story, the lie, entry of the closed list, what it says there)
LISTED: dict[str, tuple[str, Change, str, str]] = {
    "points released at once": ("divided", release, "clock", "that one could appeal no longer"),
    "points never released": (
        "released",
        lambda log: drop(log, *released(log)),
        "clock",
        "that one could appeal still",
    ),
    "a silent friend called lapsed": ("silent", excuse("lapsed"), "passing", "1 seats given back and not drawn again"),
    "another name of a withdrawn seat": ("relieved", rename_unsealed, "names", "seats without a sealed vote"),
    "another name of a silent seat": ("silent", rename_unsealed, "names", "seats without a sealed vote"),
    "a friend's seat that no slash meets": ("divided", spare, "names", "slashes were drawn"),
    "an appeal of the operator's own": ("divided", appeal(), "appeals", "an appeal by the operator: misread"),
    "another predecessor": (
        "overruled",
        lambda log: of(log, "audit.open")[0].update(predecessor=NOBODY),
        "appeals",
        "it follows audit 00000000",
    ),
    "gold overturned before anybody was paid": (
        "disputed",
        lambda log: drop(log, *of(log, "payout")[:-1]),
        "gold",
        "segment 1: that fail was wrong",
    ),
}


@pytest.mark.parametrize("name", LISTED)
def test_what_is_the_operators_word_is_listed(name: str) -> None:
    story, lie, key, words = LISTED[name]
    report = report_of(story, lie)
    assert report.ok, report.text()
    assert any(words in detail for detail in report.believed[key]), report.believed[key]


def test_a_seat_that_kept_its_name_by_a_seal_is_not_listed_among_those_without_one() -> None:
    report = report_of("divided", lambda log: None)
    assert report.believed["names"] == ["slashes were drawn"]
    assert "names" not in report_of("waves-passed", lambda log: None).believed


def test_fines_for_silence_are_missed_though_no_vote_was_judged() -> None:
    report = report_of("silent", lambda log: drop(log, *(leaf for kind in SETTLED for leaf in of(log, kind))))
    assert (True, "settlement", "not settled yet: no points, no reputation") in report.lines


def test_whoever_recorded_no_appeal_is_believed_and_the_report_says_so() -> None:
    report = report_of("divided", lambda log: None)
    assert verify_audit.BELIEVED["appeals"] in report.sentences()


def test_a_model_that_suggested_tiers_and_is_not_named_is_listed() -> None:
    said = report_of("suggested", lambda log: [line.pop("by") for line in log.segments]).believed["text"]
    assert said != report_of("suggested", lambda log: copy.copy(log)).believed["text"]
