"""Where CPU time goes: the stacks of threads that work, and the statements that they send."""

import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
INTERVAL = 0.0005  # seconds between two looks
LEAST = 0.005  # of the whole; smaller places are put together
# The innermost place of a stack that begins with one of these names it; the first match wins.
PLACES: tuple[tuple[str, str], ...] = (
    ("accounts/prepared.py", "rows into objects"),
    ("psycopg/", "psycopg: statements to the wire and back"),
    ("django/contrib/sessions", "middlewares"),
    ("django/db/", "Django's database layer"),
    ("redis/", "Redis: rate limits"),
    ("trustweb/cache.py", "Redis: rate limits"),
    ("django/core/cache/", "Redis: rate limits"),
    ("hdag/store/", "texts decrypted and stored"),
    ("cryptography/", "signatures and ciphers"),
    ("auditing/translog/", "signatures and hashes"),
    ("auditing/services/ledger/", "leaves and receipts"),
    ("auditing/core/ledger/", "leaves and receipts"),
    ("auditing/selectors/voting/", "panes, and what decides a vote"),
    ("auditing/selectors/", "panes, and what decides a vote"),
    ("hdag/", "segments and masks"),
    ("auditing/checker/", "checkers"),
    ("sympy/", "checkers"),
    ("auditing/core/", "cores"),
    ("auditing/services/", "services"),
    ("auditing/api/", "views of the API"),
    ("accounts/", "who asks"),
    ("rest_framework/", "Django REST framework"),
    ("trustweb/middleware/", "middlewares"),
    ("django/middleware/", "middlewares"),
    ("django/contrib/", "middlewares"),
    ("csp/", "middlewares"),
    ("whitenoise/", "middlewares"),
    ("allauth/", "middlewares"),
    ("django_htmx/", "middlewares"),
    ("django/urls/", "addresses resolved"),
    ("django/", "Django: request and response"),
    ("asgiref/", "from the event loop to a thread and back"),
    ("uvicorn/", "HTTP server"),
    ("h11/", "HTTP server"),
    ("asyncio/", "event loop"),
    ("logging/", "logging"),
)


@dataclass
class Sampler:
    """Looks at other threads' stacks until it is stopped, and writes to each place the CPU time spent since then."""

    left_out: set[int]  # threads that are no part of what is measured
    seen: Counter[str] = field(default_factory=Counter)  # nanoseconds
    clocks: dict[int, int] = field(default_factory=dict)
    ended: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        """Nothing is written to a thread that waits: its clock stands."""
        self.left_out.add(threading.get_ident())
        while not self.ended.wait(INTERVAL):
            for thread, frame in sys._current_frames().items():
                if thread in self.left_out:
                    continue
                # Alive while it has a frame and we hold the interpreter, so that its clock can be asked for.
                spent = time.clock_gettime_ns(time.pthread_getcpuclockid(thread))
                if more := spent - self.clocks.setdefault(thread, spent):
                    self.seen[place_of(frame)] += more
                self.clocks[thread] = spent


def place_of(frame: FrameType) -> str:
    """The innermost known place of a stack."""
    walked: FrameType | None = frame
    while walked is not None:
        path = walked.f_code.co_filename
        for start, place in PLACES:
            if f"/{start}" in path:
                return place
        walked = walked.f_back
    return "other"


@contextmanager
def sampled(left_out: set[int]) -> Iterator[Counter[str]]:
    """The places that the other threads stand in while the block runs."""
    sampler = Sampler(left_out)
    before, watch = sys.getswitchinterval(), threading.Thread(target=sampler.run)
    sys.setswitchinterval(INTERVAL / 5)  # a working thread hands over soon after the sampler wakes
    watch.start()
    try:
        yield sampler.seen
    finally:
        sampler.ended.set()
        watch.join()
        sys.setswitchinterval(before)


def say_places(seen: Counter[str], cpu: float, what: str) -> None:
    """The CPU time (ms) shared out by what the sampler saw; small places are one line."""
    total = sum(seen.values())
    if not total:
        raise SystemExit("nothing was seen: give a larger count")
    large = {place: count for place, count in seen.most_common() if count >= LEAST * total}
    print(f"{cpu:.1f} ms CPU {what} in Python:")
    for place, count in (*large.items(), ("all else", total - sum(large.values()))):
        print(f"  {cpu * count / total:6.2f} ms  {100 * count / total:4.1f} %  {place}")


@dataclass
class Statements:
    """Each statement's count and time as the caller waits for it, by the line of ours that asks."""

    count: Counter[str] = field(default_factory=Counter)
    seconds: Counter[str] = field(default_factory=Counter)

    def __call__(self, execute: Any, sql: Any, params: Any, many: bool, context: Any) -> Any:
        """A wrapper as django.db's execute_wrapper wants it."""
        began = time.perf_counter()
        try:
            return execute(sql, params, many, context)
        finally:
            name = f"{caller()}  {' '.join(str(sql).split())[:60]}"
            self.count[name] += 1
            self.seconds[name] += time.perf_counter() - began

    def copy(self) -> "Statements":
        """What was counted so far."""
        return Statements(Counter(self.count), Counter(self.seconds))

    def say(self, divisor: float, what: str) -> None:
        """The table, longest first."""
        print(
            f"{sum(self.count.values()) / divisor:.1f} statements {what}, {self.total(divisor):.2f} ms until answered:"
        )
        for name, seconds in self.seconds.most_common(25):
            print(f"  {1000 * seconds / divisor:6.2f} ms  {self.count[name] / divisor:6.2f} x  {name}")

    def total(self, divisor: float) -> float:
        """Milliseconds for all of them."""
        return 1000 * sum(self.seconds.values()) / divisor


def caller() -> str:
    """The line of this project that asks for a statement."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        name = frame.f_code.co_filename
        if name.startswith(str(ROOT)) and ".venv" not in name and name not in (__file__, PREPARED):
            return f"{Path(name).relative_to(ROOT)}:{frame.f_lineno}"
        frame = frame.f_back
    return "Django"


PREPARED = str(ROOT / "accounts/prepared.py")
