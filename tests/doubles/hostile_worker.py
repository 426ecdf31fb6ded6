"""The sandbox's program after somebody found a way to run code in it: each task does the harm that its name says."""

import ctypes
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from auditing.checker.sandbox import worker

LIBC = ctypes.CDLL(None)


def _bomb() -> None:
    while True:
        os.fork()


def _print(size: int) -> None:
    for _ in range(size // 1_000_000):
        sys.stdout.write("x" * 1_000_000)
    sys.stdout.write("\n")


def _drip() -> None:
    while True:
        sys.stdout.write("{")
        sys.stdout.flush()
        time.sleep(0.05)


def _loop() -> None:
    while True:
        pass


def _swallow(work: Any) -> None:
    try:
        work()
    except Exception:
        _loop()


HARM = {
    "fork bomb": _bomb,
    "fork bomb that swallows errors": lambda: _swallow(_bomb),
    "fork by libc": lambda: LIBC.fork(),
    "8 GB": lambda: len(bytearray(8 * 1024**3)),
    "endless loop": _loop,
    "1 GB of output": lambda: _print(1_000_000_000),
    "an answer that never ends": _drip,
    "two answers": lambda: sys.stdout.write('{"answer": "for the next one"}\n{"answer": "too"}\n'),
    "a shell": lambda: subprocess.run(["/bin/sh", "-c", "sleep 60"], check=False),
    "a connection": lambda: socket.create_connection(("127.0.0.1", 9)),
    "a file written": lambda: Path("/tmp/trust-sandbox-canary.py").write_text(""),
    "a secret read": lambda: Path("/proc/self/environ").read_text(),
    "its parent killed": lambda: os.kill(os.getppid(), 9),
    "sudden death": lambda: os._exit(1),
}

if __name__ == "__main__":
    worker.TASKS.update({name: lambda work=work: work() for name, work in HARM.items()})
    worker.main()
