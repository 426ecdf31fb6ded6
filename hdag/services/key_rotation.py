"""Rotating the master key: wrapped keys are wrapped anew, keyed digests computed again. Texts are not touched.

Reads and writes Block, Endpoint, Trace; may be stopped and run again. Each row is changed only while it still holds
what was read, so that an erasure in between stays an erasure.
"""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, islice
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Manager

from hdag.models import Block, Endpoint, Trace
from hdag.selectors import load_trace
from hdag.services import endpoint_keys
from hdag.services.traces import digest_of
from hdag.store import content, master_key
from hdag.store.content import KEY_LABEL, ContentDamagedError, ContentGoneError
from hdag.store.master_key import WrongMasterKeyError

BATCH = 500


@dataclass(frozen=True, slots=True)
class Rotated:
    """One batch: what the rows are, how many were looked at, wrapped anew, and could not be opened at all."""

    subject: str
    seen: int
    changed: int
    lost: int


def rotate() -> Iterator[Rotated]:
    """Go through everything that the master key wraps or digests, a transaction a batch."""
    yield from _rewrap("keys of texts", Block, KEY_LABEL)
    yield from _rewrap("keys of endpoints", Endpoint, endpoint_keys.LABEL)
    yield from _redigest()


def _rewrap(subject: str, model: type[Block] | type[Endpoint], label: bytes) -> Iterator[Rotated]:
    """Wrap every key of one model with the current master key, batch by batch."""
    manager: Manager[Any] = model._default_manager
    rows = manager.filter(wrapped_key__isnull=False).order_by("pk").values_list("pk", "wrapped_key")
    last = None
    while batch := list((rows if last is None else rows.filter(pk__gt=last))[:BATCH]):
        changed = lost = 0
        with transaction.atomic():
            for key, stored in batch:
                wrapped = bytes(stored)
                if master_key.is_current(wrapped=wrapped, label=label):
                    continue
                try:
                    data = master_key.unwrap(wrapped=wrapped, label=label)
                except WrongMasterKeyError:
                    lost += 1
                    continue
                fresh = master_key.wrap(data=data, label=label)
                # Only while the row still holds what was read: a key that was erased meanwhile stays erased.
                changed += manager.filter(pk=key, wrapped_key=wrapped).update(wrapped_key=fresh)
        # Keyset paging: rows that are inserted while this runs are wrapped with the new key anyway.
        last = batch[-1][0]
        yield Rotated(subject, len(batch), changed, lost)


def _redigest() -> Iterator[Rotated]:
    """The digests by which the same trace handed in twice is found."""
    traces = Trace.objects.filter(erased_at__isnull=True).select_related("payload").order_by("pk").iterator(BATCH)
    while batch := list(islice(traces, BATCH)):
        content.fetch(row.payload for row in batch)
        changed = lost = 0
        for row in batch:
            try:
                fresh = digest_of(trace=load_trace(row))
            except (ContentDamagedError, ContentGoneError):
                lost += 1
                continue
            if fresh != bytes(row.digest):
                changed += _give_digest(row, fresh)
        yield Rotated("digests of traces", len(batch), changed, lost)


def _give_digest(row: Trace, fresh: bytes) -> int:
    """The new digest. Where the trace was handed in again while the old key was not given, this row is its copy."""
    for number in count(row.copy):
        with contextlib.suppress(IntegrityError), transaction.atomic():
            return Trace.objects.filter(pk=row.pk, erased_at__isnull=True).update(digest=fresh, copy=number)
    raise AssertionError("some number is free")
