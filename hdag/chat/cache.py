"""Answers kept under the content of their question, so that the same question is paid once; can be switched off."""

import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import Protocol

__all__ = ["AnswerCache", "MemoryCache", "NoCache", "content_key"]


class AnswerCache(Protocol):
    """Text of answers that satisfied their schema, by content key."""

    def find(self, key: str) -> str | None:
        """The kept answer or None."""
        ...

    def keep(self, key: str, text: str) -> None:
        """Keep an answer."""
        ...


class NoCache:
    """Keeps nothing."""

    def find(self, key: str) -> str | None:
        """None."""
        return None

    def keep(self, key: str, text: str) -> None:
        """Nothing."""


class MemoryCache:
    """The last `size` answers of this process."""

    def __init__(self, size: int = 4096) -> None:
        self._kept: OrderedDict[str, str] = OrderedDict()
        self._size, self._lock = size, threading.Lock()

    def find(self, key: str) -> str | None:
        """The kept answer or None."""
        with self._lock:
            return self._kept.get(key)

    def keep(self, key: str, text: str) -> None:
        """Keep an answer, dropping the oldest beyond the size."""
        with self._lock:
            self._kept[key] = text
            while len(self._kept) > self._size:
                self._kept.popitem(last=False)


def content_key(*, parts: Sequence[str]) -> str:
    """SHA-256 over the parts, their borders included.

    >>> content_key(parts=("ab", "c")) == content_key(parts=("a", "bc"))
    False
    """
    return hashlib.sha256(json.dumps(list(parts)).encode()).hexdigest()
