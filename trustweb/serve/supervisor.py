"""Keeps the programs of the system running: starts them, starts them again with back-off, stops them in order."""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from trustweb.serve import processes
from trustweb.serve.forked import WarmParent

_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 30.0
_STEADY_SECONDS = 60.0  # whoever ran this long has earned a short pause again
_LARGEST_LOG = 10 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Program:
    """One command that should always run."""

    name: str
    command: Sequence[str]
    environment: dict[str, str]
    log: Path
    descriptors: tuple[int, ...] = ()

    def start(self, parent: WarmParent) -> processes.Child:
        """Start it once. Raises ServiceError."""
        # Rotated at starts only, because a running child holds the file open; one older file is enough on one machine.
        if self.log.exists() and self.log.stat().st_size > _LARGEST_LOG:
            self.log.replace(self.log.with_suffix(".old.log"))
        return parent.fork(self.command, log=self.log, environment=self.environment, descriptors=self.descriptors)


@dataclass(slots=True)
class _Run:
    program: Program
    child: processes.Child | None = None
    started: float = 0.0
    due: float = 0.0
    pause: float = _FIRST_PAUSE


@dataclass(slots=True)
class Supervisor:
    """Runs programs until told to stop; `say` prints one line to the person at the terminal."""

    say: Callable[[str], None]
    parent: WarmParent
    _runs: list[_Run] = field(default_factory=list)

    def start(self, program: Program) -> None:
        """Run the program from now on."""
        self._runs.append(_Run(program))
        self._spawn(self._runs[-1])

    def look_after(self) -> None:
        """Notice what ended and start it again when its pause is over; call this a few times a second."""
        now = time.monotonic()
        for run in self._runs:
            if run.child is not None and run.child.poll() is not None:
                self._note_end(run, now)
            if run.child is None and now >= run.due:
                self._spawn(run)

    def stop(self) -> None:
        """Stop all programs at once, then wait for each."""
        running = [run.child for run in self._runs if run.child is not None]
        # Side by side: one after the other, six programs that each use their 15 seconds would take a minute and a half.
        stoppers = [threading.Thread(target=processes.stop, args=(child,)) for child in running]
        for stopper in stoppers:
            stopper.start()
        for stopper in stoppers:
            stopper.join()
        self._runs.clear()

    def _spawn(self, run: _Run) -> None:
        run.started = time.monotonic()
        run.child = run.program.start(self.parent)

    def _note_end(self, run: _Run, now: float) -> None:
        assert run.child is not None
        code = run.child.returncode
        processes.stop(run.child)  # whatever is left of its session
        run.child = None
        # Doubling pauses: 1, 2, 4, ... 30 s. A program that cannot start must not fill the disk with its complaints.
        run.pause = _FIRST_PAUSE if now - run.started > _STEADY_SECONDS else min(run.pause * 2, _LONGEST_PAUSE)
        run.due = now + run.pause
        self.say(f"{run.program.name} ended (code {code}); starting it again in {run.pause:g} s, see {run.program.log}")
