"""The public traces of ../shared/data as audit records, one function for every benchmark and test that walks them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
PROBLEM = ("problem", "question", "Question", "original_question", "input", "gpt4_prompt")
STEPS = ("steps", "Model_Solution_Steps", "model_output_steps", "student_incorrect_solution", "modified_process")
TEXTS = (
    "thinking",
    "answer",
    "generated_text",
    "model_outputs",
    "reference_solution",
    "gpt4_response",
    "displayed_text",
)
SOLUTIONS = ("6b_finetuning", "6b_verification", "175b_finetuning", "175b_verification")


def records(*, data: Path = DATA, per_file: int = 0) -> Iterator[tuple[str, dict[str, Any]]]:
    """(set, record) for every trace with text; the first `per_file` lines of each file, 0 for all."""
    for path in sorted(data.glob("*/*.jsonl")):
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines):
                if per_file and number >= per_file:
                    break
                if line.strip():
                    yield from ((path.parent.name, record) for record in _traces(json.loads(line)))


def _traces(row: dict[str, Any]) -> Iterator[dict[str, Any]]:
    problem = next((str(row[name]) for name in PROBLEM if row.get(name)), "")
    given = [[str(step) for step in row[name]] for name in STEPS if isinstance(row.get(name), list)]
    given += [[str(turn["content"]) for turn in row["history"]]] if "history" in row else []
    given += [row["context"].split(" sent")] if "context" in row else []
    yield from ({"problem": problem, "steps": steps} for steps in given if any(step.strip() for step in steps))
    texts = [row[name] for name in TEXTS if isinstance(row.get(name), str)]
    texts += [row[name]["solution"] for name in SOLUTIONS if name in row]
    texts += row["output"] if isinstance(row.get("output"), list) else []
    if not given:
        yield from ({"problem": problem, "thinking": text} for text in texts if text.strip())
