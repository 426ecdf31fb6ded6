"""Which forms of a table may stand in a text: each word is looked for once, whatever the number of forms with it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache

from auditing.checker.reading.passages import Passage, Script

_LETTERS = re.compile(r"[a-z]+")
# runs of letters whose words are remembered: nearly all of a text are common words
REMEMBERED = 10_000


class WordIndex:
    """Words, in lower case, and the numbers of the forms that cannot do without one of them."""

    def __init__(self, words_of_forms: Iterable[tuple[int, Iterable[str]]]) -> None:
        self._forms: dict[str, list[int]] = defaultdict(list)
        for number, words in words_of_forms:
            for word in words:
                self._forms[word].append(number)
        # " of " stands only where a run of letters holds "of"; "% " may stand anywhere
        self._cores = {word: max(_LETTERS.findall(word), key=len, default="") for word in self._forms}
        self._bare = frozenset(word for word, core in self._cores.items() if word == core)
        self._remembered = lru_cache(maxsize=REMEMBERED)(self._words_with)

    def _words_with(self, run: str) -> list[str]:
        """The words whose letters stand in a run of letters."""
        return [word for word, core in self._cores.items() if core in run]

    def by_passage(self, script: Script) -> Iterator[tuple[Passage, list[int]]]:
        """Every passage of a script with the forms that may stand in it, in the order of the table.

        >>> from auditing.checker.reading.passages import script_of
        >>> from hdag.core.values import Trace
        >>> index = WordIndex([(0, ("twice",)), (1, ("half", "quarter"))])
        >>> [forms for _, forms in index.by_passage(script_of(Trace("", "Half of it.\\n\\nTwice that.")))]
        [[1], [0]]
        """
        # most words stand nowhere in a trace, and are then asked for once instead of in every passage
        everywhere = script.lower
        short, long = script.runs_of_letters
        words = set(self._remembered("")).union(*map(self._remembered, short), *map(self._words_with, long))
        near = [(word, self._forms[word]) for word in words if word in self._bare or word in everywhere]
        for passage in script.passages:
            lower = passage.lower
            yield passage, sorted(set[int]().union(*[forms for word, forms in near if word in lower]))
