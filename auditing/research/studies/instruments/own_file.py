"""A researcher's own file in place of a public set: one JSON object a line, in one of a few shapes.

Every line that cannot be used is counted with its reason, so that a study says how much of the file it measured.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from auditing.research.studies.instruments.labelled import (
    SOURCES,
    DataMissingError,
    Labelled,
    Record,
    files_of,
    read_labelled,
)
from auditing.research.studies.instruments.runner import Run
from hdag.core.errors import BadRecordError
from hdag.readers.files import MARK
from hdag.readers.records import read_record

__all__ = ["SHAPES", "labelled_sets", "own_records", "read_own"]

_Value = TypeVar("_Value")

# What a line of one's own file holds, by the shape that a study reads; printed where a file is refused or asked for.
SHAPES = {
    "steps": "problem, steps (a list of text) and label (first wrong step from 0, -1 for none), as in ProcessBench",
    "answers": "problem, thinking or steps, answer, and gold or correct; lines of one problem are its samples",
    "graphs": "problem, steps with step_id, edge, direct_dependent_steps and node, answer, and gold or correct",
    "votes": "item, auditor and choice (pass, fail or abstain)",
    "logs": "question, history (turns with name and content), mistake_step (from 0) and mistake_agent",
    "arms": "problem, steps and label to be judged; or recorded votes: arm, trace, right, unit, auditor, tier, choice",
    "authors": "author, problem, thinking and correct to be judged; or judge, author, passed, segment and correct",
    "evaluations": "problem, response, evaluation ([1, 0] and why) and label (1: it is right, 0: it is not)",
    "judgements": "judge, author, passed, segment and correct",
}
# Which public set has records of this shape: the fields that tell it, the most telling ones first.
_TOLD_BY = {
    "mr_ben": "Model_Solution_Steps",
    "stepverify": "student_incorrect_solution",
    "prmbench": "modified_process",
    "bigbench_mistake": "mistake_index",
    "mr_gsm8k": "model_output_solution_first_error_step",
    "deltabench": "error_section_numbers",
}


def read_own(path: Path) -> Iterator[tuple[int, Record | None]]:
    """(line number from 1, its object or None) of every line that is not blank. Raises DataMissingError."""
    try:
        lines = path.read_bytes().removeprefix(MARK).splitlines()
    except OSError as error:
        raise DataMissingError(f"{path.name} cannot be read: {error.strerror or error}") from None
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield number, _object(line)


def own_records(*, run: Run, make: Callable[[Record], _Value]) -> list[_Value]:
    """What `make` gives for every line of the run's own file, up to its limit; a line that it refuses is counted.

    `make` refuses by ValueError, KeyError or TypeError. Raises DataMissingError when no line can be used.
    """
    if run.file is None:
        raise ValueError("this run has no file of its own")
    values: list[_Value] = []
    for number, record in read_own(run.file):
        # Lines, not values: refused ones count too, or a bad file would be read to its end.
        if run.limit is not None and run.reading.lines >= run.limit:
            break
        try:
            values.append(make(_whole(record)))
        except KeyError as error:
            run.reading.refuse(number, f"{error.args[0]} is missing")
        except (TypeError, ValueError, AttributeError, IndexError) as error:
            run.reading.refuse(number, str(error))
        else:
            run.reading.read += 1
            run.reading.simulated += _whole(record).get("simulated") is True
    if not values:
        raise _nothing_usable(run, run.file.name)
    return values


def _whole(record: Record | None) -> Record:
    if record is None:
        raise ValueError("is no JSON object")
    return record


def _nothing_usable(run: Run, name: str) -> DataMissingError:
    told = f": {run.reading.refused[0]}" if run.reading.refused else ": it is empty"
    return DataMissingError(f"no line of {name} can be used{told}. A line holds {SHAPES.get(run.shape, '')}")


def labelled_sets(*, run: Run, name: str, most: int) -> Iterator[tuple[str, list[Labelled]]]:
    """(name, labelled traces) of the run's own file, or of each file of the public set, at most `most` of a file."""
    if run.file is not None:
        yield run.file.stem, own_records(run=run, make=labelled_of)
        return
    for path in files_of(name=name, data=run.data):
        yield path.stem, read_labelled(name=name, path=path, most=most if run.limit is None else run.limit)


def labelled_of(record: Record) -> Labelled:
    """A labelled trace, of whichever known set the record has the fields. Raises ValueError, KeyError, TypeError."""
    source = next((name for name, field in _TOLD_BY.items() if field in record), "processbench")
    fields, first_error = SOURCES[source].read(record)
    trace = read_record(fields, where="record")
    if isinstance(record.get("label"), bool) or (first_error is not None and first_error >= len(fields["steps"])):
        raise BadRecordError(where="record", field="label", reason="names no step")
    return Labelled(trace, first_error)


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(line)
    # A deep nest of brackets ends in a RecursionError.
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
