"""Starting programs as forks of the warmed parent (trustweb/serve/warm.py); what the supervisor holds of each."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from trustweb import keys
from trustweb.serve import processes
from trustweb.serve.processes import ServiceError
from trustweb.serve.warm import NUMBER

_ROOT = Path(__file__).resolve().parents[2]
_READY_SECONDS = 60.0
_LOST = -signal.SIGKILL  # how a program ends whose parent was killed before it could tell


class Forked:
    """A running program, with as much of subprocess.Popen's interface as its supervisor uses."""

    def __init__(self, args: Sequence[str], pid: int, status: socket.socket) -> None:
        self.args, self.pid, self._status = args, pid, status
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """The exit code, negative for a signal; None while it runs."""
        return self._receive(seconds=0)

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end. Raises subprocess.TimeoutExpired."""
        code = self._receive(seconds=timeout)
        if code is None:
            raise subprocess.TimeoutExpired(self.args, timeout or 0)
        return code

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def _receive(self, *, seconds: float | None) -> int | None:
        if self.returncode is None:
            self._status.settimeout(seconds)
            with contextlib.suppress(TimeoutError, BlockingIOError):
                number = _read_number(self._status)
                self.returncode = _LOST if number is None else number
                self._status.close()
        return self.returncode


@dataclass(slots=True)
class WarmParent:
    """The parent process and the socket over which it is asked to fork."""

    run_dir: Path
    _child: subprocess.Popen[bytes] | None = None
    _orders: socket.socket | None = None

    def start(self) -> None:
        """Start it, from the main thread; it imports while the caller goes on."""
        ours, theirs = socket.socketpair()
        environment = keys.environment_of("warm", self.run_dir, dict(os.environ))
        environment |= {
            "PYTHONPATH": str(_ROOT),
            "TRUST_RUN_DIR": str(self.run_dir / "no-keys-here"),
            "OPENBLAS_NUM_THREADS": "1",  # a process that forks must have one thread
        }
        log = self.run_dir / "logs" / "warm.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        with theirs:
            self._child = processes.spawn(
                [sys.executable, "-u", "-m", "trustweb.serve.warm", str(theirs.fileno())],
                log=log,
                stop_signal=signal.SIGKILL,
                env=environment,
                pass_fds=(theirs.fileno(),),
            )
        self._orders = ours

    def stop(self) -> None:
        """End it; programs that still run are ended by the kernel."""
        if self._orders is not None:
            self._orders.close()
        if self._child is not None:
            processes.stop(self._child, signal.SIGKILL)
        self._child = self._orders = None

    def fork(
        self, command: Sequence[str], *, log: Path | None, environment: dict[str, str], descriptors: Sequence[int] = ()
    ) -> Forked:
        """Run the command line in a fork whose output goes to `log`, or where ours goes. Raises ServiceError."""
        for _ in range(2):  # a parent that was killed is started again once
            if self._child is None or self._child.poll() is not None:
                self.stop()
                self.start()
            with contextlib.suppress(OSError):
                if (child := self._ask(command, log, environment, descriptors)) is not None:
                    return child
            self.stop()
        raise ServiceError(f"The parent of the programs does not start: see {self.run_dir / 'logs' / 'warm.log'}.")

    def _ask(
        self, command: Sequence[str], log: Path | None, environment: dict[str, str], descriptors: Sequence[int]
    ) -> Forked | None:
        assert self._orders is not None
        order = json.dumps(
            {"command": list(command), "environment": environment, "descriptors": list(descriptors)}
        ).encode()
        status, theirs = socket.socketpair()
        reader, writer = os.pipe()
        with contextlib.ExitStack() as opened:
            opened.enter_context(theirs)
            opened.callback(os.close, reader)
            output = opened.enter_context(log.open("ab")).fileno() if log else 1
            socket.send_fds(self._orders, [b"f"], [reader, theirs.fileno(), output, *descriptors])
        with open(writer, "wb") as file:
            file.write(order)
        status.settimeout(_READY_SECONDS)
        pid = _read_number(status)
        return None if pid is None else Forked(command, pid, status)


def _read_number(status: socket.socket) -> int | None:
    """The next number, or None when the parent is gone. Raises TimeoutError."""
    try:
        data = status.recv(NUMBER.size, socket.MSG_WAITALL)
    except ConnectionError:
        return None
    return NUMBER.unpack(data)[0] if len(data) == NUMBER.size else None
