"""A vote that was sealed is opened, or its seal is shown to everybody with its key: the operator has no excuse."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from auditing.core.values import Choice
from auditing.core.voting.unopened import prove
from auditing.models import Audit, Commitment, Seat, Vote
from auditing.selectors.clock import database_now
from auditing.services.seating import assignment
from auditing.services.seating.auditors import auditor_of
from auditing.services.voting.commitment import NoSealError, accept
from auditing.verifier import verify_audit
from benchmarks.lying.consequences import Consequences
from benchmarks.lying.log import Log
from tests.factories.worlds import World, make_world, sealed_vote
from tests.rooms.ledger.test_ledger import bundled, failures

pytestmark = pytest.mark.django_db
FIRST_OF_THE_OPENING, LAST_OF_THE_TAG = 66, -1


def spoilt(at: int) -> tuple[World, Audit, Seat]:
    """An audit in which one reviewer's first seal has a wrong byte."""
    world = make_world()
    audit = world.submit()
    world.settle_machines()
    auditor = auditor_of(user=world.reviewers[0])
    seat = assignment.claim_next(auditor=auditor, now=database_now())
    assert seat is not None
    vote = sealed_vote(seat=seat, choice=Choice.PASS, confidence=9000, reveal_key=world.reveal_key.public_key())
    bad = bytearray(vote.sealed or b"")
    bad[at] ^= 1
    accept(seat_id=seat.pk, auditor=auditor, vote=replace(vote, sealed=bytes(bad)), now=database_now())
    world.everybody_votes(audit)
    world.settle_machines()
    return world, audit, seat


def test_a_seal_that_holds_another_thing_is_shown_and_everybody_sees_whose_fault_it_was() -> None:
    _, audit, seat = spoilt(FIRST_OF_THE_OPENING)
    data = bundled(audit)
    assert failures(data) == ""
    (shown,) = [leaf for leaf in Log(json.loads(data)).leaves if leaf["t"] == "vote.unopened"]
    assert shown["seat"] == str(seat.pk)
    (detail,) = verify_audit.verify(data).believed["silence"]
    assert detail.endswith(f"the seal of seat {str(seat.pk)[:8]} does not open under the key of its round")


def test_a_vote_whose_text_alone_is_damaged_counts() -> None:
    _, audit, seat = spoilt(LAST_OF_THE_TAG)
    assert Vote.objects.get(seat=seat).choice == Choice.PASS
    assert failures(bundled(audit)) == ""


def drop(log: Log, kind: str) -> None:
    log.leaves[:] = [leaf for leaf in log.leaves if leaf["t"] != kind]


def hide(log: Log) -> None:
    """The operator calls a vote silent that it could open."""
    leaf = next(leaf for leaf in log.leaves if leaf["t"] == "vote.reveal" and len(leaf["openings"]) > 1)
    gone = leaf["openings"].pop()
    silent = {name: gone[name] for name in ("seat", "auditor", "draw")} | {"committed": True, "reason": "silent"}
    where = {name: leaf[name] for name in ("audit", "segment", "round", "v")}
    log.leaves.insert(log.leaves.index(leaf) + 1, {**where, "t": "vote.noreveal", "seats": [silent]})


def shown(log: Log) -> Any:
    return next(leaf for leaf in log.leaves if leaf["t"] == "vote.unopened")


def blame(log: Log) -> None:
    """The operator hides a vote, and shows for it the seal of another one."""
    hide(log)
    silent = next(leaf for leaf in log.leaves if leaf["t"] == "vote.noreveal" and leaf["seats"][0]["committed"])
    log.leaves.insert(log.leaves.index(silent), {**shown(log), **{key: silent[key] for key in ("segment", "round")}})
    log.leaves[log.leaves.index(silent) - 1] |= {"seat": silent["seats"][0]["seat"]}


LIES: dict[str, tuple[Callable[[Log], Any], str]] = {
    "the seal is not shown": (lambda log: drop(log, "vote.unopened"), "neither opened it nor showed its seal"),
    "a vote is hidden": (hide, "neither opened it nor showed its seal"),
    "a vote is hidden behind another seal": (blame, "is not the one that was handed in"),
    "another key": (lambda log: shown(log).update(challenge="ab" * 32), "is not its key"),
    "another secret": (lambda log: shown(log).update(secret=shown(log)["ephemeral"]), "is not its key"),
    "another reveal key": (lambda log: shown(log).update(reveal_key=shown(log)["ephemeral"]), "never named"),
    "no point": (lambda log: shown(log).update(secret="04" + "11" * 64), "is not on its curve"),
    "another cipher": (lambda log: shown(log).update(cipher="00" * 68), "is not the one that was handed in"),
}


def test_an_operator_who_hides_a_vote_is_refused() -> None:
    _, audit, _ = spoilt(FIRST_OF_THE_OPENING)
    data = bundled(audit)
    for name, (lie, why) in LIES.items():
        log = Log(json.loads(data))
        lie(log)
        Consequences(log, lambda leaf, field: False).follow()
        assert why in failures(log.bundle()), name


def test_a_seal_that_holds_the_vote_is_no_excuse() -> None:
    """The revealer shows the right key of a good seal: everybody opens it."""
    world, audit, seat = spoilt(LAST_OF_THE_TAG)
    log = Log(json.loads(bundled(audit)))
    row = Commitment.objects.get(seat=seat)
    proof = prove(
        private_key=world.reveal_key, sealed=bytes(row.sealed), seat_id=seat.pk, commitment=bytes(row.digest), k=77
    )
    at = next(leaf for leaf in log.leaves if leaf["t"] == "vote.reveal" and str(seat.pk) in json.dumps(leaf))
    gone = next(one for one in at["openings"] if one["seat"] == str(seat.pk))
    at["openings"].remove(gone)
    place = log.leaves.index(at)
    where = {name: at[name] for name in ("audit", "segment", "round", "v")}
    silent = {name: gone[name] for name in ("seat", "auditor", "draw")} | {"committed": True, "reason": "silent"}
    texts = {name: getattr(proof, name).hex() for name in verify_audit.MATRIX["vote.unopened"] if hasattr(proof, name)}
    log.leaves[place + 1 : place + 1] = [
        {**where, "t": "vote.unopened", "seat": str(seat.pk), **texts},
        {**where, "t": "vote.noreveal", "seats": [silent]},
    ]
    if not at["openings"]:
        log.leaves.remove(at)
    assert "holds the vote that was committed to, and it was not counted" in failures(log.bundle())


def test_what_cannot_be_a_seal_is_refused_when_it_comes_in() -> None:
    world = make_world()
    world.submit()
    world.settle_machines()
    auditor = auditor_of(user=world.reviewers[0])
    seat = assignment.claim_next(auditor=auditor, now=database_now())
    assert seat is not None
    vote = sealed_vote(seat=seat, choice=Choice.PASS, confidence=9000, reveal_key=world.reveal_key.public_key())
    with pytest.raises(NoSealError):
        accept(seat_id=seat.pk, auditor=auditor, vote=replace(vote, sealed=b"\1" + bytes(300)), now=database_now())
