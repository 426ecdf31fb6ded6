"""Child processes that never outlive their parent."""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable

STOP_SECONDS = 15.0
_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def dies_with_parent(sign: int) -> Callable[[], None]:
    """Return a preexec function: the kernel sends `sign` to the child when the spawning thread ends.

    Spawn from the main thread only; elsewhere the child would die with that thread.
    """
    parent = os.getpid()

    def ask_the_kernel() -> None:
        if _LIBC is None:
            return
        _LIBC.prctl(_PR_SET_PDEATHSIG, sign)
        if os.getppid() != parent:  # the parent died between fork and prctl
            os._exit(1)

    return ask_the_kernel


def stop_child(child: subprocess.Popen[bytes], sign: int = signal.SIGTERM, seconds: float = STOP_SECONDS) -> None:
    """Ask the child to stop, wait for it, then end whatever is left of its session."""
    if child.poll() is None:
        child.send_signal(sign)
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(seconds)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()
