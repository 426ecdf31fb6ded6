"""Solutions by known authors: recorded ones of GSM8K, one's own file, or written by endpoints when asked."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from auditing.checker.answers import same_answer
from auditing.core.model_tier.families import family_of
from auditing.research.rado.policy_sampling import policy_question
from auditing.research.studies.instruments.forecasts import tell_forecast
from auditing.research.studies.instruments.labelled import Labelled, Record, evenly, get_public_file, read_lines
from auditing.research.studies.instruments.model_tier import CountingClient, in_parallel
from auditing.research.studies.instruments.own_answers import gold_of, is_right
from auditing.research.studies.instruments.runner import Run
from hdag.chat.errors import NoAnswerError
from hdag.core.values import Trace
from hdag.readers.records import read_record

__all__ = ["RECORDED", "Solution", "family", "read_solution", "recorded_solutions", "written_solutions"]

RECORDED = ("6b_finetuning", "6b_verification", "175b_finetuning", "175b_verification")


@dataclass(frozen=True, slots=True)
class Solution:
    """One author's trace of one problem, and whether its final answer is right."""

    id: str
    author: str
    trace: Trace
    is_right: bool

    def labelled(self, *, first_error: int | None) -> Labelled:
        """As the cuts read it."""
        return Labelled(self.trace, first_error)


def read_solution(record: Record) -> Solution:
    """A line: author, problem, thinking or steps, and correct, or answer and gold. Raises KeyError, ValueError."""
    author, right = str(record["author"]), is_right(record)
    trace = read_record({key: record[key] for key in _FIELDS if key in record}, where="record")
    return Solution(str(record.get("id") or f"{author}: {trace.problem[:60]}"), author, trace, right)


_FIELDS = ("problem", "thinking", "steps", "answer")


def recorded_solutions(*, run: Run, problems: int) -> list[Solution]:
    """Four models' solutions of the same GSM8K problems, with their recorded correctness. Raises DataMissingError."""
    path = get_public_file(name="gsm8k", file="example_model_solutions.jsonl", data=run.data)
    solutions = []
    for number, record in evenly(list(read_lines(path)), problems):
        for author in RECORDED:
            text, _, answer = str(record[author]["solution"]).rpartition("\nA:")
            fields = {"problem": record["question"], "thinking": text or answer, "answer": answer.strip()}
            trace = read_record(fields, where=f"line {number}")
            solutions.append(Solution(f"{number} {author}", author, trace, bool(record[author]["is_correct"])))
    return solutions


def written_solutions(*, run: Run, authors: Sequence[CountingClient], problems: int, account: str) -> list[Solution]:
    """A solution of each author of the same GSM8K problems, its answer compared with the gold one.

    An author that gives no answer has no solution of that problem. Raises DataMissingError.
    """
    path = get_public_file(name="gsm8k", file="test.jsonl", data=run.data)
    records = evenly(list(read_lines(path)), problems)
    size = sum(len(str(record["question"])) for _, record in records)
    for client in authors:
        tell_forecast(run=run, client=client, purpose="policy", calls=len(records), characters=size)
    pairs = [(client, number, record) for number, record in records for client in authors]
    workers = min(client.endpoint.max_concurrency for client in authors)
    written = in_parallel(work=lambda pair: _write(*pair, account=account), items=pairs, workers=workers)
    return [solution for solution in written if solution is not None]


def family(client: CountingClient) -> str:
    """The family of an endpoint: as it states, else by the name of its model."""
    return client.endpoint.family or family_of(model=client.endpoint.model)


def _write(client: CountingClient, number: int, record: Record, *, account: str) -> Solution | None:
    problem = str(record["question"])
    try:
        data: Any = client.ask(question=policy_question(problem=problem), account=account).data
    except NoAnswerError:
        return None
    fields = {"problem": problem, "thinking": data["thinking"], "answer": data["answer"]}
    right = same_answer(first=data["answer"], second=gold_of({"gold": record["answer"]}))
    return Solution(
        f"{number} {client.endpoint.name}", family(client), read_record(fields, where=f"line {number}"), right
    )
