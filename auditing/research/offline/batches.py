"""Many lines through offline.audit_line, in order, over worker processes; a killed worker loses no record.

Reads lines, yields records; writes nothing.
"""

from __future__ import annotations

import itertools
import os
import signal
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from auditing.checker.sandbox.parent import dies_with_parent
from auditing.core.values import Tier
from auditing.research.offline.one_trace import audit_line

# An equation, a formula and a sentence: what most lines need is loaded by them.
WARM = b'{"id": "0", "problem": "Ann has 3 boxes of 4.", "steps": ["3 * 4 = 12, so $2x = 24$ gives $x = 12$."]}'
Line = tuple[str, bytes, int]
CHUNK = 40  # lines that one worker takes at most at once: handing over a task costs time too
FIRST = 2  # lines of the first chunks, so that every processor has work from the first lines on
FEW = 8  # lines below which starting workers costs more than it saves


def audit_lines(
    *, lines: Iterable[Line], tiers: tuple[Tier, ...], workers: int = 0
) -> Iterator[tuple[dict[str, Any], int]]:
    """(output record, size of its line in bytes) for every line, in input order, at most a few chunks in memory.

    workers 0 = one for each processor once there are more than FEW lines; 1 = this process.
    """
    source = iter(lines)
    count = workers or os.cpu_count() or 1
    head = [line for _, line in zip(range(FEW if workers == 0 else 0), source, strict=False)]
    # Starting processes takes longer than auditing a few traces.
    if count == 1 or (workers == 0 and len(head) < FEW):
        for line in (*head, *source):
            yield _audited(line, tiers)
        return
    _warm_up(tiers)
    yield from _spread(chunks(lines=itertools.chain(head, source)), tiers, count)


def _warm_up(tiers: tuple[Tier, ...]) -> None:
    """Load what an audit needs before the workers are forked: they share it, and none loads it again."""
    audit_line(line=WARM, where="warm-up", tiers=tiers)


def _audited(line: Line, tiers: tuple[Tier, ...]) -> tuple[dict[str, Any], int]:
    return audit_line(line=line[1], where=line[0], tiers=tiers), line[2]


def _chunk(lines: list[Line], tiers: tuple[Tier, ...]) -> list[tuple[dict[str, Any], int]]:
    return [_audited(line, tiers) for line in lines]


def chunks(*, lines: Iterable[Line]) -> Iterator[list[Line]]:
    """Lines in order, in chunks that grow from FIRST to CHUNK by an eighth of what was handed out before.

    Small ones at first let every worker begin at once; in the middle of a long file large ones cost less.
    """
    source, handed_out = iter(lines), 0
    while chunk := list(itertools.islice(source, min(CHUNK, FIRST + handed_out // 8))):
        handed_out += len(chunk)
        yield chunk


def _spread(
    chunks: Iterator[list[Line]], tiers: tuple[Tier, ...], workers: int
) -> Iterator[tuple[dict[str, Any], int]]:
    """Keeps 2 * workers chunks under way; when a worker dies, a new pool takes what it had, line by line."""
    pool = _pool(workers)
    waiting: deque[tuple[list[Line], Future[list[tuple[dict[str, Any], int]]]]] = deque()
    try:
        for chunk in chunks:
            waiting.append((chunk, _submit(pool, chunk, tiers)))
            if len(waiting) >= 2 * workers:
                pool, results = _collect(pool, waiting, tiers, workers)
                yield from results
        while waiting:
            pool, results = _collect(pool, waiting, tiers, workers)
            yield from results
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _pool(workers: int) -> ProcessPoolExecutor:
    """Workers that die with us: one left behind would wait for ever to hand over its result."""
    return ProcessPoolExecutor(workers, initializer=dies_with_parent(signal.SIGKILL))


def _submit(
    pool: ProcessPoolExecutor, chunk: list[Line], tiers: tuple[Tier, ...]
) -> Future[list[tuple[dict[str, Any], int]]]:
    try:
        return pool.submit(_chunk, chunk, tiers)
    except BrokenProcessPool as error:
        # A worker died since; _collect takes these lines up like those that the dead worker had.
        broken: Future[list[tuple[dict[str, Any], int]]] = Future()
        broken.set_exception(error)
        return broken


def _collect(
    pool: ProcessPoolExecutor, waiting: deque[Any], tiers: tuple[Tier, ...], workers: int
) -> tuple[ProcessPoolExecutor, list[tuple[dict[str, Any], int]]]:
    chunk, future = waiting.popleft()
    try:
        return pool, future.result()
    except BrokenProcessPool:
        pool.shutdown(wait=False, cancel_futures=True)
        # A line of this chunk may be the killer: each in a process of its own. The chunks behind it start anew.
        results = [_alone(line, tiers) for line in chunk]
        pool = _pool(workers)
        again = [(later, pool.submit(_chunk, later, tiers)) for later, _ in waiting]
        waiting.clear()
        waiting.extend(again)
        return pool, results


def _alone(line: Line, tiers: tuple[Tier, ...]) -> tuple[dict[str, Any], int]:
    """One line in a process of its own, so that a line that kills its process costs only itself."""
    for _ in range(2):
        with _pool(1) as pool:
            try:
                return pool.submit(_audited, line, tiers).result()
            except BrokenProcessPool:
                continue
    return {"id": None, "error": f"{line[0]}: the process that read it died twice"}, line[2]
