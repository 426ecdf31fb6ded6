"""Records of a file as evaluations and responses of a loop: all are read, or every wrong one is named.

Reads records that it is given; writes nothing.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from auditing.research.rado.core import Dialogue, parse_dialogue, parse_evaluation
from auditing.research.rado.core import Evaluation as EvaluationValue

MOST_EVALUATIONS = 20_000
MOST_ITEMS = 5_000


class EvaluationsRefusedError(ValueError):
    """These evaluations cannot be taken in; each one that is wrong is named."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("; ".join(problems[:20]))
        self.problems = problems


class ItemsRefusedError(ValueError):
    """These responses cannot be taken in; each one that is wrong is named."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("; ".join(problems[:20]))
        self.problems = problems


@dataclass(frozen=True, slots=True)
class IncomingEvaluation:
    """One evaluation as it came in."""

    key: str
    problem: str
    prompt: str
    evaluation: EvaluationValue
    audit: Dialogue | None = None
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """A response to a problem that is still to be evaluated; `prompt` holds both.

    question, response: the two apart, where the file has them so. reference: the right answer, for the reward model
    alone.
    """

    key: str
    problem: str
    prompt: str
    question: str = ""
    response: str = ""
    reference: str = ""

    def as_json(self) -> dict[str, str]:
        """Values for the block."""
        return asdict(self)


def read_evaluations(*, records: Iterable[Mapping[str, Any]]) -> list[IncomingEvaluation]:
    """Records {id, problem, prompt, evaluation, audit?, audit_confidence?}.

    Raises EvaluationsRefusedError naming each.
    """
    evaluations: dict[str, IncomingEvaluation] = {}
    problems: list[str] = []
    for number, record in enumerate(records, start=1):
        try:
            evaluation = _incoming(record)
            if evaluation.key in evaluations:
                raise ValueError(f"id {evaluation.key} came before")
            evaluations[evaluation.key] = evaluation
        except ValueError as error:
            problems.append(f"record {number}: {error}")
        # Stop early: a file of the wrong kind has as many faults as lines.
        if len(problems) >= 20 or number > MOST_EVALUATIONS:
            problems += [f"more than {MOST_EVALUATIONS} records"] if number > MOST_EVALUATIONS else []
            break
    if problems or not evaluations:
        raise EvaluationsRefusedError(problems or ["there is no evaluation"])
    return list(evaluations.values())


def _incoming(record: Mapping[str, Any]) -> IncomingEvaluation:
    def text(name: str, longest: int) -> str:
        # Ids may come as integers.
        value = record.get(name)
        if not isinstance(value, str | int) or not str(value).strip() or len(str(value)) > longest:
            raise ValueError(f"{name} must be a text of 1 to {longest} characters")
        return str(value)

    audit, sure = record.get("audit"), record.get("audit_confidence")
    if sure is not None and (not isinstance(sure, int | float) or not 0 <= sure <= 1):
        raise ValueError("audit_confidence must lie between 0 and 1")
    return IncomingEvaluation(
        text("id", 120),
        text("problem", 120),
        text("prompt", 100_000),
        parse_evaluation(text("evaluation", 50_000)),
        None if audit is None else parse_dialogue(text("audit", 100_000)),
        None if sure is None else float(sure),
    )


def item_prompt(*, question: str, response: str) -> str:
    """What a reward model is shown of a response.

    >>> item_prompt(question="1 + 1?", response="2").splitlines()[-1]
    '2'
    """
    return f"Problem:\n{question}\n\nResponse:\n{response}"


def read_items(*, records: Iterable[Mapping[str, Any]]) -> list[Item]:
    """Records {id, problem, prompt}, or {id, problem, question, response}; gold where the right answer is known.

    Raises ItemsRefusedError naming each that is wrong.
    """
    items: dict[str, Item] = {}
    problems: list[str] = []
    for number, record in enumerate(records, start=1):
        names = ("id", "problem", "prompt", "question", "response", "gold")
        key, problem, prompt, question, response, gold = (str(record.get(name) or "").strip() for name in names)
        if question and response:
            prompt = item_prompt(question=question, response=response)
        if not (0 < len(key) <= 100 and 0 < len(problem) <= 120 and 0 < len(prompt) <= 100_000) or len(gold) > 2000:
            problems.append(
                f"record {number}: needs id (100 characters at most), problem (120), and prompt, or question and "
                "response (100000); gold has 2000 at most"
            )
        elif key in items:
            problems.append(f"record {number}: id {key} came before")
        else:
            items[key] = Item(key, problem, prompt, question, response, gold)
        # Twenty lines show what is wrong with a file; its end need not be read for that.
        if len(problems) >= 20 or number > MOST_ITEMS:
            problems += [f"more than {MOST_ITEMS} records"] if number > MOST_ITEMS else []
            break
    if problems or not items:
        raise ItemsRefusedError(problems or ["there is no response"])
    return list(items.values())
