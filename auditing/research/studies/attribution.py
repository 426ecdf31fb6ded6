"""Study `attribution`: which agent and which step made a multi-agent run fail (Who&When).

Rules: positions, and the computer tier's first refutation; the floor that a language model has to beat. Option
endpoint=NAME asks that model, which reads the whole log at once.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from auditing.core.consensus.proportions import wilson_interval
from auditing.research.studies.instruments.examination import examine
from auditing.research.studies.instruments.forecasts import tell_forecast
from auditing.research.studies.instruments.labelled import Record, get_public_file, read_lines
from auditing.research.studies.instruments.model_tier import ModelTier, in_parallel, open_model
from auditing.research.studies.instruments.own_file import own_records
from auditing.research.studies.instruments.runner import Cell, Report, Run, Table, study
from hdag.chat.errors import NoAnswerError
from hdag.chat.fence import fenced_question
from hdag.chat.question import Question
from hdag.readers.records import read_record

_WHO = """`turns` is the log of agents that failed at `task`. Name the one decisive mistake: the first turn without \
which the task would have succeeded, by its number `turn`. Give the reason in at most three sentences."""
Guess = Callable[[Record], int | None]


def speaker_of(turn: Mapping[str, Any]) -> str:
    """The agent that spoke a turn."""
    return str(turn.get("name") or turn.get("role") or "")


def _first_with_number(record: Record) -> int:
    turns = record["history"]
    return next((n for n, t in enumerate(turns) if n and any(c.isdigit() for c in t["content"])), len(turns) - 1)


def _first_refuted(record: Record) -> int:
    """The first turn that the computer tier refutes, otherwise the first after the task."""
    # A turn may hold a whole web page.
    turns = [str(turn["content"])[:20_000] for turn in record["history"]]
    examined = examine(trace=read_record({"problem": record["question"], "steps": turns}, where="who_and_when"))
    refuted = examined.first_failed
    return min(1, len(turns) - 1) if refuted is None else refuted


GUESSES: dict[str, Guess] = {
    "the first turn": lambda record: 0,
    "the second turn": lambda record: min(1, len(record["history"]) - 1),
    "the last turn": lambda record: len(record["history"]) - 1,
    "the first turn with a number": _first_with_number,
    "the first turn refuted by the computer tier, otherwise the second": _first_refuted,
}


def ask_who(*, model: ModelTier, record: Record) -> int | None:
    """The turn that a model names, None when it gives no answer; it sees the task and every turn, cut to its budget."""
    # The whole log must fit one question: long logs leave less room for each turn.
    room = max(200, 60_000 // max(1, len(record["history"])))
    turns = [
        {"turn": number, "agent": speaker_of(turn), "text": str(turn["content"])[:room]}
        for number, turn in enumerate(record["history"])
    ]
    question = attribution_question(task=record["question"], turns=turns)
    try:
        return int(model.client.ask(question=question, account=model.account).data["turn"])
    except NoAnswerError:
        return None


def attribution_question(*, task: str, turns: Sequence[Mapping[str, Any]]) -> Question:
    """What a model is asked about one failed run."""
    answer = {"type": "integer", "minimum": 0, "maximum": len(turns) - 1}
    properties = {"reason": {"type": "string", "maxLength": 2000}, "turn": answer}
    data = {"task": task, "turns": list(turns)}
    return fenced_question(purpose="attribution", rules=_WHO, data=data, properties=properties)


def _row(name: str, turns: list[int | None], records: list[Record]) -> list[Cell]:
    """Over the runs for which a turn was named at all."""
    steps = agents = 0
    named = [(record, turn) for record, turn in zip(records, turns, strict=True) if turn is not None]
    for record, turn in named:
        steps += turn == int(record["mistake_step"])
        agents += speaker_of(record["history"][turn]) == record["mistake_agent"]
    step, agent = wilson_interval(count=steps, of=len(named)), wilson_interval(count=agents, of=len(named))
    return [name, step.share, step.low, step.high, agent.share, agent.low, agent.high]


def _chance(records: list[Record]) -> list[Cell]:
    size = max(1, len(records))
    # A random turn of a log of n turns is the right one with probability 1 / n.
    step = sum(1 / len(record["history"]) for record in records) / size
    agent = sum(
        sum(speaker_of(turn) == record["mistake_agent"] for turn in record["history"]) / len(record["history"])
        for record in records
    )
    return ["a turn drawn at random (expected)", step, None, None, agent / size, None, None]


@study("attribution", "Which agent and which step failed", reads="logs", options=("endpoint",))
def run_attribution(run: Run) -> Report:
    """Step and agent accuracy of rules, beside the published best."""
    records = _records(run)
    rows, named = [_chance(records)], dict[str, list[int | None]]()
    with open_model(run=run, study="attribution") as model:
        guesses = dict(GUESSES)
        if model is not None:
            size = sum(min(len(str(record)), 60_000) for record in records)
            calls = len(records)
            tell_forecast(run=run, client=model.client, purpose="attribution", calls=calls, characters=size)
            guesses[model.name] = lambda record: ask_who(model=model, record=record)
        for number, (name, guess) in enumerate(guesses.items()):
            run.say(name, number / len(guesses))

            def turn_of(index: int, name: str = name, guess: Guess = guess) -> int | None:
                turn: int | None = run.piece(key=f"{name} {index}", make=lambda: guess(records[index]))
                return turn

            # Rules take a processor, a model its time: only of its calls several are under way.
            workers = model.client.endpoint.max_concurrency if model and name == model.name else 1
            named[name] = in_parallel(work=turn_of, items=range(len(records)), workers=workers)
            rows.append(_row(name, named[name], records))
    columns = ("rule", "step right", "low", "high", "agent right", "low", "high")
    note = "Literature (Zhang et al., 2025, both halves): best methods name 14.2 % of steps and 53.5 % of agents."
    source = run.file.name if run.file else "Who&When"
    items: list[list[Cell]] = [
        [index + 1, record["mistake_step"], record["mistake_agent"], *(turns[index] for turns in named.values())]
        for index, record in enumerate(records)
    ]
    return Report(
        "Attribution",
        [Table(f"{source}, {len(records)} failed runs", columns, rows, note)],
        items=Table("Items", ("run", "step", "agent", *named), items),
    )


def _records(run: Run) -> list[Record]:
    if run.file is not None:
        return own_records(run=run, make=_checked)
    path = get_public_file(name="who_and_when", file="algorithm_generated.jsonl", data=run.data)
    # None: to the end.
    return list(read_lines(path))[: run.limit if run.limit is not None or run.full else 20]


def _checked(record: Record) -> Record:
    """The record, if it is a failed run. Raises ValueError, KeyError, TypeError."""
    for turn in record["history"]:
        str(turn["content"])
    if not 0 <= int(record["mistake_step"]) < len(record["history"]):
        raise ValueError("mistake_step names no turn")
    return {**record, "question": str(record["question"]), "mistake_agent": str(record["mistake_agent"])}
