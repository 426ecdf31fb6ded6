"""Another witness, written from the C2SP text and sharing no line with ours: its proofs are followed by recursion.

It speaks tlog-witness over HTTP and cosigns with ML-DSA-44, and with Ed25519 where it is told to.
"""

import struct
import threading
from base64 import b64decode, b64encode
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.mldsa import MLDSA44PrivateKey


def largest_power_below(size: int) -> int:
    power = 1
    while power * 2 < size:
        power *= 2
    return power


def roots_by_proof(
    old: int, new: int, old_root: bytes, proof: list[bytes], is_whole: bool = True
) -> tuple[bytes, bytes]:
    """(old root, new root) that a consistency proof leads to: SUBPROOF of RFC 9162 section 2.1.4.1, read backwards."""
    if old == new:
        known = old_root if is_whole else proof.pop()
        return known, known
    split, last = largest_power_below(new), proof.pop()
    if old <= split:
        left_old, left_new = roots_by_proof(old, split, old_root, proof, is_whole)
        return left_old, sha256(b"\x01" + left_new + last).digest()
    right_old, right_new = roots_by_proof(old - split, new - split, old_root, proof, False)
    return sha256(b"\x01" + last + right_old).digest(), sha256(b"\x01" + last + right_new).digest()


class SecondWitness:
    """One ledger, one head, kept in memory."""

    def __init__(self, name: str, ledger: str, has_ed25519: bool = False) -> None:
        self.name, self.ledger = name, ledger
        self.ml_dsa = MLDSA44PrivateKey.generate()
        self.ed25519 = Ed25519PrivateKey.generate() if has_ed25519 else None
        self.size, self.root = 0, b""
        witness = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                status, text, kind = witness.add_checkpoint(self.rfile.read(int(self.headers["Content-Length"])))
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(text.encode())))
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, *values: Any) -> None:
                """Silent: a test reads answers."""

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()

    @property
    def vkeys(self) -> list[str]:
        return [f"{self.name}+{self.key_id(key).hex()}+{b64encode(key).decode()}" for key, _ in self.keys]

    @property
    def keys(self) -> list[tuple[bytes, Any]]:
        first = [(b"\x04" + self.ed25519.public_key().public_bytes_raw(), self.ed25519)] if self.ed25519 else []
        return [*first, (b"\x06" + self.ml_dsa.public_key().public_bytes_raw(), self.ml_dsa)]

    def key_id(self, key: bytes) -> bytes:
        return sha256(f"{self.name}\n".encode() + key).digest()[:4]

    def add_checkpoint(self, body: bytes) -> tuple[int, str, str]:
        head, _, note = body.decode().partition("\n\n")
        first, *lines = head.split("\n")
        old, text = int(first.removeprefix("old ")), note[: note.rindex("\n\n") + 1]
        origin, size, root = text.split("\n")[:3]
        if not self.is_signed(text, note):
            return 403, "not the ledger's\n", "text/plain"
        if old != self.size:
            return 409, f"{self.size}\n", "text/x.tlog.size"
        if old:
            proof = [b64decode(line) for line in lines]
            # read from its end: the last node of a proof is the one nearest to the root
            expected = roots_by_proof(old, int(size), self.root, proof)
            if expected != (self.root, b64decode(root)) or proof:
                return 422, "not consistent\n", "text/plain"
        self.size, self.root = int(size), b64decode(root)
        return 200, "".join(self.line(key, secret, origin, text) for key, secret in self.keys), "text/plain"

    def is_signed(self, text: str, note: str) -> bool:
        name, key_id, encoded = self.ledger.split("+", 2)
        for line in note[note.rindex("\n\n") + 2 :].splitlines():
            _, signer, data = line.split(" ")
            raw = b64decode(data)
            if (signer, raw[:4].hex()) == (name, key_id):
                try:
                    Ed25519PublicKey.from_public_bytes(b64decode(encoded)[1:]).verify(raw[4:], text.encode())
                except InvalidSignature:
                    return False
                return True
        return False

    def line(self, key: bytes, secret: Any, origin: str, text: str) -> str:
        now = 1_790_000_000
        if key[0] == 4:
            message = f"cosignature/v1\ntime {now}\n{text}".encode()
        else:
            head = struct.pack(f">12sB{len(self.name)}sQ", b"subtree/v1\n", len(self.name), self.name.encode(), now)
            log = struct.pack(f">B{len(origin)}s", len(origin), origin.encode())
            message = head + log + struct.pack(">QQ32s", 0, self.size, self.root)
        data = self.key_id(key) + struct.pack(">Q", now) + secret.sign(message)
        return f"\u2014 {self.name} {b64encode(data).decode()}\n"
