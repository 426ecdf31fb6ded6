"""What masking covers in the public traces, kind by kind, and how fast: `python -m benchmarks.masking [examples]`."""

import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hdag.core.masking.masking import finds

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SHORTEST = 25
ABOUT = {"model", "generator", "id", "uuid", "model_name", "sampled_model", "source", "dataset", "url", "link"}


def texts(value: Any) -> Iterator[str]:
    """Every text of a record that is long enough to be read, what only describes the record left out."""
    if isinstance(value, str):
        yield from [value] if len(value) >= SHORTEST else []
    elif isinstance(value, list | dict):
        for name, one in value.items() if isinstance(value, dict) else enumerate(value):
            yield from texts(one) if name not in ABOUT else ()


def main(examples: int) -> None:
    """Prints a line a kind, then the most frequent finds."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    sets: dict[str, Counter[str]] = defaultdict(Counter)
    every = dict.fromkeys(
        (text, path.parent.name)
        for path in sorted(DATA.glob("*/*.jsonl"))
        for line in path.read_text("utf-8").splitlines()
        for text in texts(json.loads(line))
    )
    distinct = {text: name for text, name in every}
    touched = covered = 0
    began = time.process_time()
    for text, name in distinct.items():
        spans = finds(text)
        touched += bool(spans)
        for kind, (start, end), said in spans:
            covered += end - start
            found[kind][said] += 1
            sets[kind][name] += 1
    seconds = time.process_time() - began
    characters = sum(map(len, distinct))
    print(f"{len(distinct):,} texts, {characters:,} characters, {characters / seconds:,.0f} characters/s of CPU")
    print(f"{touched:,} texts with a find, {covered:,} characters covered ({covered / characters:.2%})")
    for kind, counted in sorted(found.items()):
        print(f"{kind:10} {counted.total():6,} {dict(sets[kind])}")
        for said, count in counted.most_common(examples):
            print(f"    {count:5} {said[:90]!r}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
