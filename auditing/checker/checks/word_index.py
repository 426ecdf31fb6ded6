"""Which forms of a table may stand in a text: each word is looked for once, whatever the number of forms with it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from auditing.checker.reading.passages import Passage, Script


class WordIndex:
    """Words, in lower case, and the numbers of the forms that cannot do without one of them."""

    def __init__(self, words_of_forms: Iterable[tuple[int, Iterable[str]]]) -> None:
        self._forms: dict[str, list[int]] = defaultdict(list)
        for number, words in words_of_forms:
            for word in words:
                self._forms[word].append(number)
        # a word that holds another one is looked for only where that one stands
        self._held: dict[str, list[str]] = {}
        for word in sorted(self._forms, key=len):
            held = next((shorter for shorter in self._held if shorter in word), word)
            self._held.setdefault(held, []).append(word)

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
        held = [words for shortest, words in self._held.items() if shortest in everywhere]
        near = {word: self._forms[word] for words in held for word in words if word in everywhere}
        for passage in script.passages:
            lower = passage.lower
            yield passage, sorted({form for word, forms in near.items() if word in lower for form in forms})
