"""`manage.py ledger_fsck`: a sound system passes, and whatever breaks one invariant is found under its number."""

# ruff: noqa: E501  one breakage a line

import json
from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import transaction
from django.test import override_settings

from auditing.models import Audit, AuditEvent, Round, Seat
from auditing.research.ledger_checks import services as fsck
from auditing.selectors.clock import database_now
from auditing.services.ledger.publishing import HeadFile
from tests.factories.worlds import make_world
from tests.tools.unguarded import unguarded

pytestmark = pytest.mark.django_db


def sql(statement: str) -> Callable[[], None]:
    def change() -> None:
        assert unguarded(statement), statement

    return change


def in_body(kind: str, old: str, new: str) -> Callable[[], None]:
    return sql(
        f"UPDATE auditing_leaf SET body = convert_to(replace(convert_from(body, 'UTF8'), '{old}', '{new}'), 'UTF8') "
        f"WHERE kind = '{kind}' AND position('{old}' IN convert_from(body, 'UTF8')) > 0"
    )


def published(path: str, change: Callable[[bytes], bytes] | None, *, last: bool = False) -> Callable[[], None]:
    def write() -> None:
        files = sorted(Path(settings.LEDGER_DIR).glob(path), key=lambda file: (len(file.name), file.name))
        file = files[-1 if last else 0]
        if change is None:
            file.unlink()
        else:
            file.write_bytes(change(file.read_bytes()))

    return write


def flip(data: bytes) -> bytes:
    return data[:20] + bytes((data[20] ^ 1,)) + data[21:]


def overdue() -> None:
    some = Round.objects.order_by("pk").first()
    assert some
    long_ago = database_now() - timedelta(hours=1)
    Round.objects.filter(pk=some.pk).update(stage="revealing", due_at=long_ago)
    Audit.objects.update(stage="auditing")


def leased() -> None:
    seat = Seat.objects.order_by("pk").first()
    assert seat
    long_ago = database_now() - timedelta(hours=1)
    Round.objects.filter(pk=seat.round_id).update(stage="committing", due_at=database_now() + timedelta(hours=1))
    # Its vote is open, and no way leads back from there: the guard of the test database would refuse.
    unguarded("ALTER TABLE auditing_seat DISABLE TRIGGER USER")
    Seat.objects.filter(pk=seat.pk).update(stage="held", lease_until=long_ago)


def head_of_another_life() -> None:
    file = HeadFile.beside(directory=Path(settings.LEDGER_DIR))
    text = file.path.read_text().split("\n")
    file.path.write_text("\n".join([text[0], str(int(text[1]) + 1), *text[2:]]))


ONE_VOTE = "WHERE seat_id = (SELECT seat_id FROM auditing_vote ORDER BY seat_id LIMIT 1)"
BREAKS: list[tuple[str, str, Callable[[], None]]] = [
    ("I1", "a commitment was changed", sql(f"UPDATE auditing_commitment SET digest = sha256(digest) {ONE_VOTE}")),
    (
        "I1",
        "a leaf of a commitment was lost",
        sql("DELETE FROM auditing_leaf WHERE id = (SELECT max(id) FROM auditing_leaf WHERE kind = 'vote.commit')"),
    ),
    (
        "I1",
        "a receipt promises another leaf",
        sql("UPDATE auditing_commitment SET receipt = replace(receipt, 'leaf ', 'leaf 0') WHERE receipt <> ''"),
    ),
    (
        "I1",
        "an entry waits too long",
        sql("INSERT INTO auditing_leaf (kind, body, created) VALUES ('x', '{}', now() - interval '1 hour')"),
    ),
    (
        "I2",
        "a second commitment in the log",
        sql(
            "INSERT INTO auditing_leaf (kind, body, audit_id) SELECT kind, body, audit_id FROM auditing_leaf WHERE kind = 'vote.commit' LIMIT 1"
        ),
    ),
    ("I3", "more seats than places", sql("UPDATE auditing_round SET k = 1 WHERE k > 1")),
    ("I4", "a leaf was changed", in_body("params.policy", '"v":1', '"v":2')),
    ("I4", "a leaf was filed otherwise", sql("UPDATE auditing_leaf SET kind = 'skills' WHERE index = 0")),
    (
        "I4",
        "a root was changed",
        sql(
            "UPDATE auditing_checkpoint SET root = sha256(root) WHERE size = (SELECT min(size) FROM auditing_checkpoint)"
        ),
    ),
    (
        "I4",
        "a signature was changed",
        sql(
            "UPDATE auditing_checkpoint SET note = replace(note, '— ', '— x') WHERE size = (SELECT max(size) FROM auditing_checkpoint)"
        ),
    ),
    (
        "I4",
        "the newest leaves were lost",
        sql("DELETE FROM auditing_leaf WHERE index >= (SELECT max(index) FROM auditing_leaf)"),
    ),
    ("I4", "a tile was changed", published("tile/0/*.p/*", flip)),
    ("I4", "a partial tile was lost", published("tile/0/*.p/*", None)),
    ("I4", "the newest bundle was cut", published("tile/entries/*.p/*", lambda data: data[:-1], last=True)),
    ("I4", "the checkpoint was changed", published("checkpoint", flip)),
    ("I5", "a stored vote was turned", sql(f"UPDATE auditing_vote SET choice = 'fail' {ONE_VOTE}")),
    ("I5", "an opening was turned", in_body("vote.reveal", '"vote":1', '"vote":0')),
    (
        "I6",
        "an outcome was changed in the table",
        sql("UPDATE auditing_segmentoutcome SET outcome = 'fail' WHERE outcome = 'pass'"),
    ),
    ("I6", "an audit says another outcome", sql("UPDATE auditing_audit SET outcome = 'fail'")),
    (
        "I7",
        "a posting was changed",
        sql("UPDATE auditing_posting SET amount = amount + 1 WHERE id = (SELECT max(id) FROM auditing_posting)"),
    ),
    ("I7", "a payout leaf was changed", in_body("payout", '"posting":"reward"', '"posting":"agreement"')),
    (
        "I8",
        "a reputation was raised",
        sql("UPDATE auditing_reputationstep SET value = 1 WHERE id = (SELECT min(id) FROM auditing_reputationstep)"),
    ),
    (
        "I8",
        "a step was left out",
        sql("DELETE FROM auditing_reputationstep WHERE id = (SELECT min(id) FROM auditing_reputationstep)"),
    ),
    ("I9", "a window never closed", overdue),
    (
        "I10",
        "a block lost a bit",
        sql("UPDATE hdag_block SET ciphertext = set_byte(ciphertext, 9, 255 - get_byte(ciphertext, 9))"),
    ),
    ("I11", "a seat is held for ever", leased),
    ("I13", "a weight lost its record", sql("DELETE FROM auditing_weightsource")),
    ("I12", "the head file knows more leaves", head_of_another_life),
]


def broken(*names: str) -> dict[str, tuple[str, ...]]:
    found = fsck.check(now=database_now(), only=frozenset(names))
    return {one.name: one.faults for one in found if not one.holds}


def test_a_sound_system_passes_and_every_broken_invariant_is_named(tmp_path: Path) -> None:
    with override_settings(RECEIPT_KEY=b"r" * 32):
        world = make_world()
        audit = world.submit()
        world.everybody_votes(audit)
    assert broken() == {}
    whole = {path: path.read_bytes() for path in Path(settings.LEDGER_DIR).rglob("*") if path.is_file()}
    missed = []
    for name, what, change in BREAKS:
        with transaction.atomic():
            change()
            if name not in broken(name):
                missed.append((name, what))
            transaction.set_rollback(True)
        for path, data in whole.items():
            path.write_bytes(data)
    assert missed == []
    assert {name for name, _, _ in BREAKS} == {one.name for one in fsck.INVARIANTS}
    assert broken() == {}


def test_the_command_names_all_and_its_exit_code_says_whether_they_hold() -> None:
    out = StringIO()
    call_command("ledger_fsck", stdout=out)
    assert [line.split()[1] for line in out.getvalue().splitlines()[:13]] == [f"I{n}" for n in range(1, 14)]
    make_world()
    head = HeadFile.beside(directory=Path(settings.LEDGER_DIR)).path
    head.parent.mkdir(parents=True)
    head.write_text("x\n9\n" + "A" * 43 + "=\n")
    with pytest.raises(CommandError, match="1 invariant is broken"):
        call_command("ledger_fsck", "--json", "--only", "I12", stdout=(out := StringIO()))
    assert "older copy" in json.loads(out.getvalue())["faults"][0]


def test_the_nightly_check_writes_down_what_it_found() -> None:
    assert fsck.last_result() is None
    assert fsck.check_nightly(now=database_now()) == 0
    result = fsck.last_result()
    assert result
    assert (len(result.findings), result.broken) == (13, [])
    assert AuditEvent.objects.filter(kind=fsck.SOUND).count() == 1
