"""MR-Score with graded reasons: a grader says whether the reason given for an error is the annotated one.

The benchmark had reasons graded by people, later by GPT-4; here an endpoint grades. Source: MR-GSM8K and MR-Ben (Zeng
et al., 2024): .2 max(0, MCC) + .3 ACC_step + .5 ACC_reason.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from auditing.research.studies.instruments.examination import examine
from auditing.research.studies.instruments.forecasts import tell_forecast
from auditing.research.studies.instruments.labelled import Labelled
from auditing.research.studies.instruments.model_tier import (
    CountingClient,
    ModelTier,
    UnansweredError,
    in_parallel,
    step_segments,
)
from auditing.research.studies.instruments.runner import Cell, Run, Table
from auditing.research.studies.steps.measures import mr_score
from hdag.chat.errors import NoAnswerError
from hdag.chat.fence import fenced_question
from hdag.chat.question import Question, one_of

__all__ = ["Named", "grade_question", "graded_table", "reference_of"]

_RULES = """A solver's `step` of a solution to `problem` is wrong, and `reference` says why, as a person annotated it. \
`reason` is what a critic gave. Is it the same error, in whatever words? Write `why` first, then `same`: "yes" only if \
the critic names what is wrong with the step, "no" if it names something else or nothing that can be checked."""


@dataclass(frozen=True, slots=True)
class Named:
    """A trace, its annotated reason, and the first step that the model called wrong (None for none)."""

    labelled: Labelled
    reference: str
    first: int | None


def reference_of(record: Mapping[str, Any]) -> str:
    """The annotated reason of a record, as MR-Ben, MR-GSM8K or one's own file has it; "" for none."""
    names = ("Model_Solution_Error_Reason", "model_output_solution_first_error_reason", "error_reason")
    value = next((record[name] for name in names if record.get(name)), "")
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def graded_table(*, run: Run, rows: Sequence[Named], model: ModelTier, grader: CountingClient) -> Table:
    """MR-Score of the model's critiques, each reason graded once. Reasons that nobody annotated cannot be right."""
    # A reason can only be right for the step that was annotated, so nothing else is worth a question.
    hits = [row for row in rows if row.first is not None and row.first == row.labelled.first_error and row.reference]
    size = sum(len(row.reference) + len(row.labelled.trace.problem) for row in hits)
    tell_forecast(run=run, client=grader, purpose="reason_grade", calls=len(hits), characters=2 * size)
    workers = grader.endpoint.max_concurrency
    grades = in_parallel(work=lambda row: _is_same(row, model, grader, "study:all_steps"), items=hits, workers=workers)
    wrong = sum(row.labelled.first_error is not None for row in rows)
    score = mr_score(labels=[row.labelled.first_error for row in rows], predicted=[row.first for row in rows])
    right = sum(grade is True for grade in grades)
    reasons = right / wrong if wrong else None
    whole = None if score.at_least is None or reasons is None else score.at_least + 0.5 * reasons
    cells: list[Cell] = [model.name, len(rows), wrong, score.mcc, score.named, reasons, whole, grades.count(None)]
    columns = ("critic", "traces", "wrong", "MCC", "ACC step", "ACC reason", "MR-Score", "ungraded")
    note = f"Graded by {grader.endpoint.name}; an ungraded reason counts as wrong, and so does one for a step that the "
    return Table("MR-Score with graded reasons", columns, [cells], f"{note}computer tier settled without a model.")


def grade_question(*, problem: str, step: str, reference: str, reason: str) -> Question:
    """What the grader is asked."""
    data = {"problem": problem, "step": step, "reference": reference, "reason": reason}
    properties = {"why": {"type": "string", "maxLength": 2000}, "same": one_of("no", "yes")}
    return fenced_question(purpose="reason_grade", rules=_RULES, data=data, properties=properties)


def _is_same(row: Named, model: ModelTier, grader: CountingClient, account: str) -> bool | None:
    trace, step = row.labelled.trace, next(step for step in row.labelled.trace.steps if step.index == row.first)
    reason = _reason(row, model)
    if not reason:
        return False
    text = trace.thinking[step.start : step.end]
    question = grade_question(problem=trace.problem, step=text, reference=row.reference, reason=reason)
    try:
        return bool(grader.ask(question=question, account=account).data["same"] == "yes")
    except NoAnswerError:
        return None


def _reason(row: Named, model: ModelTier) -> str:
    """The model's own words on the step; its answers are kept, so that this asks nobody again."""
    graph = examine(trace=row.labelled.trace).graph
    for segment in step_segments(graph=graph):
        if segment.step != row.first:
            continue
        try:
            judged = model.judge(trace=row.labelled.trace, graph=graph, segment=segment)
        except UnansweredError:
            return ""
        # A step may hold several segments; the first that failed it is the one that was counted.
        if judged.fails:
            return judged.reason
    return ""
