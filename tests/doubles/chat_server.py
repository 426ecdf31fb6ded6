"""A chat-completions server on loopback, in its own process, whose behaviour stands in its path.

`http://127.0.0.1:PORT/<behaviour>/v1` behaves as named: oracle, noisy-0.1, obey, 429, 429-after-1, 500, hang, drip,
slow-headers, redirect, truncated, garbage, html, huge, empty, refusal, tool, prose, cut, wrong-model, gzip, no-usage,
flaky-2-500 (fails twice, then oracle),
late-2-400 (oracle twice, then fails), repair (bad JSON once, then oracle), sometimes-hang (30 % of the calls, seeded
by their number), chaos-7 (a fault of any kind in 60 % of the calls, seeded),
mixed-7 (the same, but it never is silent), slow-1000 (answers after that many milliseconds),
together-4 (holds the first calls until so many are there at once, 20 s at most),
dialect-openai and the others of tests/doubles/dialects; batches-whole, -expire and -forbid (tests/doubles/batches.py).
GET /stats tells what each behaviour was asked, what it billed and how many calls it served at once.
"""

import argparse
import contextlib
import json
import os
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

from tests.doubles import scripted_models  # noqa: E402  the root must be on the path first
from tests.doubles.batches import BatchDouble  # noqa: E402
from tests.doubles.dialects.servers import SERVERS  # noqa: E402
from tests.doubles.turns import behaviour_of_turn  # noqa: E402

BATCHES: dict[str, BatchDouble] = {}
STATS: dict[str, Counter[str]] = {}
LOCK = threading.Lock()


def _respond_as_openai(body: dict[str, Any]) -> tuple[int, Any]:
    return SERVERS["openai"].respond(body, lambda asked: scripted_models.think("oracle", asked))


class Handler(BaseHTTPRequestHandler):
    """One request; the method `do_<fault>` shows the fault, anything else is a scripted model that answers."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # a body behind its head would wait 40 ms for the asker's delayed acknowledgement

    def log_message(self, *args: Any) -> None:
        """Quiet."""

    def do_GET(self) -> None:
        """Statistics, or a look at a batch."""
        if self.path.startswith("/batches-"):
            self._handle_batches("GET")
            return
        with LOCK:
            self._send(200, json.dumps(STATS).encode())

    def do_POST(self) -> None:
        """A chat completion."""
        behaviour = self.path.strip("/").split("/")[0]
        if behaviour.startswith("batches-"):
            self._handle_batches("POST")
            return
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with LOCK:
            stats = STATS.setdefault(behaviour, Counter())
            stats["calls"] += 1
            stats["now"] += 1
            stats["most at once"] = max(stats["most at once"], stats["now"])
            turn = stats["calls"]
        self.stats = stats
        try:
            self._behave(behaviour, body, turn)
        except (BrokenPipeError, ConnectionResetError):
            stats["hung up on"] += 1
        finally:
            with LOCK:
                stats["now"] -= 1

    def do_DELETE(self) -> None:
        """A file of a batch is removed."""
        self._handle_batches("DELETE")

    def _handle_batches(self, method: str) -> None:
        """`/batches-<fate>[-anything]/v1/...`: each name is an account of its own, which answers as OpenAI does."""
        behaviour, _, path = self.path.strip("/").partition("/v1/")
        with LOCK:
            fate = behaviour.split("-")[1]
            double = BATCHES.setdefault(behaviour, BatchDouble(_respond_as_openai, fate))
            STATS.setdefault(behaviour, Counter())[f"{method} {path.split('/')[0].split('?')[0]}"] += 1
        data = self.rfile.read(int(self.headers["Content-Length"] or 0))
        status, answer = double.handle(method, path, self.headers.get("Content-Type", ""), data)
        self._send(status, answer)

    def _behave(self, behaviour: str, body: dict[str, Any], turn: int) -> None:
        if behaviour.startswith("dialect-"):
            self._speak(behaviour.removeprefix("dialect-").split("+")[0], body)
            return
        behaviour = behaviour_of_turn(behaviour, turn)
        if behaviour.startswith("slow-") and behaviour != "slow-headers":
            time.sleep(float(behaviour.split("-")[1]) / 1000)  # the time that a model takes
            behaviour = "oracle"
        if behaviour.startswith("together-"):
            self._wait_for_others(int(behaviour.split("-")[1]))
            behaviour = "oracle"
        fault = getattr(self, "show_" + behaviour.split("-after-")[0].replace("-", "_"), None)
        if fault:
            fault(behaviour, body)
        else:
            self._answer(body, scripted_models.think(behaviour, body))

    def _wait_for_others(self, number: int) -> None:
        deadline = time.monotonic() + 20
        while self.stats["most at once"] < number and time.monotonic() < deadline:
            time.sleep(0.01)

    def _speak(self, name: str, body: dict[str, Any]) -> None:
        """Answer or refuse as the server of that name does."""
        path = self.path.split("?")[0]
        status, whole = SERVERS[name].respond_at(path, body, lambda asked: scripted_models.think("oracle", asked))
        with LOCK:
            self.stats["answered" if status == 200 else f"refused {status}"] += 1
        self._send(status, json.dumps(whole).encode())

    def _answer(self, body: dict[str, Any], text: str, **changes: Any) -> None:
        usage = {"prompt_tokens": len(json.dumps(body["messages"])) // 4, "completion_tokens": len(text) // 4 + 1}
        message = {"role": "assistant", "content": text, **changes.pop("message", {})}
        whole = {
            "id": "x",
            "object": "chat.completion",
            "created": 0,
            "model": body["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": changes.pop("finish", "stop")}],
            "usage": usage,
        }
        whole.update(changes)
        with LOCK:
            self.stats["tokens_in"] += usage["prompt_tokens"]
            self.stats["tokens_out"] += usage["completion_tokens"]
            self.stats["answered"] += 1
        self._send(200, json.dumps(whole).encode())

    def _send(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def show_429(self, behaviour: str, body: dict[str, Any]) -> None:
        after = behaviour.partition("-after-")[2]
        self._send(429, b'{"error":{"message":"slow down"}}', **({"Retry_After": after} if after else {}))

    def show_500(self, behaviour: str, body: dict[str, Any]) -> None:
        self._send(500, b"oops")

    def show_400(self, behaviour: str, body: dict[str, Any]) -> None:
        self._send(400, b'{"error":{"message":"no such field"}}')

    def show_hang(self, behaviour: str, body: dict[str, Any]) -> None:
        self._wait_for_hang_up(1000)

    def _wait_for_hang_up(self, turns: int) -> None:
        self.connection.settimeout(0.05)
        for _ in range(turns):
            with contextlib.suppress(TimeoutError):
                if self.connection.recv(1) == b"":
                    break
        self.close_connection = True

    def show_drip(self, behaviour: str, body: dict[str, Any]) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{")
        self._drip()

    def show_slow_headers(self, behaviour: str, body: dict[str, Any]) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        self._drip()

    def _drip(self) -> None:
        for _ in range(600):
            self.wfile.write(b" ")
            self.wfile.flush()
            time.sleep(0.05)

    def show_redirect(self, behaviour: str, body: dict[str, Any]) -> None:
        self._send(302, b"", Location=f"http://127.0.0.1:{self.server.server_port}/oracle/v1/chat/completions")

    def show_truncated(self, behaviour: str, body: dict[str, Any]) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n" + b'{"id"')
        self.close_connection = True

    def show_garbage(self, behaviour: str, body: dict[str, Any]) -> None:
        self._send(200, b'{"choices": [{"message": \xff\xfe')

    def show_html(self, behaviour: str, body: dict[str, Any]) -> None:
        self._send(200, b"<html>Welcome to the captive portal</html>")

    def show_huge(self, behaviour: str, body: dict[str, Any]) -> None:
        self._send(200, b" " * 3_000_000)

    def show_gzip(self, behaviour: str, body: dict[str, Any]) -> None:
        self._send(200, b"\x1f\x8b" + b"0" * 50, Content_Encoding="gzip")

    def show_empty(self, behaviour: str, body: dict[str, Any]) -> None:
        self._answer(body, "")

    def show_prose(self, behaviour: str, body: dict[str, Any]) -> None:
        self._answer(body, "Sure! I think that this step is fine. Vote: pass")

    def show_refusal(self, behaviour: str, body: dict[str, Any]) -> None:
        self._answer(body, "", message={"content": None, "refusal": "I cannot help with that"})

    def show_tool(self, behaviour: str, body: dict[str, Any]) -> None:
        call = {"id": "1", "type": "function", "function": {"name": "rm", "arguments": "{}"}}
        self._answer(body, "", message={"content": None, "tool_calls": [call]})

    def show_cut(self, behaviour: str, body: dict[str, Any]) -> None:
        self._answer(body, scripted_models.think("oracle", body)[:20], finish="length")

    def show_wrong_model(self, behaviour: str, body: dict[str, Any]) -> None:
        self._answer(body, scripted_models.think("oracle", body), model="somebody-else")

    def show_no_usage(self, behaviour: str, body: dict[str, Any]) -> None:
        self._answer(body, scripted_models.think("oracle", body), usage=None)

    def show_boast(self, behaviour: str, body: dict[str, Any]) -> None:
        usage = {"prompt_tokens": 10**9, "completion_tokens": 10**9}
        self._answer(body, scripted_models.think("oracle", body), usage=usage)

    def show_echo_key(self, behaviour: str, body: dict[str, Any]) -> None:
        self._send(401, json.dumps({"error": {"message": f"bad key {self.headers['Authorization']}"}}).encode())


class RunningServer:
    """The server's address and statistics."""

    def __init__(self, port: int) -> None:
        self.port, self.origin = port, f"http://127.0.0.1:{port}"

    def url(self, behaviour: str) -> str:
        """Base URL of a behaviour."""
        return f"{self.origin}/{behaviour}/v1"

    def stats(self, behaviour: str) -> Counter[str]:
        """What the behaviour saw."""
        import httpx2

        return Counter(httpx2.get(f"{self.origin}/stats", trust_env=False).json().get(behaviour, {}))


@contextlib.contextmanager
def run_server() -> Iterator[RunningServer]:
    """The server in a process of its own; it ends with the context or with its parent."""
    command = [sys.executable, str(Path(__file__)), "--parent", str(os.getpid())]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    try:
        assert process.stdout
        yield RunningServer(int(process.stdout.readline()))
    finally:
        process.terminate()
        process.communicate()


def main() -> None:
    """Serve until the parent is gone."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--parent", type=int, default=0)
    options = parser.parse_args()
    server = ThreadingHTTPServer(("127.0.0.1", options.port), Handler)
    server.daemon_threads = True
    print(server.server_port, flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    while not options.parent or os.getppid() == options.parent:
        time.sleep(0.5)


if __name__ == "__main__":
    main()
