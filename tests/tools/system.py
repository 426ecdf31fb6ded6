"""The whole system as a newcomer starts it: `manage.py serve` in a child process with a run directory of its own."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil

from tests.tools.patience import PATIENCE, wait_for

ROOT = Path(__file__).resolve().parents[2]


def find_free_port() -> int:
    """A port that nobody uses at this moment."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def environment(run_dir: Path, **changes: str) -> dict[str, str]:
    """Our environment as on a bare machine: no services named, a run directory of its own."""
    named = {"DATABASE_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE", "PYTEST_XDIST_WORKER", "TRUST_MODE"}
    kept = {name: value for name, value in os.environ.items() if name not in named}
    # Most tests look at no script: the one that does switches TRUST_MANIFEST on again, as `serve` has it.
    kept["TRUST_MANIFEST"] = "0"
    return {**kept, "TRUST_RUN_DIR": str(run_dir), "PYTHONUNBUFFERED": "1", **changes}


def run_command(*command: str, run_dir: Path, **changes: str) -> subprocess.CompletedProcess[str]:
    """Run one management command to its end."""
    return subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=ROOT,
        env=environment(run_dir, **changes),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        stdin=subprocess.DEVNULL,
    )


class System:
    """A started `serve` and everything below it."""

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self.process, self.port = process, port
        self.url = f"http://127.0.0.1:{port}"
        self.lines: list[str] = []

    def read_until(self, text: str) -> None:
        """Read its output up to the line that holds the text."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line)
            if text in line:
                return
        raise AssertionError("".join(self.lines))

    def has_greeted(self) -> bool:
        """Wait for its greeting; false when it ended without one."""
        try:
            self.read_until("TRUST runs at")
        except AssertionError:
            return False
        return True

    def processes(self) -> list[psutil.Process]:
        """Every process below it at this moment."""
        return psutil.Process(self.process.pid).children(recursive=True)

    def find(self, words: str) -> psutil.Process:
        """The first process below it whose command line holds the words, once there is one."""
        wait_for(lambda: self._matching(words))
        return self._matching(words)[0]

    def _matching(self, words: str) -> list[psutil.Process]:
        matching = []
        for child in self.processes():
            with contextlib.suppress(psutil.NoSuchProcess):  # PostgreSQL's helpers come and go
                if words in " ".join(child.cmdline()):
                    matching.append(child)
        return matching

    def end(self, number: int = signal.SIGINT) -> int:
        """Send the signal and wait for the supervisor."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)


@contextlib.contextmanager
def started_system(run_dir: Path, *arguments: str, **changes: str) -> Iterator[System]:
    """Start the system and wait until it greets; whatever happens, nothing is left running."""
    system = _start(run_dir, *arguments, **changes)
    try:
        while not system.has_greeted():
            # Between our look for a free port and its own somebody else has taken it.
            assert "cannot be used" in system.lines[-1], "".join(system.lines)
            system = _start(run_dir, *arguments, **changes)
        yield system
    finally:
        if system.process.poll() is None:
            system.end()
        assert system.process.stdout is not None
        system.process.stdout.close()


def _start(run_dir: Path, *arguments: str, **changes: str) -> System:
    port = find_free_port()
    process = subprocess.Popen(
        [sys.executable, "manage.py", "serve", "--port", str(port), *arguments],
        cwd=ROOT,
        env=environment(run_dir, **changes),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    return System(process, port)


def wait_until_gone(processes: list[psutil.Process], seconds: float = PATIENCE) -> list[psutil.Process]:
    """Wait for the processes to end and return those that did not."""
    _, alive = psutil.wait_procs(processes, timeout=seconds)
    return [process for process in alive if process.status() != psutil.STATUS_ZOMBIE]
