"""The whole system on one machine: services, migration, demo, programs; the body of `manage.py serve`."""

import contextlib
import hashlib
import http.client
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from accounts.demo_logins import LOGINS
from trustweb import addresses, env, keys
from trustweb.serve import assets, embedded, processes, witness
from trustweb.serve.forked import WarmParent
from trustweb.serve.processes import Child, ServiceError
from trustweb.serve.stopping import StopSignal
from trustweb.serve.supervisor import Program, Supervisor

MANAGE = [sys.executable, "-u", str(Path(__file__).resolve().parents[2] / "manage.py")]
CELERY = [sys.executable, "-u", "-m", "celery", "-A", "trustweb"]
QUEUES = "computer,llm,default,sweep,export"
_OWNERS = ("DATABASE_OWNER_URL", "DATABASE_SEQUENCER_URL")  # each program gets one address: its own
_READY_SECONDS = 60.0


class StoppedError(Exception):
    """The person pressed Ctrl-C before everything ran."""


class Machine:
    """Start the whole system, watch it, and leave no process behind."""

    def __init__(self, *, host: str, port: int, empty: bool, say: Callable[[str], None]) -> None:
        self.host, self.port, self.empty, self.say = host, port, empty, say
        self.run_dir = embedded.run_directory()
        self.stopping = StopSignal()
        self.services = embedded.Services(self.run_dir, say=say)
        self.parent = WarmParent(self.run_dir)
        self.supervisor = Supervisor(say, self.parent)
        self.assets = assets.Assets(Path(env.get_text("STATIC_ROOT", str(self.run_dir / "staticfiles"))))
        self.environment: dict[str, str] = {}

    def run(self) -> None:
        """Serve until SIGINT, SIGTERM or SIGHUP. Raises ServiceError."""
        self.stopping.listen(signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        with contextlib.ExitStack() as undo:
            # The port first: if it is taken, the person learns it before anything was started. All is undone in
            # reverse, so that programs stop before the servers that they write to.
            listener = undo.enter_context(self._bound_socket())
            undo.callback(self.services.stop)
            undo.callback(self.parent.stop)
            undo.callback(self.supervisor.stop)
            undo.callback(self._stop_collecting)
            self.parent.start()  # it imports everything once while the servers start
            with contextlib.suppress(StoppedError):
                self._step("Starting PostgreSQL and Redis", self._start_services)
                self._start_collecting()
                self._step("Preparing the database", lambda: self._run_once("migrate", "--noinput", log="migrate.log"))
                self._say_roles()
                if self.assets.child is not None:
                    self._step("Preparing scripts, styles and fonts", self._finish_collecting)
                self._step("Starting the programs", lambda: self._start_programs(listener))
                self._load_demo()
                self._greet()
                self._watch()
            self.say("Stopping …")
        self.say("Stopped. Everything is kept for the next start.")

    def _say_roles(self) -> None:
        """What is weaker with a database of one role."""
        if not self.services.role_urls["DATABASE_OWNER_URL"]:
            self.say(addresses.ONE_ROLE)

    def _load_demo(self) -> None:
        if self.empty or env.is_production() or self._demo_marker().exists():  # its people have public passwords
            return
        self._step("Loading the demo (once)", lambda: self._run_once("load_demo"))
        self._demo_marker().touch()

    def _demo_marker(self) -> Path:
        # One marker for each database: pointed at another one, `serve` loads the demo there once as well.
        database = hashlib.sha256(env.get_text("DATABASE_URL", "embedded").encode()).hexdigest()[:12]
        return self.run_dir / f"demo-{database}"

    def _start_services(self) -> None:
        self.services.start()
        self.services.check()
        # Links in mails: in production settings derive the name that visitors type.
        site = {} if env.is_production() else {"TRUST_SITE_URL": f"http://{self.host}:{self.port}"}
        self.environment = {
            **site,
            "TRUST_MANIFEST": "1",
            **{name: value for name, value in os.environ.items() if name.removesuffix("_FILE") not in _OWNERS},
            "DATABASE_URL": self.services.role_urls["DATABASE_URL"],
            "REDIS_URL": self.services.redis_url,
            "TRUST_RUN_DIR": str(self.run_dir),
        }
        keys.ensure_key(self.run_dir, "SECRET_KEY")
        (self.run_dir / "staticfiles").mkdir(exist_ok=True)  # WhiteNoise warns without it

    def _step(self, title: str, work: Callable[[], None]) -> None:
        if self.stopping.is_set():
            raise StoppedError
        self.say(f"{title} …")
        began = time.monotonic()
        work()
        self.say(f"{title}: done in {time.monotonic() - began:.1f} s")

    def _start_collecting(self) -> None:
        """Beside the migration: both take seconds, and neither waits for the other."""
        if env.is_on("TRUST_MANIFEST", default=True) and not self.assets.are_current:
            self.assets.child = self._spawn(*assets.COMMAND, log="assets.log")

    def _finish_collecting(self) -> None:
        if (child := self.assets.child) is not None:
            self._wait_for(child, assets.COMMAND, log="assets.log")
            self.assets.note_current()

    def _stop_collecting(self) -> None:
        if (child := self.assets.child) is not None:
            processes.stop(child)

    def _run_once(self, *command: str, log: str | None = None) -> None:
        self._wait_for(self._spawn(*command, log=log), command, log=log)

    def _spawn(self, *command: str, log: str | None) -> Child:
        environment = keys.environment_of(command[0], self.run_dir, self.environment)
        if command[0] == "migrate":
            # migrate alone is given every role's address: it acts as the owner, and makes the other two roles. In
            # production it asks for all three; where there is one role, each is that one.
            one_role = self.services.role_urls["DATABASE_URL"] if env.is_production() else ""
            environment |= {name: url or one_role for name, url in self.services.role_urls.items() if url or one_role}
        story = self.run_dir / "logs" / log if log else None
        return self.parent.fork([*MANAGE, *command], log=story, environment=environment)

    def _wait_for(self, child: Child, command: Sequence[str], *, log: str | None) -> None:
        story = self.run_dir / "logs" / log if log else None
        while child.poll() is None:
            self._look_after()
            if self.stopping.wait(0.05):
                processes.stop(child)
                raise StoppedError
        if child.returncode != 0:
            reason = processes.last_line(story.read_text(encoding="utf-8", errors="replace")) if story else "see above"
            raise ServiceError(f"`manage.py {' '.join(command)}` failed ({reason}).")

    def _start_programs(self, listener: socket.socket) -> None:
        web = [sys.executable, "-u", "-m", "trustweb.serve.web", str(listener.fileno())]
        beat = [*CELERY, "beat", "--pidfile=", "-s", str(self.run_dir / "beat-schedule"), "-l", "WARNING"]
        worker = [*CELERY, "worker", "-Q", QUEUES, "-c", "2", "-l", "INFO", "--without-gossip", "--without-mingle"]
        self._start("web", web, descriptors=(listener.fileno(),), TRUST_DB_POOL="1")
        # Checks: `migrate` has made them, and they would copy 5 to 10 MB of the parent's pages.
        self._start("worker", worker, TRUST_DB_POOL="1", CELERY_SKIP_CHECKS="1")
        self._start("beat", beat, TRUST_SENDS_ONLY="1", CELERY_SKIP_CHECKS="1")
        self._start("sequencer", [*MANAGE, "sequencer"], WITNESSES=self._start_witness())
        self._start("revealer", [*MANAGE, "revealer"])
        self._wait_until_it_answers()

    def _start_witness(self) -> str:
        """A witness of our own, against mistakes; WITNESSES in the environment names others instead."""
        if {"WITNESSES", "WITNESSES_FILE"} & os.environ.keys():
            return env.get_text("WITNESSES", "")
        port, store = witness.find_port(self.run_dir), self.run_dir / "witness"
        ledger = env.get_text("LEDGER_DIR", str(self.run_dir / "ledger"))
        command = [sys.executable, "-u", str(witness.PROGRAM), "--name", witness.NAME, "--store", str(store)]
        self._start("witness", [*command, "--log-file", f"{ledger}/vkey", "--port", str(port)])
        return f"http://127.0.0.1:{port}"

    def _start(self, name: str, command: list[str], *, descriptors: tuple[int, ...] = (), **extra: str) -> None:
        environment = keys.environment_of(name, self.run_dir, self.environment) | extra
        # Under its own database role, the only one that may insert checkpoints (trustweb/roles.py).
        if name == "sequencer" and (url := self.services.role_urls["DATABASE_SEQUENCER_URL"]):
            environment["DATABASE_URL"] = url
        log = self.run_dir / "logs" / f"{name}.log"
        self.supervisor.start(Program(name, command, environment, log, descriptors))

    def _watch(self) -> None:
        while not self.stopping.wait(0.2):
            self._look_after()

    def _look_after(self) -> None:
        for name in self.services.revive():
            self.say(f"{name} ended; started again at the same address")
        self.supervisor.look_after()

    def _wait_until_it_answers(self) -> None:
        deadline = time.monotonic() + _READY_SECONDS
        while not self._answers():
            self._look_after()
            if time.monotonic() > deadline:
                raise ServiceError(f"The web server does not answer: see {self.run_dir / 'logs' / 'web.log'}.")
            if self.stopping.wait(0.05):
                raise StoppedError

    def _answers(self) -> bool:
        # 0.0.0.0 means "all my addresses" to bind, and is no address to connect to.
        host = "127.0.0.1" if self.host == "0.0.0.0" else self.host  # noqa: S104
        named = env.get_text("ALLOWED_HOSTS", "localhost").split(",")[0].strip().lstrip(".")
        try:
            with contextlib.closing(http.client.HTTPConnection(host, self.port, timeout=5)) as connection:
                connection.request("GET", "/healthz", headers={"Host": named})
                # 503: it runs, and says itself what it cannot do. In production 301: visitors come through TLS.
                return connection.getresponse().status in (200, 301, 503)
        except (OSError, http.client.HTTPException):
            return False

    def _greet(self) -> None:
        self.say(
            f"\nTRUST runs at http://{self.host}:{self.port}/   (Ctrl-C stops it; logs are in {self.run_dir / 'logs'})"
        )
        if not self._demo_marker().exists():
            return
        self.say("Demo logins (public passwords; never on a server that strangers reach):")
        for role, email, password in LOGINS:
            self.say(f"  {role:<12} {email:<28} {password}")

    @contextlib.contextmanager
    def _bound_socket(self) -> Iterator[socket.socket]:
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        listener = socket.socket(family, socket.SOCK_STREAM)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((self.host, self.port))
            listener.listen(512)  # while the web program restarts, this many visitors wait instead of being refused
        except OSError as error:
            listener.close()
            raise ServiceError(
                f"Port {self.port} on {self.host} cannot be used ({error.strerror}): "
                f"stop the program that uses it, or choose another with --port {self.port + 1}."
            ) from None
        with listener:
            yield listener
