"""F17: a witness that is well, down, slow, confused or lying; the ledger goes on, and says since when and why."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from auditing.models import Checkpoint, Witness
from auditing.selectors.ledger.published import published
from auditing.selectors.ledger.witnesses import witness_lines
from auditing.services.ledger import leaves, witnesses
from auditing.services.ledger.announcing import LEDGER, announce
from auditing.services.ledger.sequencing import Sequencer
from auditing.services.ledger.witnesses import Witnesses
from auditing.translog.checkpoint import ForkError
from auditing.translog.note import COSIGNATURE, Note, parse, parse_vkey, signing_key
from auditing.translog.witnessing import cosigners_of, parse_policy
from auditing.verifier import witness as w
from tests.tools.patience import PATIENCE
from tests.tools.unguarded import unguarded
from tests.unit.ledger.examples import EXAMPLES

pytestmark = pytest.mark.django_db
KEY = signing_key(name=settings.LEDGER_ORIGIN, seed=b"k" * 32)


class Running:
    """A real witness on the loopback; `answer` replaces what it says."""

    def __init__(self, store: Path, name: str = "witness.example/w1") -> None:
        self.witness = w.Witness(name=name, store=store, logs=[w.Log(KEY.verifier.vkey)])
        self.server = w.serve(self.witness, "127.0.0.1", 0)
        handler: Any = self.server.RequestHandlerClass
        handler.log_message = lambda *_: None
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def answers(self, status: int, text: str, kind: str = "text/plain") -> None:
        def refuse(body: bytes) -> str:
            raise w.RefusalError(status, text, kind)

        self.witness.add_checkpoint = refuse

    def keeps_silent(self, until: threading.Event) -> list[bytes]:
        """Answer nothing before the event; returns what it is asked meanwhile."""
        asked: list[bytes] = []

        def wait(body: bytes) -> str:
            asked.append(body)
            until.wait(PATIENCE)
            raise w.RefusalError(200, "late", "text/plain")

        self.witness.add_checkpoint = wait
        return asked

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine a witness that is well is slow."""
    monkeypatch.setattr(witnesses, "SECONDS", PATIENCE)
    monkeypatch.setattr(witnesses, "PAUSE", 10 * PATIENCE)


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    found = Running(tmp_path / "witness")
    yield found
    found.stop()


def begun(*addresses: str) -> Sequencer:
    announce(purpose=LEDGER, value=KEY.verifier.vkey.encode())
    found = Sequencer.at(key=KEY, directory=settings.LEDGER_DIR, witnesses=Witnesses(addresses=addresses))
    found.heal()
    return found


def grow(sequencer: Sequencer, count: int = 3) -> int:
    leaves.write(audit=None, leaves=[EXAMPLES["params.policy"]] * count)
    return sequencer.step()


def cosigned() -> bool:
    (line,) = witness_lines(note=published().note)
    return line.cosigned_at is not None


def words_of(address: str) -> str:
    """A page, however its lines are broken."""
    return " ".join(Client().get(address).content.decode().split())


def trouble() -> str:
    return Witness.objects.get().trouble


def test_every_checkpoint_is_cosigned_and_the_page_and_the_policy_name_the_witness(running: Running) -> None:
    sequencer = begun(running.url)
    for _ in range(3):
        assert grow(sequencer) == 3
        assert cosigned()
    one = Witness.objects.get()
    assert (one.size, one.is_pinned, one.vkey) == (9, True, running.witness.vkey)
    assert running.witness.head(KEY.name)[0] == 9
    policy = parse_policy(text=Client().get("/ledger/v1/policy").content.decode())
    assert policy.is_met(cosigners=policy.witnesses_of(note=_note()))
    body = words_of("/ledger")
    assert "witness.example/w1" in body
    assert "shows nothing about a dishonest operator" in body


def _note() -> Note:
    return parse(data=published().note.encode())


def test_a_witness_that_is_down_stops_nothing_and_catches_up(tmp_path: Path) -> None:
    first = Running(tmp_path / "witness")
    sequencer = begun(f"{first.url} {first.witness.vkey}")
    grow(sequencer)
    first.stop()
    assert grow(sequencer) == 3
    assert (cosigned(), "cannot be reached" in trouble()) == (False, True)
    assert published().head.size == 6
    assert "Not witnessed since" in words_of("/ledger")
    back = Running(tmp_path / "witness")
    again = begun(f"{back.url} {back.witness.vkey}")
    assert (cosigned(), trouble(), again.step()) == (True, "", 0)
    back.stop()


def test_a_slow_witness_costs_one_deadline_and_is_left_alone_for_a_while(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    sequencer = begun(running.url)
    grow(sequencer)
    monkeypatch.setattr(witnesses, "SECONDS", 0.2)
    end = threading.Event()
    asked = running.keeps_silent(end)
    assert [grow(sequencer), grow(sequencer), grow(sequencer)] == [3, 3, 3]
    assert (cosigned(), "did not answer within" in trouble(), published().head.size) == (False, True, 12)
    assert len(asked) <= 1  # none, where the machine is so slow that the question comes too late as well
    end.set()


@pytest.mark.parametrize(
    ("status", "kind", "text", "why"),
    [
        (409, "text/x.tlog.size", "1000000\n", "it lies, or this database is an old copy"),
        (409, "text/plain", "no", "without the size"),
        (500, "text/plain", "oops", "it answered 500: oops"),
        (302, "text/plain", "elsewhere", "it answered 302"),
        (200, "text/plain", "\u2014 someone.else AAAABBBBCCCC\n", "holds no cosignature"),
        (200, "text/plain", "x" * 70_000, "longer than 64 KiB"),
    ],
)
def test_a_witness_that_lies_or_stutters_is_named_and_the_ledger_goes_on(
    running: Running, status: int, kind: str, text: str, why: str
) -> None:
    sequencer = begun(running.url)
    grow(sequencer)
    running.answers(status, text, kind)
    assert grow(sequencer) == 3
    assert (cosigned(), why in trouble(), published().head.size) == (False, True, 6)
    begun(running.url)  # and a start is not stopped by it either


def test_a_cosignature_of_another_time_or_key_is_not_taken(running: Running) -> None:
    sequencer = begun(running.url)
    grow(sequencer)
    line = next(one for one in published().note.split("\n") if "witness.example" in one)
    running.answers(200, f"{line}\n")  # yesterday's, for today's checkpoint
    grow(sequencer)
    assert (cosigned(), "does not hold" in trouble()) == (False, True)
    stranger = signing_key(name="witness.example/w1", seed=b"z" * 32, kind=COSIGNATURE)
    other = begun(f"{running.url} {stranger.verifier.vkey}")
    grow(other)
    assert "holds no cosignature" in trouble()
    assert not cosigners_of(note=_note(), keys=(parse_vkey(text=running.witness.vkey),))


def test_a_witness_that_knows_less_or_more_is_met_where_it_stands(running: Running, tmp_path: Path) -> None:
    sequencer = begun(running.url)
    grow(sequencer)
    Witness.objects.update(size=2)  # ours is wrong: it answers 409 with the right one
    grow(sequencer)
    assert (cosigned(), trouble()) == (True, "")
    for file in (tmp_path / "witness").glob("*.head"):
        file.unlink()  # the witness lost its memory
    grow(sequencer)
    assert (cosigned(), running.witness.head(KEY.name)[0]) == (True, 9)


def test_what_a_witness_shows_under_our_own_signature_forbids_a_start_with_an_older_copy(running: Running) -> None:
    sequencer = begun(running.url)
    grow(sequencer)
    grow(sequencer)
    for file in Path(settings.LEDGER_DIR).rglob("*"):
        if file.is_file():
            file.unlink()  # the machine is gone, with all that it remembered
    unguarded("DELETE FROM auditing_leaf WHERE index >= 3", "DELETE FROM auditing_checkpoint WHERE size > 3")
    with pytest.raises(ForkError, match="holds 3 leaves, but size 6 was signed already"):
        begun(running.url)
    assert Checkpoint.objects.count() == 1
