"""Texts that one campaign of a benchmark hands in.

ProcessBench's GSM8K solutions are 195 texts, so that campaigns of 150 share most of them; of GSM8K's own model
solutions ("solutions", one of each problem) campaigns with neighbouring seeds share none, as far as the problems last.
"""

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SOLUTIONS = "solutions"
_MODELS = ("6b_finetuning", "6b_verification", "175b_finetuning", "175b_verification")
_CALCULATOR = re.compile(r"<<[^<>]{0,200}>>")


def campaign_texts(*, name: str, count: int, seed: int, dice: random.Random) -> Iterator[Any]:
    """Traces of a set; seed: of the campaign, dice: its own."""
    from hdag.core.values import Trace

    texts = _dealt(count, seed, dice) if name == SOLUTIONS else _drawn(name, count, dice)
    for problem, steps in texts:
        yield Trace(problem=problem, thinking="\n\n".join(steps), answer="", domain="mathematics")


def _drawn(name: str, count: int, dice: random.Random) -> Iterator[tuple[str, list[str]]]:
    rows = [row for path in sorted((DATA / "processbench").glob(f"*{name}*.jsonl")) for row in _rows(path)]
    yield from ((row["problem"], row["steps"]) for row in dice.sample(rows, min(count, len(rows))))


def _dealt(count: int, seed: int, dice: random.Random) -> Iterator[tuple[str, list[str]]]:
    rows = _rows(DATA / "gsm8k" / "example_model_solutions.jsonl")
    order = random.Random(0).sample(range(len(rows)), len(rows))  # one for all campaigns
    for number in range(seed * count, (seed + 1) * count):
        row = rows[order[number % len(rows)]]
        # As it reads without its calculator.
        yield row["question"], _CALCULATOR.sub("", row[dice.choice(_MODELS)]["solution"]).splitlines()


def _rows(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text().splitlines()]
