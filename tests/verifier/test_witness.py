"""The witness: tlog-witness over real HTTP, and never two contradicting cosignatures."""

import http.client
import socket
import threading
from base64 import b64encode

import pytest

from auditing.core.ledger import leaves
from auditing.translog import checkpoint, merkle, note, sequencing, tiles, witnessing
from auditing.verifier import witness as w
from tests.tools.patience import PATIENCE
from tests.unit.ledger.examples import EXAMPLES

KEY = note.signing_key(name="trust.example/ledger/v1", seed=b"k" * 32)
STRANGER = note.signing_key(name="other.example/ledger/v1", seed=b"o" * 32)
ENTRIES = [leaves.encode(leaf=EXAMPLES["vote.commit"])] * 40
BATCH = sequencing.advance(frontier=sequencing.Frontier(), entries=ENTRIES, origin=KEY.name)
READ = tiles.node_reader(size=40, read=BATCH.files.__getitem__)


def head(size: int, entry: bytes = ENTRIES[0]) -> checkpoint.Checkpoint:
    root = merkle.root(leaves=[merkle.leaf_hash(entry=entry)] * size)
    return checkpoint.Checkpoint(origin=KEY.name, size=size, root=root)


def request(old: int, to: checkpoint.Checkpoint, key: note.SigningKey = KEY, proof: bool = True) -> bytes:
    path = merkle.consistency_proof(size1=old, size2=to.size, read=READ) if proof and 0 < old <= to.size else ()
    lines = "".join(f"{b64encode(part).decode()}\n" for part in path)
    return f"old {old}\n{lines}\n{note.sign(text=to.body, key=key)}".encode()


class Running:
    def __init__(self, store) -> None:
        self.witness = w.Witness(
            name="witness.example/w1", store=store, logs=[w.Log(KEY.verifier.vkey)], clock=lambda: 1_790_000_000
        )
        self.server = w.serve(self.witness, "127.0.0.1", 0)
        self.server.RequestHandlerClass.log_message = lambda *_: None
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def send(self, body: bytes, method: str = "POST", path: str = "/add-checkpoint") -> tuple[int, str, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.server.server_port, timeout=PATIENCE)
        connection.request(method, path, body)
        answer = connection.getresponse()
        found = answer.status, answer.headers["Content-Type"], answer.read().decode()
        connection.close()
        return found

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def running(tmp_path):
    found = Running(tmp_path)
    yield found
    found.stop()


def test_a_growing_ledger_is_cosigned_step_by_step(running):
    key = note.parse_vkey(text=running.witness.vkey)
    policy = witnessing.WitnessPolicy(logs=(KEY.verifier,), witnesses={"w": key}, quorum="w")
    for old, size in ((0, 3), (3, 8), (8, 8), (8, 40)):
        status, _, line = running.send(request(old, head(size)))
        assert status == 200
        signed = checkpoint.sign(checkpoint=head(size), key=KEY)
        both = note.with_signatures(note=signed, more=(note.parse_signature(line=line),))
        assert policy.is_met(cosigners=policy.witnesses_of(note=both))
        assert both.time_of(key=key) == 1_790_000_000


def test_each_refusal_has_its_own_status(running):
    assert running.send(request(0, head(8)))[0] == 200
    forked = head(9, entry=b"another history")
    wrong = note.signing_key(name=KEY.name, seed=b"x" * 32)
    other = checkpoint.Checkpoint(origin=STRANGER.name, size=9, root=bytes(32))
    assert running.send(request(8, other, key=STRANGER, proof=False))[0] == 404
    assert running.send(request(8, head(9), key=wrong))[0] == 403
    assert running.send(request(3, head(9))) == (409, "text/x.tlog.size", "8\n")
    assert running.send(request(8, forked))[0] == 422
    assert running.send(request(8, head(9), proof=False))[0] == 422
    assert running.send(request(8, head(8, entry=b"another history"))) == (409, "text/x.tlog.size", "8\n")
    assert running.send(request(12, head(9), proof=False))[0] == 400
    assert running.witness.head(KEY.name)[0] == 8


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"old 0",
        b"old 00\n\n",
        b"old -1\n\nx",
        b"new 0\n\nx",
        b"old 0\nAAAA\n\nx",
        b"\xff\n\nx",
        b"old 0\n\nnothing\n",
        b"old 0\n" + b"A" * 43 + b"=\n",
        b"old 0\n" + (b64encode(bytes(32)) + b"\n") * 64 + b"\nx",
    ],
)
def test_a_malformed_request_is_refused(running, body):
    assert running.send(body)[0] == 400


def test_other_paths_and_long_bodies_are_refused(running):
    assert running.send(b"", path="/other")[0] == 404
    assert running.send(b"", method="GET", path="/x")[0] == 404
    assert running.send(bytes(128 * 1024 + 1))[0] == 413
    assert running.witness.vkey in running.send(b"", method="GET", path="/")[2]


@pytest.mark.parametrize("length", ["", "-1", "00000000019999999999", "+5", "\u0661", "131073", "9" * 30])
def test_a_length_that_is_none_is_refused_before_a_byte_is_read(running, length):
    with socket.create_connection(("127.0.0.1", running.server.server_port), timeout=PATIENCE) as connection:
        connection.sendall(f"POST /add-checkpoint HTTP/1.1\r\nContent-Length: {length}\r\n\r\n".encode())
        assert connection.makefile("rb").readline().split()[1] == b"413"


def test_a_restarted_witness_remembers_and_keeps_its_key(tmp_path):
    first = Running(tmp_path)
    assert first.send(request(0, head(8)))[0] == 200
    first.stop()
    second = Running(tmp_path)
    assert second.witness.vkey == first.witness.vkey
    assert second.send(request(0, head(9))) == (409, "text/x.tlog.size", "8\n")
    second.stop()


def test_of_two_steps_at_once_only_one_is_cosigned(running):
    assert running.send(request(0, head(8)))[0] == 200
    start, found = threading.Barrier(8), []

    def race(size: int) -> None:
        start.wait()
        found.append(running.send(request(8, head(size)))[0])

    threads = [threading.Thread(target=race, args=(9 + number,)) for number in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert sorted(found) == [200] + [409] * 7


def test_a_key_that_others_may_read_is_refused(tmp_path):
    Running(tmp_path).stop()
    (tmp_path / "key").chmod(0o644)
    with pytest.raises(SystemExit, match="chmod 600"):
        w.Witness(name="witness.example/w1", store=tmp_path, logs=[])
