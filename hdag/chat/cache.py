"""Answers kept under the content of their question, so that the same question is paid once; can be switched off."""

import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

__all__ = ["AnswerCache", "MemoryCache", "NoCache", "RecordedAnswers", "content_key"]


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


class RecordedAnswers:
    """Answers in a folder, one file each, for ever: recorded once with a key, replayed without a server.

    A file holds the answer and what it was asked for, never the question: its name is the hash of that.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find(self, key: str) -> str | None:
        """The recorded answer or None. Raises ValueError for a file that is no recording."""
        try:
            text = (self._folder / f"{key}.json").read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        answer = json.loads(text)["answer"]
        if not isinstance(answer, str):
            raise ValueError(f"{key}.json is no recorded answer")
        return answer

    def keep(self, key: str, text: str, **told: str) -> None:
        """Record an answer; `told` says what it was asked for."""
        self._folder.mkdir(parents=True, exist_ok=True)
        body = json.dumps({**told, "answer": text}, indent=1, ensure_ascii=False) + "\n"
        # Whole or not at all: two workers may record the same answer, and a reader may look meanwhile.
        unfinished = self._folder / f".{key}.{threading.get_ident()}"
        unfinished.write_text(body, encoding="utf-8")
        unfinished.replace(self._folder / f"{key}.json")


def content_key(*, parts: Sequence[str]) -> str:
    """SHA-256 over the parts, their borders included.

    >>> content_key(parts=("ab", "c")) == content_key(parts=("a", "bc"))
    False
    """
    return hashlib.sha256(json.dumps(list(parts)).encode()).hexdigest()
