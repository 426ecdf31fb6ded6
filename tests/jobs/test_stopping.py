"""A program ends when it is told to, wherever in its waiting the signal finds it."""

import signal
import subprocess
import sys

import pytest

from tests.tools.patience import PATIENCE
from trustweb.serve.stopping import StopSignal

# Signals arrive between any two steps of the waiting; one that took a lock which the waiting holds would never return.
STORM = """
import os, signal, threading
from trustweb.serve.stopping import StopSignal
for _ in range(300):
    stop = StopSignal()
    stop.listen(signal.SIGINT)
    told = threading.Thread(target=lambda: [os.kill(os.getpid(), signal.SIGINT) for _ in range(50)])
    told.start()
    while not stop.wait(0.00001):
        pass
    told.join()
    os.close(stop._reader)
    os.close(stop._writer)
"""


def test_no_signal_finds_the_waiting_with_a_lock_in_hand() -> None:
    subprocess.run([sys.executable, "-c", STORM], check=True, timeout=PATIENCE)


def test_who_was_told_waits_no_more() -> None:
    stop = StopSignal()
    assert not stop.wait(0.001)
    assert not stop.is_set()
    stop.set()
    stop.set()
    assert stop.wait(3_600.0)
    assert stop.is_set()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_tells_it(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    stop = StopSignal()
    try:
        stop.listen(number)
        signal.raise_signal(number)
    finally:
        signal.signal(number, before)
    assert stop.is_set()
