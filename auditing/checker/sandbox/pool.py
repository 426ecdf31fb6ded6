"""A pool of warm, resource-limited processes for heavy symbolic work; one that overruns is killed and replaced."""

from __future__ import annotations

import atexit
import contextlib
import functools
import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from auditing.checker.mathematics.tree import Num, Sym, Tree

WALL_SECONDS = 5.0
_ROOT = Path(__file__).resolve().parents[3]
_PROGRAM = "auditing.checker.sandbox.worker"
_MAX_REPLY = 200_000


def to_json(tree: Tree) -> Any:
    """The tree as nested lists; the only thing that crosses into a worker."""
    if isinstance(tree, Num):
        return ["n", str(tree.value)]
    if isinstance(tree, Sym):
        return ["s", tree.name]
    return ["o", tree.op, *[to_json(arg) for arg in tree.args]]


class _Worker:
    """One process: a line of JSON in, a line of JSON out; anything else that it writes ends it."""

    def __init__(self, program: str) -> None:
        # nothing of our environment: no keys, no database address, no proxy
        environment = {"PATH": os.environ.get("PATH", ""), "PYTHONPATH": str(_ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=_ROOT,
            env=environment,
            # a process group of its own, so that everything it might start can be killed with it
            start_new_session=True,
            close_fds=True,
        )

    def ask(self, job: dict[str, Any], seconds: float) -> dict[str, Any] | None:
        """The reply, or None when the process died, did not answer in time or answered anything but one short line."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps(job).encode() + b"\n")
            self.process.stdin.flush()
        except (BrokenPipeError, ValueError):
            return None
        line = self._read_line(time.monotonic() + seconds)
        try:
            # exactly one line: a worker that writes more may have been taken over, and is not believed
            reply = json.loads(line) if line.find(b"\n") == len(line) - 1 else None
        except ValueError:
            return None
        return reply if isinstance(reply, dict) else None

    def _read_line(self, deadline: float) -> bytes:
        """What it wrote up to the first line break, its end, the deadline or _MAX_REPLY bytes, whichever is first."""
        assert self.process.stdout is not None
        line, descriptor = bytearray(), self.process.stdout.fileno()
        while b"\n" not in line and len(line) < _MAX_REPLY:
            ready, _, _ = select.select([descriptor], [], [], max(0.0, deadline - time.monotonic()))
            chunk = os.read(descriptor, 65_536) if ready else b""
            if not chunk:
                break
            line += chunk
        return bytes(line)

    def kill(self) -> None:
        """Ends the process and everything it started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):  # a job that a dead worker never took is still in the pipe
                    stream.close()
        self.process.wait()


class Sandbox:
    """At most `size` warm workers, started when first needed; safe to call from several threads."""

    def __init__(self, size: int = 1, program: str = _PROGRAM) -> None:
        self._program = program
        self._idle: list[_Worker] = []
        self._slots = threading.BoundedSemaphore(size)
        self._lock = threading.Lock()

    def run(self, *, task: str, trees: tuple[Tree, ...], seconds: float = WALL_SECONDS) -> Any:
        """The worker's answer to `task` on `trees`, or None for "cannot check".

        A worker that overruns its time, its CPU or its memory is killed; the next call gets a new one.
        """
        # waiting for a free worker counts as part of the time
        if not self._slots.acquire(timeout=seconds):
            return None
        try:
            with self._lock:
                worker = self._idle.pop() if self._idle else None
            worker = worker or _Worker(self._program)
            reply = worker.ask({"task": task, "trees": [to_json(tree) for tree in trees]}, seconds)
            # a worker that failed once is never used again
            if reply is None:
                worker.kill()
                return None
            with self._lock:
                self._idle.append(worker)
            return reply.get("answer")
        finally:
            self._slots.release()

    def close(self) -> None:
        """Kills all idle workers."""
        with self._lock:
            workers, self._idle = self._idle, []
        for worker in workers:
            worker.kill()

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


@functools.cache
def warm_sandbox() -> Sandbox:
    """The one pool of this process: its workers stay warm between questions and end with the process."""
    pool = Sandbox(size=2)
    atexit.register(pool.close)
    return pool
