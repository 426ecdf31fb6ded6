"""How much of what a study asked a model was answered: to the call, so that no figure hides its holes."""

import threading
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hdag.chat.errors import NoAnswerError


@dataclass(frozen=True, slots=True)
class Coverage:
    """Calls by their end: asked = answered + abstained + failed; `sentence` says it for people."""

    asked: int
    answered: int
    abstained: int
    failed: int
    share: float  # answered or abstained, of asked
    sentence: str

    @property
    def is_partial(self) -> bool:
        """Whether some call brought nothing."""
        return self.failed > 0

    @property
    def is_empty(self) -> bool:
        """Whether no call brought anything."""
        return self.failed == self.asked > 0

    @classmethod
    def from_json(cls, values: Mapping[str, Any] | None) -> "Coverage | None":
        """What asdict gave; None without."""
        return cls(**values) if values else None


@dataclass(slots=True)
class Reading:
    """How many lines of a researcher's own file could be used, and why the others could not."""

    read: int = 0
    refused: list[str] = field(default_factory=list)
    simulated: int = 0  # lines that say of themselves that chance cast them

    @property
    def lines(self) -> int:
        """Lines looked at."""
        return self.read + len(self.refused)

    def refuse(self, number: int, reason: str) -> None:
        """A line could not be used."""
        self.refused.append(f"line {number}: {reason}"[:200])

    @property
    def sentence(self) -> str:
        """The counts for people; empty where no own file was read.

        >>> reading = Reading(read=9)
        >>> reading.refuse(4, "label is missing")
        >>> reading.sentence
        '9 of 10 lines read (line 4: label is missing)'
        """
        if not self.lines:
            return ""
        return f"{self.read} of {self.lines} lines read" + (f" ({self.refused[0]})" if self.refused else "")


@dataclass(slots=True)
class Tally:
    """Counts while a study runs, also from several threads. `asks`: a model takes part."""

    asks: str = ""  # the model's name
    answered: int = 0
    abstained: int = 0
    failures: Counter[str] = field(default_factory=Counter)
    _lock: Any = field(default_factory=threading.Lock, repr=False)

    def count_answer(self) -> None:
        """A call was answered."""
        with self._lock:
            self.answered += 1

    def count_abstention(self) -> None:
        """An answer that was counted says neither pass nor fail."""
        with self._lock:
            self.answered -= 1
            self.abstained += 1

    def count_failure(self, error: NoAnswerError) -> None:
        """A call brought no usable answer."""
        with self._lock:
            self.failures[f"{error.failure}: {error.reason}"[:200]] += 1

    def coverage(self) -> Coverage | None:
        """The counts until now; None where no model was asked."""
        failed = self.failures.total()
        asked = self.answered + self.abstained + failed
        if not asked:
            return None
        share = (asked - failed) / asked
        counts = f"{self.asks}: asked {asked}, answered {self.answered}, abstained {self.abstained}, failed {failed}"
        sentence = f"{'partial' if failed else 'complete'}: {counts}, coverage {100 * share:.1f} %"
        if failed:
            # The most frequent reason tells an operator what to mend.
            sentence += f"; {self.failures.most_common(1)[0][0]}; run again to fill the holes"
        return Coverage(asked, self.answered, self.abstained, failed, share, sentence)
