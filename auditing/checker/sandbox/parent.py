"""A child process that the kernel ends when its parent dies, however the parent dies."""

import ctypes
import os
import sys
from collections.abc import Callable

_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def dies_with_parent(sign: int) -> Callable[[], None]:
    """What a forked child calls first: the kernel sends it `sign` when the thread that forked it ends."""
    parent = os.getpid()

    def ask_the_kernel() -> None:
        if _LIBC is None:
            return
        _LIBC.prctl(_PR_SET_PDEATHSIG, sign)
        if os.getppid() != parent:  # the parent died between fork and prctl
            os._exit(1)

    return ask_the_kernel
