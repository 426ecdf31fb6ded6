"""What the house's words mean, read from docs/glossary.md: documents and pages explain a word by the same sentence."""

import re
from collections.abc import Mapping

_ROW = re.compile(r"^\| ([^|]+) \| ([^|]+) \|")
_HEADS = frozenset({"word", "---"})


def read_glossary(*, text: str) -> Mapping[str, str]:
    """Meanings by word; a row that explains several words stands for each of them.

    >>> read_glossary(text="| round, wave | one `segment` | |")
    {'round': 'one segment', 'wave': 'one segment'}
    """
    meanings: dict[str, str] = {}
    for row in filter(None, map(_ROW.match, text.splitlines())):
        words, meaning = row[1].strip(), row[2].strip().replace("`", "")
        if words not in _HEADS:
            # The first meaning stands: the house's own words precede those of the field.
            meanings = {word.strip(): meaning for word in words.split(",")} | meanings
    return meanings
