"""The readers of verify_audit.py, verify_proofs.py and witness.py, each asked as a stranger would ask it."""

import contextlib
import gzip
import http.client
import io
import json
import shutil
import socket
import threading
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

from auditing.translog import checkpoint, merkle, note
from auditing.verifier import verify_audit, verify_proofs, witness
from benchmarks.liar import NEWER, OLDER, honest_report, read_log

STORY = OLDER.parent / "before" / "story"
RECORDS = OLDER.parent / "before" / "audit.out.jsonl"
LEAST = STORY / "bundles" / "pens.json"
# a weight of nobody: what is asked of the file comes before what is found in the log
WEIGHT = {
    "audit": "00000000-0000-4000-8000-000000000000",
    "segment": "00000000-0000-4000-8000-000000000001",
    "seat": "00000000-0000-4000-8000-000000000002",
    "round": 0,
    "salt": "ab" * 32,
    "sources": {"rule": "gold", "domain": "", "level": "step", "votes": [], "calibration": []},
}
WEIGHTS = {"format": "trust-weights/v1", "weights": [WEIGHT]}
# readers whose files are worth nothing when they are no JSON
OF_VALUES = ("leaf that is signed", "weights")
Ask = Callable[[bytes], str]  # the bytes of a file -> its fate; whatever is raised is a finding


class FindingError(Exception):
    """A reader did what it must not."""


class Readers:
    """Each reader with its honest files; `place` is a folder of its own."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.ledger = place / "ledger"
        shutil.copytree(STORY / "ledger", self.ledger, dirs_exist_ok=True)
        self.bundles = [gzip.decompress(path.read_bytes()) for path in sorted([*OLDER.iterdir(), *NEWER.iterdir()])]
        self.honest = {verify_audit.canonical(json.loads(data)) for data in self.bundles}
        self.key = note.signing_key(name="trust.example/ledger/v1", seed=b"k" * 32)
        self.log = read_log(OLDER / "divided.json.gz")
        honest_report("divided", self.log)
        self.witness = HttpWitness(place / "witness", self.key)

    def all(self) -> dict[str, tuple[list[bytes], Ask]]:
        """Name of the reader -> honest files, and how it is asked."""
        receipts = [path.read_bytes() for path in sorted((STORY / "receipts").iterdir())]
        policy, vkey = (STORY / "ledger" / "policy").read_bytes(), (STORY / "ledger" / "vkey").read_bytes().strip()
        leaves = [json.dumps(leaf).encode() for leaf in self.log.leaves]
        return {
            "audit": (self.bundles, self.ask_audit),
            "leaf that is signed": (leaves, self.ask_leaf),
            "receipt": (receipts, self.ask_receipt),
            "policy": (
                [policy, self.groups(policy)],
                lambda data: self.ask_main([str(LEAST), "--policy", self.file(data)]),
            ),
            "key": ([vkey], self.ask_key),
            "checkpoint": self.of_ledger("checkpoint"),
            "key of a ledger": self.of_ledger("vkey"),
            "tile": self.of_ledger("tile/entries/001.p/43"),
            "weights": ([json.dumps(WEIGHTS).encode()], self.ask_weights),
            "proofs": ([*RECORDS.read_bytes().splitlines(), RECORDS.read_bytes()], self.ask_proofs),
            "witness": (self.witness.requests, self.witness.ask),
            "witness by HTTP": (self.witness.spoken, self.witness.ask_by_http),
        }

    def groups(self, policy: bytes) -> bytes:
        """The policy with three witnesses in two groups, of which none is needed."""
        names = [f"w{number}.example" for number in range(3)]
        keys = [witness.Witness(name=name, store=self.place / name, logs=()).vkey for name in names]
        lines = [f"witness w{number} {key} https://w{number}.example" for number, key in enumerate(keys)]
        groups = ["group both all w0 w1", "group most 1 both w2"]
        return "\n".join([*lines, *groups, ""]).encode() + policy

    def file(self, data: bytes) -> str:
        path = self.place / "file"
        path.write_bytes(data)
        return str(path)

    def ask_main(self, words: list[str], program: Any = verify_audit) -> str:
        """The command itself: exit code 0 or 2, one sentence where it refuses, and nothing that moves a cursor."""
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            code = program.main(words)
        text = printed.getvalue()
        if code not in (0, 2) or any(not (letter.isprintable() or letter == "\n") for letter in text):
            raise FindingError(f"exit code {code}, or a letter that moves the cursor: {text[-300:]!r}")
        if program is verify_audit and (code == 2) != ("Refused: " in text):
            raise FindingError(f"exit code {code} and no sentence: {text[-300:]!r}")
        return "refused" if code else "accepted"

    def ask_audit(self, data: bytes) -> str:
        fate = self.ask_main([self.file(data)])
        bundle = verify_audit.strict_json(data.decode()) if fate == "accepted" else {}
        if not bundle or verify_audit.canonical(bundle) in self.honest:
            return fate
        # without its end an audit is unfinished, and the report says so
        return (
            "accepted otherwise" if any("trace.outcome" in leaf["entry"] for leaf in bundle["leaves"]) else "unfinished"
        )

    def ask_leaf(self, data: bytes) -> str:
        """The liar's own leaf in the place of an honest one, in a tree that he signs."""
        forged = self.log.copied()
        try:
            leaf = json.loads(data)
            # the leaf that it was
            same = [sum(leaf.get(name) == value for name, value in known.items()) for known in forged.leaves]
            forged.leaves[same.index(max(same))] = leaf
            bundle = forged.bundle()
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            return "no leaf"
        fate = self.ask_main([self.file(bundle)])
        return "accepted otherwise" if fate == "accepted" and forged.leaves != self.log.leaves else fate

    def ask_key(self, data: bytes) -> str:
        return self.ask_main([str(LEAST), f"--vkey={data.decode('utf-8', 'surrogateescape')}"])

    def ask_receipt(self, data: bytes) -> str:
        return self.ask_main(["find", str(STORY / "bundles" / "eggs.json"), self.file(data)])

    def ask_weights(self, data: bytes) -> str:
        return self.ask_main(["weights", str(STORY / "ledger"), self.file(data)])

    def ask_proofs(self, data: bytes) -> str:
        return self.ask_main([self.file(data)], verify_proofs)

    def of_ledger(self, name: str) -> tuple[list[bytes], Ask]:
        honest = (STORY / "ledger" / name).read_bytes()

        def ask(data: bytes) -> str:
            (self.ledger / name).write_bytes(data)
            try:
                return self.ask_main(["ledger", str(self.ledger)])
            finally:
                (self.ledger / name).write_bytes(honest)

        return [honest], ask


class HttpWitness:
    """A running witness, and what a ledger says to it."""

    def __init__(self, store: Path, key: note.SigningKey) -> None:
        log = witness.Log(key.verifier.vkey)
        self.witness = witness.Witness(name="witness.example/w1", store=store, logs=[log], clock=lambda: 1_790_000_000)
        self.errors: list[str] = []
        self.server = witness.serve(self.witness, "127.0.0.1", 0)
        self.server.handle_error = lambda *_: self.errors.append(repr(__import__("sys").exception()))  # type: ignore[method-assign]
        self.server.RequestHandlerClass.log_message = lambda *_: None  # type: ignore[attr-defined]
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()
        leaves = [merkle.leaf_hash(entry=b"%d" % number) for number in range(40)]
        self.requests = [self.request(leaves, old, size, key) for old, size in ((0, 7), (7, 40), (40, 40), (3, 7))]
        head = "POST /add-checkpoint HTTP/1.1\r\nHost: w\r\nContent-Length: {}\r\n\r\n"
        self.spoken = [head.format(len(body)).encode() + body for body in self.requests]

    def request(self, leaves: list[bytes], old: int, size: int, key: note.SigningKey) -> bytes:
        head = checkpoint.Checkpoint(origin=key.name, size=size, root=merkle.root(leaves=leaves[:size]))

        def read(level: int, index: int) -> bytes:
            return merkle.root(leaves=leaves[index << level : (index + 1) << level])

        path = merkle.consistency_proof(size1=old, size2=size, read=read) if 0 < old < size else ()
        lines = "".join(f"{b64encode(sibling).decode()}\n" for sibling in path)
        return f"old {old}\n{lines}\n{note.sign(text=head.body, key=key)}".encode()

    def ask(self, body: bytes) -> str:
        try:
            self.witness.add_checkpoint(body)
        except witness.RefusalError:
            return "refused"
        return "accepted"

    def ask_by_http(self, data: bytes) -> str:
        """Raw bytes on a connection that the asker then closes on his side."""
        self.errors.clear()
        with socket.create_connection(("127.0.0.1", self.server.server_port), timeout=20) as connection:
            with contextlib.suppress(OSError):
                connection.sendall(data)
                connection.shutdown(socket.SHUT_WR)
            answer = http.client.HTTPResponse(connection)
            try:
                answer.begin()
                fate = str(answer.status)
            except (http.client.HTTPException, ConnectionError):
                fate = "closed"
            except TimeoutError:
                raise FindingError("no answer within 20 s") from None
        if self.errors:
            raise FindingError(self.errors[0])
        return fate
