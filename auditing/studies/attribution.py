"""Study `attribution`: which agent and which step made a multi-agent run fail (Who&When).

Rules only: positions, and the computer tier's first refutation. They are the floor that a language model has to beat.
"""

from collections.abc import Callable, Mapping
from typing import Any

from auditing.core.faithfulness import wilson_interval
from auditing.studies.examination import examine
from auditing.studies.labelled import DataMissing, Record, read_lines
from auditing.studies.runner import Cell, Report, Run, Table, study
from hdag.readers.records import read_record

Guess = Callable[[Record], int]


def speaker_of(turn: Mapping[str, Any]) -> str:
    """The agent that spoke a turn."""
    return str(turn.get("name") or turn.get("role") or "")


def _first_with_number(record: Record) -> int:
    turns = record["history"]
    return next((n for n, t in enumerate(turns) if n and any(c.isdigit() for c in t["content"])), len(turns) - 1)


def _first_refuted(record: Record) -> int:
    """The first turn that the computer tier refutes, otherwise the first after the task."""
    turns = [str(turn["content"])[:20_000] for turn in record["history"]]
    examined = examine(trace=read_record({"problem": record["question"], "steps": turns}, where="who_and_when"))
    found = examined.first_failed
    return min(1, len(turns) - 1) if found is None else found


GUESSES: dict[str, Guess] = {
    "the first turn": lambda record: 0,
    "the second turn": lambda record: min(1, len(record["history"]) - 1),
    "the last turn": lambda record: len(record["history"]) - 1,
    "the first turn with a number": _first_with_number,
    "the first turn refuted by the computer tier, otherwise the second": _first_refuted,
}


def _row(name: str, guess: Guess, records: list[Record]) -> list[Cell]:
    steps = agents = 0
    for record in records:
        place = guess(record)
        steps += place == int(record["mistake_step"])
        agents += speaker_of(record["history"][place]) == record["mistake_agent"]
    step, agent = wilson_interval(count=steps, of=len(records)), wilson_interval(count=agents, of=len(records))
    return [name, step.share, step.low, step.high, agent.share, agent.low, agent.high]


def _chance(records: list[Record]) -> list[Cell]:
    size = max(1, len(records))
    step = sum(1 / len(record["history"]) for record in records) / size
    agent = sum(
        sum(speaker_of(turn) == record["mistake_agent"] for turn in record["history"]) / len(record["history"])
        for record in records
    )
    return ["a turn drawn at random (expected)", step, None, None, agent / size, None, None]


@study("attribution", "Which agent and which step failed")
def run_attribution(run: Run) -> Report:
    """Step and agent accuracy of rules, beside the published best."""
    path = run.data / "who_and_when" / "algorithm_generated.jsonl"
    if not path.exists():
        raise DataMissing(f"who_and_when is not in {path.parent}")
    records = list(read_lines(path))[: None if run.full else 20]
    rows = [_chance(records)]
    for place, (name, guess) in enumerate(GUESSES.items()):
        run.say(name, place / len(GUESSES))
        rows.append(_row(name, guess, records))
    columns = ("rule", "step right", "low", "high", "agent right", "low", "high")
    note = "Literature (Zhang et al., 2025, both halves): best methods name 14.2 % of steps and 53.5 % of agents."
    return Report("Attribution", [Table(f"Who&When, {len(records)} failed runs", columns, rows, note)])
