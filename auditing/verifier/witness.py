"""A witness: it cosigns a ledger's checkpoints, and never two that contradict each other (C2SP tlog-witness v1.0.0).

    python witness.py --name witness.example/w1 --log VKEY --store DIRECTORY --port 8710

One file, standard library and `cryptography`; its own key and its own directory, to be run by somebody else than the
operator of the ledger. POST /add-checkpoint cosigns; GET / says who it is and what it last saw; GET
/SHA256-OF-ORIGIN/checkpoint shows the checkpoint it cosigned last. DIRECTORY holds key (made at first start, mode 0600)
and one file a ledger; each file is replaced atomically and synced before the answer. --log-file instead of --log reads
the ledger's key from a file at the first start, and never believes another one later. --ml-dsa makes a second key
(key-ml-dsa) and answers with a second line, an ML-DSA-44 cosignature (C2SP tlog-cosignature type 6); GET / shows both.
One witness run by the ledger's own operator shows nothing about a dishonest operator.
"""

import argparse
import base64
import fcntl
import hashlib
import os
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

try:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
    from cryptography.hazmat.primitives.asymmetric.mldsa import MLDSA44PrivateKey
except ImportError:
    sys.exit("A witness needs the package `cryptography`, one that knows ML-DSA (pip install -U cryptography).")

LARGEST_REQUEST = 128 * 1024
MOST_HASHES = 63
SIZE = re.compile(r"0|[1-9][0-9]{0,18}")
Head = tuple[int, bytes]  # size and root
Signatures = list[tuple[str, bytes]]  # name; key id and signature


class RefusalError(Exception):
    """What the witness answers instead of a cosignature."""

    def __init__(self, status: int, text: str, media_type: str = "text/plain; charset=utf-8") -> None:
        super().__init__(text)
        self.status, self.text, self.kind = status, text, media_type


def sha(*parts: bytes) -> bytes:
    """SHA-256 of the parts in a row."""
    return hashlib.sha256(b"".join(parts)).digest()


def decode(text: str) -> bytes:
    """Strict base64."""
    # decoding drops stray bits, so one value would have many spellings
    data = base64.b64decode(text, validate=True)
    if base64.b64encode(data).decode() != text:
        raise ValueError("base64 with stray bits")
    return data


class Log:
    """A ledger that this witness knows: its origin is its key's name."""

    def __init__(self, vkey: str) -> None:
        self.origin, key_id, encoded = vkey.split("+", 2)
        key = decode(encoded)
        self.key_id = sha(self.origin.encode(), b"\n", key)[:4]
        # byte 1: Ed25519, C2SP signed-note section "Signature types"
        if len(key) != 33 or key[0] != 1 or self.key_id.hex() != key_id:
            raise ValueError(f"not the Ed25519 key of a ledger: {vkey}")
        self.public = Ed25519PublicKey.from_public_bytes(key[1:])

    def has_signed(self, text: str, signatures: Signatures) -> bool:
        """Whether this key signed; a wrong line under its name spoils the note (403)."""
        mine = [data for name, data in signatures if name == self.origin and data[:4] == self.key_id]
        try:
            for data in mine:
                self.public.verify(data[4:], text.encode())
        except InvalidSignature:
            raise RefusalError(403, "a signature under the ledger's name does not hold\n") from None
        return bool(mine)


class Witness:
    """The key, the ledgers, and what was cosigned last."""

    def __init__(
        self,
        *,
        name: str,
        store: Path | str,
        logs: Sequence[Log],
        clock: Callable[[], float] = time.time,
        ml_dsa: bool = False,
    ) -> None:
        self.name, self.store, self.clock = name, Path(store), clock
        self.logs: dict[str, list[Log]] = {}
        for log in logs:
            self.logs.setdefault(log.origin, []).append(log)
        self.store.mkdir(parents=True, exist_ok=True)
        self.private = Ed25519PrivateKey.from_private_bytes(self._seed("key"))
        self.typed_key = b"\x04" + self.private.public_key().public_bytes_raw()
        self.second = MLDSA44PrivateKey.from_seed_bytes(self._seed("key-ml-dsa")) if ml_dsa else None
        self._thread_lock = threading.Lock()

    @property
    def vkey(self) -> str:
        """The witness's Ed25519 key as one line."""
        return self._vkey(self.typed_key)

    @property
    def second_vkey(self) -> str:
        """The witness's ML-DSA-44 key as one line; "" without one."""
        return "" if self.second is None else self._vkey(b"\x06" + self.second.public_key().public_bytes_raw())

    def _vkey(self, typed_key: bytes) -> str:
        return f"{self.name}+{self._key_id(typed_key).hex()}+{base64.b64encode(typed_key).decode()}"

    def _key_id(self, typed_key: bytes) -> bytes:
        return sha(self.name.encode(), b"\n", typed_key)[:4]

    def _seed(self, name: str) -> bytes:
        path = self.store / name
        try:
            # O_EXCL: two witnesses starting at once on one directory cannot both make a key
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            # a key that others can read is not used
            if path.stat().st_mode & 0o077:
                raise SystemExit(f"{path} must be readable by its owner alone (chmod 600)") from None
            return path.read_bytes()
        with os.fdopen(handle, "wb") as file:
            seed = os.urandom(32)
            file.write(seed)
            file.flush()
            os.fsync(file.fileno())
        return seed

    def add_checkpoint(self, body: bytes) -> str:
        """The cosignature lines for a request. Raises Refusal."""
        old, proof, note = parse_request(body)
        origin, size, root, text, signatures = parse_checkpoint(note)
        logs = self.logs.get(origin)
        if logs is None:
            raise RefusalError(404, "this ledger is not known here\n")
        # a list, not a generator: every key is tried, for a wrong signature under any of them spoils the note
        if not any([log.has_signed(text, signatures) for log in logs]):
            raise RefusalError(403, "no signature by the ledger's key\n")
        if old > size:
            raise RefusalError(400, f"the old size {old} is larger than the checkpoint's {size}\n")
        if size == 0 and root != sha():
            raise RefusalError(422, "the root of no leaves is the hash of nothing\n")
        # C2SP tlog-witness section "add-checkpoint": checking and storing are one step, or two requests at once could
        # roll the stored size back; the head is stored before the cosignature leaves
        with self._locked():
            self._check_step(origin, (old, size, root), proof)
            lines = self._cosign(text)
            self._store_head(origin, note + lines)
        return lines

    def _check_step(self, origin: str, step: tuple[int, int, bytes], proof: Sequence[bytes]) -> None:
        old, size, root = step
        # 409 tells the log the size that the witness stands at, so that it can send the right proof
        known_size, known_root = self.head(origin)
        if old != known_size:
            raise RefusalError(409, f"{known_size}\n", "text/x.tlog.size")
        if old == 0:
            if proof:
                raise RefusalError(422, "a proof from size 0 is empty\n")
        elif old == size:
            if root != known_root:
                raise RefusalError(409, f"{known_size}\n", "text/x.tlog.size")
            if proof:
                raise RefusalError(422, "a proof between equal sizes is empty\n")
        elif not is_consistent((old, known_root), (size, root), proof):
            raise RefusalError(422, "the consistency proof does not hold\n")

    def head(self, origin: str) -> Head:
        """(size, root) of the checkpoint cosigned last; (0, b"") before the first."""
        path = self._path(origin)
        if not path.exists():
            return 0, b""
        named, size, root = path.read_text(encoding="utf-8").split("\n")[:3]
        if named != origin:
            raise RuntimeError(f"{path} belongs to another ledger")
        return int(size), decode(root)

    def shown(self, name: str) -> str | None:
        """The checkpoint cosigned last of the ledger whose origin hashes to `name`; None without one."""
        for origin in self.logs:
            if sha(origin.encode()).hex() == name and self._path(origin).exists():
                return self._path(origin).read_text(encoding="utf-8")
        return None

    def _store_head(self, origin: str, note: str) -> None:
        path, temporary = self._path(origin), self._path(origin).with_suffix(".new")
        with temporary.open("w", encoding="utf-8") as file:
            file.write(note)
            file.flush()
            os.fsync(file.fileno())
        # atomic: after a crash the old head or the new one stands there, never half of one
        temporary.replace(path)
        # the rename itself is durable only after the directory is synced
        directory = os.open(self.store, os.O_RDONLY)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)

    def _path(self, origin: str) -> Path:
        return self.store / f"{sha(origin.encode()).hex()[:32]}.head"

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """One step at a time, across threads and across processes on one directory."""
        with self._thread_lock, (self.store / "lock").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def _cosign(self, text: str) -> str:
        now = int(self.clock())
        # C2SP tlog-cosignature: the time is signed along with the text
        signature = self.private.sign(f"cosignature/v1\ntime {now}\n{text}".encode())
        lines = self._line(self.typed_key, now, signature)
        if self.second is not None:
            typed_key = b"\x06" + self.second.public_key().public_bytes_raw()
            lines += self._line(typed_key, now, self.second.sign(subtree_message(self.name, now, text)))
        return lines

    def _line(self, typed_key: bytes, now: int, signature: bytes) -> str:
        data = base64.b64encode(self._key_id(typed_key) + now.to_bytes(8) + signature).decode()
        return f"\u2014 {self.name} {data}\n"


def subtree_message(name: str, now: int, text: str) -> bytes:
    """The `cosigned_message` of a checkpoint: the subtree from leaf 0 to its size."""
    origin, size, root = text.split("\n")[:3]
    cosigner, log = (bytes((len(word.encode()),)) + word.encode() for word in (name, origin))
    return b"subtree/v1\n\0" + cosigner + now.to_bytes(8) + log + bytes(8) + int(size).to_bytes(8) + decode(root)


def parse_request(body: bytes) -> tuple[int, list[bytes], str]:
    """(old size, proof, checkpoint note) of a request body."""
    try:
        head, separator, note = body.decode("utf-8").partition("\n\n")
        first, *lines = head.split("\n")
        word, _, size = first.partition(" ")
        proof = [decode(line) for line in lines]
    except ValueError:
        raise RefusalError(400, "the request is not of the form of tlog-witness\n") from None
    whole = separator and word == "old" and SIZE.fullmatch(size)
    if not whole or len(proof) > MOST_HASHES or any(len(sibling) != 32 for sibling in proof):
        raise RefusalError(400, "the request is not of the form of tlog-witness\n")
    return int(size), proof, note


def parse_checkpoint(note: str) -> tuple[str, int, bytes, str, Signatures]:
    """(origin, size, root, signed text, [(name, key id and signature)])."""
    text, separator, tail = note.rpartition("\n\n")
    try:
        origin, size, root, *_ = text.split("\n")
        lines = [line.split(" ") for line in tail.removesuffix("\n").split("\n")]
        signatures = [(name, decode(data)) for dash, name, data in lines if dash == "\u2014"]
        digest = decode(root)
    except ValueError:
        raise RefusalError(400, "the checkpoint is malformed\n") from None
    if not separator or not tail.endswith("\n") or not SIZE.fullmatch(size) or len(digest) != 32:
        raise RefusalError(400, "the checkpoint is malformed\n")
    return origin, int(size), digest, text + "\n", signatures


def is_consistent(old: Head, new: Head, proof: Sequence[bytes]) -> bool:
    """RFC 9162 section 2.1.4.2 for 0 < old size < new size."""
    (size1, root1), (size2, root2) = old, new
    proof = [root1, *proof] if size1 & (size1 - 1) == 0 else list(proof)
    if not proof:
        return False
    fn, sn = size1 - 1, size2 - 1
    # up to the level at which the old tree's last perfect subtree begins
    while fn & 1:
        fn, sn = fn >> 1, sn >> 1
    first = second = proof[0]
    for sibling in proof[1:]:
        if sn == 0:
            return False
        if fn & 1 or fn == sn:
            first, second = sha(b"\x01", sibling, first), sha(b"\x01", sibling, second)
            while fn and not fn & 1:
                fn, sn = fn >> 1, sn >> 1
        else:
            second = sha(b"\x01", second, sibling)
        fn, sn = fn >> 1, sn >> 1
    return sn == 0 and (first, second) == (root1, root2)


class Handler(BaseHTTPRequestHandler):
    """The HTTP face of a witness."""

    witness: Witness  # of the class that `serve` makes
    protocol_version = "HTTP/1.1"
    timeout = 30

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        # bounded before a byte of the body is read, in its one spelling: 000000001999999999 is no small number
        if not SIZE.fullmatch(length) or int(length) > LARGEST_REQUEST:
            self.close_connection = True
            self.answer(413, "a Content-Length of at most 128 KiB is needed\n")
            return
        body = self.rfile.read(int(length))
        if self.path != "/add-checkpoint":
            self.answer(404, "POST /add-checkpoint\n")
            return
        try:
            self.answer(200, self.witness.add_checkpoint(body))
        except RefusalError as refusal:
            self.answer(refusal.status, refusal.text, refusal.kind)

    def do_GET(self) -> None:
        checkpoint = self.witness.shown(self.path[1:].removesuffix("/checkpoint"))
        if self.path.endswith("/checkpoint") and checkpoint:
            self.answer(200, checkpoint)
            return
        if self.path != "/":
            self.answer(404, "GET / or /SHA256-OF-ORIGIN/checkpoint, or POST /add-checkpoint\n")
            return
        seen = [f"{origin} {self.witness.head(origin)[0]}\n" for origin in self.witness.logs]
        keys = [key for key in (self.witness.vkey, self.witness.second_vkey) if key]
        self.answer(200, "".join(f"{line}\n" for line in keys) + "".join(seen))

    def answer(self, status: int, text: str, media_type: str = "text/plain; charset=utf-8") -> None:
        data = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        self.wfile.write(data)

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Write down what was refused; a checkpoint every few seconds that is cosigned is no news."""
        if int(code) >= 400:
            super().log_request(code, size)

    def log_message(self, format: str, *values: object) -> None:
        now = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime())
        sys.stderr.write(f"{now} {self.address_string()} {(format % values)!r}\n")


def pinned_key(file: Path | str, store: Path | str, seconds: int = 60) -> str:
    """The ledger's key out of `file`, kept in `store` from the first time on; waits for a ledger that starts up."""
    pinned = Path(store) / "pinned-log"
    # pinned once: a key file that changes later is not believed
    for _ in range(seconds * 4):
        if pinned.exists():
            return pinned.read_text(encoding="utf-8").strip()
        if Path(file).exists():
            Log(text := Path(file).read_text(encoding="utf-8").strip())
            pinned.parent.mkdir(parents=True, exist_ok=True)
            pinned.write_text(f"{text}\n", encoding="utf-8")
            return text
        time.sleep(0.25)
    raise SystemExit(f"{file} does not appear: is the ledger's sequencer running?")


def serve(witness: Witness, host: str, port: int) -> ThreadingHTTPServer:
    """An HTTP server, not yet running."""
    return ThreadingHTTPServer((host, port), type("WitnessHandler", (Handler,), {"witness": witness}))


def main(arguments: Sequence[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="Cosign a ledger's checkpoints.")
    parser.add_argument("--name", required=True, help="the witness's key name, e.g. witness.example/w1")
    parser.add_argument("--log", action="append", default=[], help="a ledger's vkey; may be given several times")
    parser.add_argument("--log-file", help="a file with a ledger's vkey, believed at the first start alone")
    parser.add_argument("--store", required=True, help="directory for the key and the heads")
    parser.add_argument("--ml-dsa", action="store_true", help="cosign with a second key, ML-DSA-44, as well")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8710)
    options = parser.parse_args(arguments)
    vkeys = [*options.log, *([pinned_key(options.log_file, options.store)] if options.log_file else [])]
    if not vkeys:
        parser.error("name a ledger by --log or --log-file")
    witness = Witness(name=options.name, store=options.store, logs=[Log(vkey) for vkey in vkeys], ml_dsa=options.ml_dsa)
    server = serve(witness, options.host, options.port)
    print(witness.vkey, *filter(None, [witness.second_vkey]), sep="\n")
    print(f"listening on {options.host}:{server.server_port}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        server.server_close()


if __name__ == "__main__":
    main()
