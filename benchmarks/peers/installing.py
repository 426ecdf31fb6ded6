"""A peer's virtual environment and server: from PyPI once, started on loopback, ended with all that it started."""

import contextlib
import http.client
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import psutil

from tests.tools.patience import wait_for

STARTING = 240.0  # seconds: some migrate a database first


def install(place: Path, *packages: str, instead: tuple[str, ...] = ()) -> Path:
    """The folder of the programs of a virtual environment with these packages; made at first use.

    instead: what replaces versions that pip resolves and that do not load.
    """
    programs = place / "venv" / "bin"
    done, wanted = place / "installed", "\n".join([*packages, *instead])
    if not done.exists() or done.read_text() != wanted:
        subprocess.run([sys.executable, "-m", "venv", "--clear", place / "venv"], check=True)
        pip = [programs / "pip", "install", "--quiet"]
        subprocess.run([*pip, *packages], check=True)
        if instead:
            forced = ["--only-binary", ":all:", "--force-reinstall", "--no-deps"]
            subprocess.run([*pip, *forced, *instead], check=True)
        done.write_text(wanted)
    return programs


@contextlib.contextmanager
def started(command: list[str | Path], place: Path, port: int, environment: Mapping[str, str]) -> Iterator[int]:
    """The process number of a server that answers at a port; what it says goes to a file beside it."""
    with (place / "server.log").open("ab") as log:
        server = subprocess.Popen(
            command,
            cwd=place,
            env={**os.environ, **environment},
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        try:
            wait_for(lambda: server.poll() is not None or _answers(port), STARTING)
            assert server.poll() is None, f"the server ended: see {place / 'server.log'}"
            yield server.pid
        finally:
            _end(server)


def _answers(port: int) -> bool:
    with contextlib.suppress(OSError, http.client.HTTPException):
        web = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        with contextlib.closing(web):
            web.request("GET", "/")
            return web.getresponse().status < 500
    return False


def _end(server: "subprocess.Popen[bytes]") -> None:
    """End a server that we started, and everything that it has started."""
    with contextlib.suppress(psutil.Error):
        family = psutil.Process(server.pid).children(recursive=True)
        server.send_signal(signal.SIGTERM)
        _, alive = psutil.wait_procs([psutil.Process(server.pid), *family], timeout=10)
        for process in alive:
            with contextlib.suppress(psutil.Error):
                process.kill()
    server.wait()
