"""F15, F16, cases 61 and 64: crashes between two files, lost tiles, old copies, a new key; all against the database."""

import os
import shutil
import signal
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from auditing.models import Checkpoint, Leaf
from auditing.research.ledger_checks import services as fsck
from auditing.selectors.clock import database_now
from auditing.selectors.ledger.published import published
from auditing.services.ledger import leaves, sequencing
from auditing.services.ledger.announcing import LEDGER, announce
from auditing.services.ledger.publishing import file_reader
from auditing.services.ledger.sequencing import Sequencer, assign_indexes
from auditing.translog import checkpoint as checkpoints
from auditing.translog import tiles
from auditing.translog.checkpoint import ForkError
from auditing.translog.note import signing_key
from tests.tools.patience import PATIENCE
from tests.tools.unguarded import guarded, unguarded
from tests.unit.ledger.examples import EXAMPLES

pytestmark = pytest.mark.django_db
SEED, NEXT_SEED = "6b" * 32, "6e" * 32
KEY = signing_key(name=settings.LEDGER_ORIGIN, seed=bytes.fromhex(SEED))
NEXT = signing_key(name=settings.LEDGER_ORIGIN, seed=bytes.fromhex(NEXT_SEED))


def begun(key: object = KEY) -> Sequencer:
    announce(purpose=LEDGER, value=KEY.verifier.vkey.encode())
    found = Sequencer.at(key=key, directory=Path(settings.LEDGER_DIR))  # type: ignore[arg-type]
    found.heal()
    return found


def grow(sequencer: Sequencer, count: int) -> int:
    wait(count)
    return sequencer.step()


def wait(count: int) -> None:
    leaves.write(audit=None, leaves=[EXAMPLES["params.policy"]] * count)


def sound() -> bool:
    found = list(fsck.check(now=database_now(), only=frozenset({"I4", "I12"})))
    assert all(one.holds for one in found), found
    return True


def files(pattern: str) -> list[Path]:
    return sorted(Path(settings.LEDGER_DIR).glob(pattern), key=lambda file: (len(file.name), file.name))


class PowerCut(BaseException):
    """Nothing after it runs; PostgreSQL forgets the open transaction, files stay as they are."""


@pytest.mark.parametrize("point", ["after_indexes", "after_head", "after_tiles", "before_checkpoint"])
def test_a_crash_between_any_two_steps_leaves_a_whole_ledger(point: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sequencer = begun()
    grow(sequencer, 300)
    before = published().head
    wait(500)
    with monkeypatch.context() as patch:
        patch.setenv("TRUST_CRASH_AT", point)
        patch.setattr("os.kill", _cut)
        with pytest.raises(PowerCut):
            sequencer.step()
    is_whole(before)
    begun().step()
    assert published().head.size == 800
    assert sound()


def _cut(process: int, number: int) -> None:
    assert number == signal.SIGKILL
    raise PowerCut


@pytest.mark.django_db(transaction=True)
def test_a_sequencer_killed_before_the_checkpoint_is_written_leaves_a_whole_ledger(tmp_path: Path) -> None:
    grow(begun(), 300)
    before = published().head
    wait(500)
    assert _sequencer_process(tmp_path, TRUST_CRASH_AT="before_checkpoint").returncode == -signal.SIGKILL
    is_whole(before)
    begun()
    assert published().head.size == 800
    assert sound()


def is_whole(head: checkpoints.Checkpoint) -> None:
    """The last checkpoint is still the published one, with all its tiles."""
    assert published().head == head
    assert tiles.check_tiles(size=head.size, read=file_reader(directory=Path(settings.LEDGER_DIR))) == head.root


def _sequencer_process(tmp_path: Path, **changes: str) -> subprocess.CompletedProcess[str]:
    """`manage.py sequencer --once` on the test's database and files."""
    said = connection.settings_dict
    host = str(said["HOST"]).replace("/", "%2F")
    url = f"postgres://{said['USER']}:{said['PASSWORD']}@{host}:{said['PORT'] or 5432}/{said['NAME']}"
    environment = {
        **os.environ,
        "DATABASE_URL": url,
        "LEDGER_DIR": str(settings.LEDGER_DIR),
        "LEDGER_SIGNING_KEY": SEED,
        "LEDGER_ORIGIN": settings.LEDGER_ORIGIN,
        "TRUST_RUN_DIR": str(tmp_path / "run"),
        "DJANGO_SETTINGS_MODULE": "trustweb.settings",
        **changes,
    }
    command = [sys.executable, "manage.py", "sequencer", "--once"]
    return subprocess.run(
        command, cwd=settings.BASE_DIR, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False
    )


@pytest.mark.parametrize("harm", ["cut", "flipped", "lost"])
@pytest.mark.parametrize("pattern", ["tile/0/000", "tile/0/001.p/*", "tile/entries/001.p/*", "tile/1/*.p/*"])
def test_a_harmed_file_is_made_anew_without_another_signature(harm: str, pattern: str) -> None:
    sequencer = begun()
    for count in (200, 200, 37):
        grow(sequencer, count)
    heads = list(Checkpoint.objects.values_list("size", "root"))
    target = files(pattern)[-1]
    data = target.read_bytes()
    if harm == "lost":
        target.unlink()
    else:
        target.write_bytes(data[:-1] if harm == "cut" else data[:-1] + bytes((data[-1] ^ 1,)))
    (broken,) = fsck.check(now=database_now(), only=frozenset({"I4"}))
    assert target.name in " ".join(broken.faults)
    begun().write_anew()
    assert target.read_bytes() == data
    assert list(Checkpoint.objects.values_list("size", "root")) == heads
    assert sound()


def test_a_damaged_edge_heals_by_itself_at_the_next_start() -> None:
    grow(begun(), 300)
    for file in files("tile/*/*.p/*"):
        file.write_bytes(b"x")
    (Path(settings.LEDGER_DIR) / "checkpoint").write_bytes(b"half a checkp")
    grow(begun(), 10)
    assert published().head.size == 310
    assert sound()


def test_tiles_of_every_checkpoint_are_served_and_survive_a_rebuild() -> None:
    sequencer = begun()
    for count in (5, 250, 1, 40):
        grow(sequencer, count)
    shutil.rmtree(Path(settings.LEDGER_DIR) / "tile")
    begun().write_anew()
    for size in (5, 255, 256, 296):
        for path in tiles.paths_of(size=size):
            assert Client().get(f"/ledger/v1/{path}").status_code == 200, (size, path)
    assert Client().get("/ledger/v1/tile/0/000.p/7").status_code == 404


def test_a_restored_dump_of_yesterday_is_refused_with_the_reason_and_left_as_it_is() -> None:
    grow(begun(), 5)
    grow(begun(), 5)
    unguarded("DELETE FROM auditing_checkpoint WHERE size > 5", "DELETE FROM auditing_leaf WHERE index >= 5")
    wait(2)
    with pytest.raises(CommandError) as refused:
        _command()
    assert "the database holds 5 leaves, but size 10 was signed already" in str(refused.value)
    assert "restored backup" in str(refused.value)
    assert Leaf.objects.filter(index__isnull=True).count() == 2
    (found,) = fsck.check(now=database_now(), only=frozenset({"I12"}))
    assert "older copy" in found.faults[0]


def test_what_another_sequencer_signs_meanwhile_is_no_fork(monkeypatch: pytest.MonkeyPatch) -> None:
    """Held at the one moment that matters: between reading the size of the database and comparing it."""
    one, other = begun(), begun()
    grow(one, 5)
    read, is_first = sequencing._size, iter([True])

    def read_and_pause() -> int:
        size = read()
        if next(is_first, False):
            grow(other, 5)
        return size

    monkeypatch.setattr(sequencing, "_size", read_and_pause)
    grow(one, 3)
    assert Checkpoint.objects.order_by("-size").values_list("size", flat=True)[0] == 13
    sound()


def test_a_look_that_finds_nothing_begins_no_transaction_and_the_next_one_finds_what_came() -> None:
    sequencer = begun()
    grow(sequencer, 5)
    with CaptureQueriesContext(connection) as asked:
        assert sequencer.step() == 0
    assert len(asked) <= 4  # the size, what is signed (twice), what waits
    assert not [query for query in asked if "SAVEPOINT" in (query["sql"] or "")]
    wait(2)
    assert sequencer.step() == 2
    # Numbered by a sequencer that died before it signed: nothing waits, and the tree is behind all the same.
    wait(3)
    assign_indexes()
    assert sequencer.step() == 3
    sound()


def test_an_old_copy_that_grew_past_the_signed_size_is_refused_too() -> None:
    grow(begun(), 5)
    grow(begun(), 5)
    unguarded("DELETE FROM auditing_checkpoint WHERE size > 5", "DELETE FROM auditing_leaf WHERE index >= 5")
    leaves.write(audit=None, leaves=[EXAMPLES["vote.commit"]] * 9)
    assign_indexes()
    with pytest.raises(ForkError, match="another one"):
        begun().step()


def test_the_published_checkpoint_remembers_when_the_head_file_is_lost() -> None:
    grow(begun(), 5)
    grow(begun(), 5)
    (Path(settings.LEDGER_DIR) / ".last-signed-head").unlink()
    unguarded("DELETE FROM auditing_checkpoint WHERE size > 5", "DELETE FROM auditing_leaf WHERE index >= 5")
    with pytest.raises(ForkError, match="size 10 was signed already"):
        begun().step()


def test_a_leaf_that_somebody_changed_in_the_database_stops_the_signing() -> None:
    grow(begun(), 5)
    unguarded("UPDATE auditing_leaf SET body = convert_to('{}', 'UTF8') WHERE index = 4")
    guarded()
    wait(1)
    with pytest.raises(ForkError, match=r"a leaf or a tile was changed; run `manage.py ledger_fsck`"):
        begun().step()


def test_the_key_is_handed_over_by_a_leaf_under_the_old_one() -> None:
    grow(begun(), 5)
    out = StringIO()
    _command("--hand-over-to", NEXT.verifier.vkey, out=out)
    assert "The ledger goes on under" in out.getvalue()
    with pytest.raises(CommandError, match="the ledger's key is"):
        _command()
    _command(seed=NEXT_SEED)
    assert Client().get("/ledger/v1/vkey").content.decode().strip() == NEXT.verifier.vkey
    head = checkpoints.open_checkpoint(data=Client().get("/ledger/v1/checkpoint").content, key=NEXT.verifier)
    assert head.size == 6
    wait(4)
    _command(seed=NEXT_SEED)
    assert published().head.size == 10
    assert sound()


@pytest.mark.parametrize("vkey", ["nonsense", signing_key(name="other/ledger/v1", seed=b"o" * 32).verifier.vkey])
def test_a_hand_over_to_no_key_of_this_ledger_is_refused(vkey: str) -> None:
    grow(begun(), 1)
    with pytest.raises(CommandError, match="--hand-over-to"):
        _command("--hand-over-to", vkey)
    assert not Leaf.objects.filter(kind="key.rotate").exists()


def test_no_process_but_the_sequencer_can_sign() -> None:
    assert not hasattr(settings, "LEDGER_SIGNING_KEY")
    with pytest.raises(CommandError, match="only the sequencer may hold it"):
        call_command("sequencer", "--once")


def _command(*arguments: str, seed: str = SEED, out: StringIO | None = None) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LEDGER_SIGNING_KEY", seed)
        call_command("sequencer", "--once", *arguments, stdout=out or StringIO())
