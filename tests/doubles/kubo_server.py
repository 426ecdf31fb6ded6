"""A server on loopback that speaks kubo's RPC API as far as block/put, block/get and block/stat go.

It answers like kubo does: POST only (405 otherwise), 400 without an argument, 500 with a JSON message for an unknown
block. `faults` names what it does wrong: "flips" changes a bit of every block it is given, "down" answers 503.
"""

import contextlib
import json
import threading
from collections import Counter
from collections.abc import Iterator
from email.parser import BytesParser
from email.policy import HTTP
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import multiformats

# The library registers an encoding at its first use: two threads that are the first together run into each other.
str(multiformats.CID("base32", 1, "raw", multiformats.multihash.digest(b"", "sha2-256")))


class Handler(BaseHTTPRequestHandler):
    """One request."""

    protocol_version = "HTTP/1.1"
    server: "KuboServer"

    def log_message(self, *args: Any) -> None:
        """Quiet."""

    def do_GET(self) -> None:
        """kubo refuses GET on its RPC port."""
        self._send(405, b"405 - Method Not Allowed\n", "text/plain")

    def do_POST(self) -> None:
        """One verb."""
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        place = urlsplit(self.path)
        verb = place.path.removeprefix("/api/v0/")
        said = {name: values[0] for name, values in parse_qs(place.query).items()}
        self.server.asked[verb] += 1
        if "down" in self.server.faults:
            self._send(503, b"down", "text/plain")
            return
        {"block/put": self._put, "block/get": self._get, "block/stat": self._stat}[verb](said, body)

    def _put(self, said: dict[str, str], body: bytes) -> None:
        assert said["cid-codec"] == "raw"
        assert said["mhtype"] == "sha2-256"
        head = f"Content-Type: {self.headers['Content-Type']}\r\n\r\n".encode()
        (part,) = BytesParser(policy=HTTP).parsebytes(head + body).iter_parts()
        data = part.get_payload(decode=True)
        if "flips" in self.server.faults:
            data = bytes([data[0] ^ 1]) + data[1:]
        digest = multiformats.multihash.wrap(sha256(data).digest(), "sha2-256")
        name = str(multiformats.CID("base32", 1, "raw", digest))
        self.server.blocks[name] = data
        self._json(200, {"Key": name, "Size": len(data)})

    def _get(self, said: dict[str, str], body: bytes) -> None:
        if (data := self.server.blocks.get(said.get("arg", ""))) is None:
            self._unknown(said)
        else:
            self._send(200, data, "application/octet-stream")

    def _stat(self, said: dict[str, str], body: bytes) -> None:
        if (data := self.server.blocks.get(said.get("arg", ""))) is None:
            self._unknown(said)
        else:
            self._json(200, {"Key": said["arg"], "Size": len(data)})

    def _unknown(self, said: dict[str, str]) -> None:
        if "arg" not in said:
            self._send(400, b'argument "cid" is required\n', "text/plain")
            return
        message = f"block was not found locally (offline): ipld: could not find {said['arg']}"
        self._json(500, {"Message": message, "Code": 0, "Type": "error"})

    def _json(self, status: int, value: Any) -> None:
        self._send(status, json.dumps(value).encode() + b"\n", "application/json")

    def _send(self, status: int, data: bytes, kind: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


class KuboServer(ThreadingHTTPServer):
    """The node: its blocks, its faults, and how often each verb was asked."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.blocks: dict[str, bytes] = {}
        self.faults: set[str] = set()
        self.asked: Counter[str] = Counter()

    @property
    def url(self) -> str:
        """What IPFS_API_URL would say."""
        return f"http://127.0.0.1:{self.server_port}"


@contextlib.contextmanager
def run_kubo() -> Iterator[KuboServer]:
    """The server in a thread of its own."""
    with KuboServer() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
