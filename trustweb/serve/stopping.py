"""An event that a signal handler may set."""

import os
import select
import signal
from typing import Any


class StopSignal:
    """Whether this program was told to stop; waiting for it ends when it is.

    `threading.Event` is not for signal handlers: a handler runs in the main thread, between any two steps of the `wait`
    that it interrupts, and `set` then waits for the lock which that `wait` holds, for ever. A pipe has no lock.
    """

    def __init__(self) -> None:
        """Not yet told."""
        self._reader, self._writer = os.pipe()  # open as long as the program
        os.set_blocking(self._writer, False)
        self._is_set = False

    def listen(self, *numbers: signal.Signals) -> None:
        """These signals tell it."""
        for number in numbers:
            signal.signal(number, self.set)

    def set(self, *_: Any) -> None:
        """Tell it; for a signal handler as well."""
        if not self._is_set:
            self._is_set = True
            os.write(self._writer, b"!")

    def is_set(self) -> bool:
        """Whether it was told."""
        return self._is_set

    def wait(self, seconds: float) -> bool:
        """Wait so long, or until it is told; returns whether it was."""
        waiting = select.poll()  # not select.select, which takes no descriptor above 1,023
        waiting.register(self._reader, select.POLLIN)
        waiting.poll(1000 * seconds)
        return self._is_set
