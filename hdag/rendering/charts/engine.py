"""Vega-Lite's own program in a process of its own: started on demand, warm while it is asked, gone when it is not.

The library brings a JavaScript engine of some 100 MB, which a web process should neither hold nor be brought down by.
"""

import atexit
import base64
import json
import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

PROGRAM = Path(__file__).with_name("program.py")
LONGEST = 20.0  # seconds for one drawing; the first one of a process takes the longest
PNG_SCALE = 2


class EngineError(Exception):
    """The drawing cannot be had: the program refused the specification, or does not run."""


class Engine:
    """One process; its callers wait for one another. A dead one is replaced at the next call."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0

    def draw(self, *, specification: Mapping[str, Any], kind: str) -> bytes:
        """A specification as "svg" or "png". Raises EngineError."""
        return self._answer({"kind": kind, "scale": PNG_SCALE, "specification": specification})

    def print_sheet(self, *, svg: str) -> bytes:
        """A sheet of text, drawn by hdag.rendering.sheet, as PDF. Raises EngineError."""
        return self._answer({"kind": "pdf", "svg": svg})

    def _answer(self, asked: Mapping[str, Any]) -> bytes:
        question = json.dumps(asked).encode() + b"\n"
        with self._lock:
            # An idle process ends by itself, perhaps just as it is asked: one more try is enough.
            line = self._ask(question) or self._ask(question)
        if not line:
            raise EngineError("The drawing program gave no answer.")
        answer = json.loads(line)
        if "error" in answer:
            raise EngineError(answer["error"])
        return base64.b64decode(answer["drawing"])

    def close(self) -> None:
        """End the process, if there is one of this process."""
        process, self._process = self._process, None
        if process is not None and self._owner == os.getpid():
            process.kill()
            process.communicate()

    def _ask(self, question: bytes) -> bytes:
        """One line for one line; nothing from a process that died or took too long, which is then ended."""
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        timer = threading.Timer(LONGEST, process.kill)
        timer.start()
        try:
            process.stdin.write(question)
            process.stdin.flush()
            line = process.stdout.readline()
        except OSError:
            line = b""
        finally:
            timer.cancel()
        if not line:
            self.close()
        return line

    def _running(self) -> subprocess.Popen[bytes]:
        # After a fork the pipes are the parent's: two processes on one pipe would read each other's answers.
        if self._process is None or self._owner != os.getpid() or self._process.poll() is not None:
            if self._process is not None and self._owner == os.getpid():
                self.close()
            self._owner = os.getpid()
            # -I: neither the folder nor the environment chooses what is imported. No secret of ours is handed on.
            self._process = subprocess.Popen(
                [sys.executable, "-I", str(PROGRAM)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={"PATH": os.defpath, "TZ": "UTC", "LANG": "C.UTF-8"},
                start_new_session=True,
            )
        return self._process


engine = Engine()
atexit.register(engine.close)
