"""Child processes that never outlive their parent."""

import contextlib
import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from auditing.checker.sandbox.parent import dies_with_parent

STOP_SECONDS = 15.0
START_SECONDS = 60.0
_ROOT = Path(__file__).resolve().parents[2]


class ServiceError(RuntimeError):
    """A service could not start or be reached; the message is one sentence with the fix."""


class Child(Protocol):
    """A child process: subprocess.Popen, or a fork of the warmed parent (trustweb/serve/forked.py)."""

    pid: int
    returncode: Any

    def poll(self) -> int | None:
        """Its exit code, or None while it runs."""
        ...

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end. Raises subprocess.TimeoutExpired."""
        ...

    def send_signal(self, number: int, /) -> None:
        """Send a signal, unless it has ended."""
        ...


def spawn(
    command: Sequence[str | Path], *, log: Path | None, stop_signal: int, **options: Any
) -> subprocess.Popen[bytes]:
    """Start a child in a session of its own that gets `stop_signal` when this process ends, however it ends.

    Call it from the main thread: the kernel watches the spawning thread. Output goes to `log`, or where ours goes.
    """
    with contextlib.ExitStack() as opened:
        output = opened.enter_context(log.open("ab")) if log else None
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
            preexec_fn=dies_with_parent(stop_signal),
            **options,
        )


def stop(child: Child, sign: int = signal.SIGTERM, seconds: float = STOP_SECONDS) -> None:
    """Ask the child to stop, wait for it, then end whatever is left of its session."""
    if child.poll() is None:
        child.send_signal(sign)
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(seconds)
    # Spawned or forked, the child leads its own session, so its group is it and its children (PostgreSQL's backends,
    # Celery's pool), none of ours. PermissionError: a server that runs as `nobody` while we do not run as root.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()


def wait_until(is_ready: Callable[[], bool], *, child: subprocess.Popen[bytes], service: str, log: Path) -> None:
    """Wait until the service answers. Raises ServiceError when it ends or stays silent."""
    deadline = time.monotonic() + START_SECONDS
    while not is_ready():
        if child.poll() is not None or time.monotonic() > deadline:
            reason = last_line(log.read_text(encoding="utf-8", errors="replace"))
            raise ServiceError(f"{service} did not start ({reason}): the whole story is in {log}.")
        time.sleep(0.02)  # short, because every test run starts both servers and waits here


def ask_servers(job: str, **facts: Any) -> None:
    """Have a program of its own speak to PostgreSQL and Redis (trustweb/serve/servers.py). Raises ServiceError."""
    command = [sys.executable, "-m", "trustweb.serve.servers", job]
    told = json.dumps(facts)
    ended = subprocess.run(command, input=told, capture_output=True, text=True, check=False, cwd=_ROOT)
    if ended.returncode:
        raise ServiceError(last_line(ended.stderr))


def last_line(text: str) -> str:
    """Last line that says something.

    >>> last_line("starting\\nno space left\\n\\n")
    'no space left'
    """
    return next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "no message")


def find_package(package: str, service: str, fix: str) -> Path:
    """Directory of an installed package that carries a program. Raises ServiceError naming the way out."""
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ServiceError(
            f"No {service} comes with the Python packages of this platform: install {service} and set {fix}."
        )
    return Path(next(iter(spec.submodule_search_locations)))
