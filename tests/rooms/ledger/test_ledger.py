"""Whole audits through the real services, checked by the stranger's verifier."""

import json
import random

import pytest
from django.conf import settings

from auditing.core.ledger import bundle
from auditing.core.values import Choice
from auditing.models import Audit, Leaf
from auditing.selectors.ledger.published import bundle_of
from auditing.services.ledger.announcing import LEDGER, announce
from auditing.services.seating import sortition
from auditing.translog.note import signing_key
from auditing.verifier import verify_audit
from tests.factories.worlds import World, make_user, make_world

pytestmark = pytest.mark.django_db


def walked(choice: Choice = Choice.PASS, **options: int) -> tuple[World, Audit]:
    world = make_world(**options)
    audit = world.submit()
    world.everybody_votes(audit, choice)
    audit.refresh_from_db()
    assert audit.stage == "recorded", audit.failure
    return world, audit


def bundled(audit: Audit) -> bytes:
    key = signing_key(name=settings.LEDGER_ORIGIN, seed=b"k" * 32)
    announce(purpose=LEDGER, value=key.verifier.vkey.encode())
    return bundle.encode(bundle=bundle_of(audit=audit))


def failures(data: bytes) -> str:
    report = verify_audit.verify(data)
    return "\n".join(f"{title}: {note}" for good, title, note in report.lines if not good)


@pytest.mark.parametrize("choice", [Choice.PASS, Choice.FAIL])
def test_a_stranger_accepts_a_whole_audit(choice: Choice, tmp_path) -> None:
    _, audit = walked(choice)
    data = bundled(audit)
    assert failures(data) == ""
    (tmp_path / "bundle.json").write_bytes(data)
    assert verify_audit.main([str(tmp_path / "bundle.json")]) == 0


def test_a_stranger_rejects_every_flipped_bit() -> None:
    data = bundled(walked()[1])
    rng = random.Random(8)
    for position in rng.sample(range(len(data) * 8), 40):
        bad = bytearray(data)
        bad[position // 8] ^= 1 << position % 8
        try:
            assert failures(bytes(bad)), f"bit {position}"
        except verify_audit.UnreadableError:
            continue


def test_nobody_can_read_from_the_ledger_who_sits_where_before_the_window_closes() -> None:
    world = make_world()
    audit = world.submit()
    world.settle_machines()
    log = b"".join(bytes(body) for body in Leaf.objects.filter(audit=audit).values_list("body", flat=True))
    seats = audit.rounds.filter(stage="committing").values_list("seats__pseudonym", flat=True)
    assert seats
    assert not any(bytes(name).hex().encode() in log for name in seats)


def test_a_running_audit_can_be_checked_as_far_as_it_went() -> None:
    world = make_world()
    audit = world.submit()
    world.settle_machines()
    assert failures(bundled(audit)) == ""


def test_every_leaf_of_an_audit_is_one_of_the_protocol() -> None:
    _, audit = walked()
    kinds = set(Leaf.objects.filter(audit=audit).values_list("kind", flat=True))
    assert kinds >= {
        "submission",
        "audit.open",
        "round.open",
        "seat.assign",
        "vote.commit",
        "phase.reveal",
        "vote.reveal",
        "outcome.preliminary",
        "segment.outcome",
        "trace.outcome",
        "payout",
        "skills",
        "escalation",
    }
    indexes = sorted(Leaf.objects.values_list("index", flat=True))
    assert indexes == list(range(len(indexes)))
    entries = Leaf.objects.values_list("body", flat=True)
    assert all(json.loads(bytes(entry))["v"] == 1 for entry in entries)


def test_newcomers_are_drawn_with_a_seed_that_nobody_knew_when_they_were_listed() -> None:
    world = make_world(reviewers=0)
    audit = world.submit()
    world.settle_machines()
    world.reviewers = [make_user(f"late{number}@example.org", "reviewer") for number in range(3)]
    world.settle_machines()  # they are added to the list, and wait for the checkpoint that covers it
    assert Leaf.objects.filter(audit=audit, kind="eligible.extend", index=None).count() == 1
    assert not audit.rounds.filter(tier="human", stage="committing").exists()
    world.everybody_votes(audit)
    audit.refresh_from_db()
    assert audit.stage == "recorded", audit.failure
    data = bundled(audit)
    report = verify_audit.verify(data)
    assert failures(data) == ""
    assert "added later and drawn with seeds of their own" in report.text()
    drawn = [json.loads(bytes(body)) for body in Leaf.objects.filter(kind="seat.assign").values_list("body", flat=True)]
    assert {leaf.get("roster") for leaf in drawn} == {None, 1}
    broken = json.loads(data)
    del broken["draw"]["extensions"]
    assert "a seed has no list, or no proof" in failures(json.dumps(broken).encode())
    first = sortition.Lots(audit=audit).basis
    assert first
    assert first.roster == 1
