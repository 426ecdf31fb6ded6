"""Distinct formulas of the public data, found by the same reader that the pages use."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hdag.rendering.atoms import AtomKind, find_atoms

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"


def texts_of(value: Any) -> Iterator[str]:
    """Every string inside a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from texts_of(part)
    elif isinstance(value, list):
        for part in value:
            yield from texts_of(part)


def distinct_formulas(*, most: int) -> list[str]:
    """Up to `most` distinct formulas, at most a quarter from one file; the order never changes."""
    found: dict[str, None] = {}
    files = sorted(DATA.glob("*/*.jsonl"))
    share = max(1, most // 4)  # so that no file alone gives more than a quarter
    for file in files:
        before = len(found)
        for line in file.read_text(encoding="utf-8").splitlines():
            if len(found) - before >= share:
                break
            found.update(dict.fromkeys(formulas_of_line(line)))
    return list(found)[:most]


def formulas_of_line(line: str) -> list[str]:
    """The formulas in one JSON line."""
    kinds = (AtomKind.FORMULA, AtomKind.DISPLAY)
    texts = texts_of(json.loads(line)) if line.strip() else ()
    spans = [text[a.inner : a.inner_end].strip() for text in texts for a in find_atoms(text=text) if a.kind in kinds]
    return [span for span in spans if span]
