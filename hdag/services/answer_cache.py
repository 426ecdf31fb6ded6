"""Answers of models kept across workers in Django's cache (Redis); nothing in it is of record, and it may be lost.

Answers can quote the text they are about, so they stay for a day at most; NoCache() switches this off.
"""

from dataclasses import dataclass

from django.core.cache import cache

__all__ = ["SharedCache"]


@dataclass(frozen=True, slots=True)
class SharedCache:
    """An AnswerCache that all workers share."""

    seconds: int = 86_400

    def find(self, key: str) -> str | None:
        """The kept answer or None."""
        kept = cache.get(f"chat:{key}")
        return kept if isinstance(kept, str) else None

    def keep(self, key: str, text: str) -> None:
        """Keep an answer."""
        cache.set(f"chat:{key}", text, self.seconds)
