"""Study `wordings`: how often an endpoint errs on an entailment, and how far its other wordings err alike.

Asking again in other words is worth what its mistakes are independent: `Confirmed` takes an error rate, and this
measures it, with the correlation, for the endpoint that is asked. Options: endpoint (without it a simulated model at
the recorded rates), traces (most of a file, 4), wordings (3), scale=binary. Right steps of PARC are asked with all
their annotated premises, and with one of them missing; the first wrong step of a trace with all of them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from auditing.core.consensus.proportions import wilson_interval
from auditing.core.model_tier.families import Judgement, correlation_within, effective_votes
from auditing.core.soundness.entailment import EntailmentModel, Oracle, Query
from auditing.research.soundness.core.temperature import fit_temperature, log_loss, rescale
from auditing.research.studies.instruments.false_alarms import RECORDED
from auditing.research.studies.instruments.forecasts import tell_forecast
from auditing.research.studies.instruments.labelled import (
    DataMissingError,
    Labelled,
    Record,
    evenly,
    missing_set,
    read_lines,
)
from auditing.research.studies.instruments.model_tier import in_parallel, open_clients
from auditing.research.studies.instruments.own_file import labelled_of, own_records
from auditing.research.studies.instruments.runner import Cell, Report, Run, Table, study
from auditing.research.studies.steps.correlated_oracle import CorrelatedOracle
from auditing.services.model_tier.judges.entailment import ModelEntailment
from hdag.chat.errors import NoAnswerError

__all__ = ["Asked", "Kind", "questions_of_parc", "run_wordings", "tabulate"]

ACCOUNT = "study:wordings"
SIMULATED_CORRELATION = 0.5


class Kind(StrEnum):
    """What is asked, and so what is true."""

    COMPLETE = "right step, all its premises"
    MISSING = "right step, a premise missing"
    WRONG = "wrong step, all its premises"


@dataclass(frozen=True, slots=True)
class Asked:
    """One question with what is true of it, and the probability that each wording was answered with."""

    query: Query
    kind: Kind
    answers: tuple[float, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether the step follows."""
        return self.kind is Kind.COMPLETE


@study(
    "wordings",
    "Error rate of an endpoint on entailments, and how far its wordings err alike",
    reads="steps",
    options=("endpoint", "traces", "wordings", "scale"),
)
def run_wordings(run: Run) -> Report:
    """By kind of question: errors of the first wording and of the majority, correlation, what the wordings count as."""
    wordings = max(1, run.number("wordings", 3))
    questions = list(_questions(run))
    if not questions:
        raise DataMissingError("no step can be asked about")
    name = run.options.get("endpoint", "")
    if not name:
        answered = [_answer(asked, _simulated(asked, run.seed), wordings) for asked in questions]
        simulated = f"the model: it errs at the recorded rates, correlation {SIMULATED_CORRELATION:g}."
        return _report(run, answered, "a simulated model", wordings, simulated)
    with open_clients(run=run, names=[name], account=ACCOUNT) as clients:
        size = sum(len(text) for asked in questions for text in (*asked.query.premises, asked.query.hypothesis))
        tell_forecast(
            run=run,
            client=clients[0],
            purpose="entailment",
            calls=wordings * len(questions),
            characters=wordings * size,
        )
        model = ModelEntailment(clients[0], ACCOUNT, run.options.get("scale") != "binary")
        workers = clients[0].endpoint.max_concurrency
        answered = in_parallel(work=lambda asked: _answer(asked, model, wordings), items=questions, workers=workers)
    return _report(run, answered, model.name, wordings, "")


def _questions(run: Run) -> Iterator[Asked]:
    if run.file is not None:
        for number, labelled in enumerate(own_records(run=run, make=labelled_of)):
            yield from _own_questions(labelled, f"trace {number}")
        return
    most = run.limit or run.number("traces", 10**9 if run.full else 4)
    yield from questions_of_parc(run=run, most=most)


def _own_questions(labelled: Labelled, name: str) -> Iterator[Asked]:
    """One's own file annotates no premises: each step up to the first wrong one is asked beside everything earlier."""
    trace = labelled.trace
    texts = [trace.thinking[step.start : step.end] for step in trace.steps]
    for index, text in enumerate(texts):
        if labelled.first_error is not None and index > labelled.first_error:
            return
        kind = Kind.WRONG if index == labelled.first_error else Kind.COMPLETE
        yield Asked(Query((trace.problem, *texts[:index]), text, (), f"{name} {index}"), kind)


def questions_of_parc(*, run: Run, most: int) -> Iterator[Asked]:
    """Of at most `most` traces of each file. Raises DataMissingError."""
    folder = run.data / "parc"
    paths = sorted(folder.glob("*.jsonl"))
    if not paths:
        raise missing_set(name="parc", folder=folder, files="*_positives.jsonl and the others")
    for path in paths:
        for number, record in evenly(list(read_lines(path)), most):
            yield from _annotated(record, f"{path.stem} {number}")


def _annotated(record: Record, name: str) -> Iterator[Asked]:
    texts = list(record["steps"])
    labels = record["error_annotation"]["error_annotations"]["step_level"]
    rows = [row for row in record["premise_annotation"]["steps"] if 1 <= int(row["step_number"]) <= len(texts)]
    if len(labels) != len(texts) or len(rows) != len(texts):
        return
    wrong = {int(label["step_number"]) for label in labels if label["has_error"]}
    first_wrong = min(wrong, default=len(texts) + 1)
    for row in rows:
        step = int(row["step_number"])
        if step > first_wrong:
            continue
        # Step 0 is the problem, which is always shown; a premise that does not come before its step is no premise.
        cited = sorted({int(premise[0]) for premise in row["premises"] if 0 < int(premise[0]) < step})
        whole = Query((record["question"], *(texts[n - 1] for n in cited)), texts[step - 1], (), f"{name} {step}")
        if step == first_wrong:
            yield Asked(whole, Kind.WRONG)
            continue
        yield Asked(whole, Kind.COMPLETE)
        if cited:
            # Without its last premise, the step that it most likely goes on from.
            yield Asked(replace(whole, premises=whole.premises[:-1]), Kind.MISSING)


def _simulated(asked: Asked, seed: int) -> EntailmentModel:
    rate = RECORDED[asked.kind is Kind.MISSING]
    return CorrelatedOracle(Oracle(lambda query: asked.holds), rate, SIMULATED_CORRELATION, seed)


def _answer(asked: Asked, model: EntailmentModel, wordings: int) -> Asked:
    """The question with its answers; without all of them it has none."""
    try:
        answers = [model.entail([replace(asked.query, wording=wording)])[0] for wording in range(wordings)]
    except NoAnswerError:
        return asked
    return replace(asked, answers=tuple(answers))


def tabulate(*, asked: Sequence[Asked], kind: Kind | None, wordings: int) -> list[Cell]:
    """Questions, open ones, errors of the first wording with their interval, of the majority, correlation, worth.

    Undecided answers (.5) are open, neither right nor wrong; the majority of wordings leaves a tie open.
    """
    rows = [entry for entry in asked if entry.answers and kind in (None, entry.kind)]
    firsts = [entry for entry in rows if entry.answers[0] != 0.5]
    errors = sum((entry.answers[0] > 0.5) != entry.holds for entry in firsts)
    rate = wilson_interval(count=errors, of=len(firsts))
    # A margin above nought is a majority for "holds"; open answers vote on neither side.
    margins = [(sum(1 if p > 0.5 else -1 for p in entry.answers if p != 0.5), entry.holds) for entry in rows]
    decided = [(margin > 0) != holds for margin, holds in margins if margin]
    judgements = [
        Judgement("model", "", answer > 0.5, f"{number}", (answer > 0.5) == entry.holds)
        for number, entry in enumerate(rows)
        for answer in entry.answers
        if answer != 0.5
    ]
    # Wordings are taken for members of one family: what they share is what a second one does not add.
    correlation = correlation_within(judgements=judgements) if wordings > 1 else None
    worth = None if correlation is None else round(effective_votes(votes=wordings, correlation=correlation), 2)
    return [
        kind.value if kind else "all",
        len(rows),
        len(rows) - len(firsts),
        rate.share,
        rate.low,
        rate.high,
        sum(decided) / len(decided) if decided else None,
        correlation,
        worth,
    ]


def _temperature_tables(asked: Sequence[Asked]) -> list[Table]:
    """The temperature that fits the first wordings best; nothing where nobody answered.

    Questions with a premise missing are left out: there the model is asked to notice what it is not shown.
    """
    fitted = [entry for entry in asked if entry.answers and entry.kind is not Kind.MISSING]
    if not fitted:
        return []
    scores = np.array([entry.answers[0] for entry in fitted])
    labels = np.array([float(entry.holds) for entry in fitted])
    temperature = fit_temperature(scores=scores, labels=labels)
    after = log_loss(scores=rescale(scores=scores, temperature=temperature), labels=labels)
    row: list[Cell] = [len(fitted), round(temperature, 3), log_loss(scores=scores, labels=labels), after]
    note = "On the questions that it was fitted on; `soundness --temperature` and the study of that name take it."
    columns = ("questions", "temperature", "log loss as stated", "log loss at this temperature")
    return [Table("Temperature scaling", columns, [row], note)]


def _report(run: Run, asked: Sequence[Asked], model: str, wordings: int, simulated: str) -> Report:
    columns = (
        "question",
        "asked",
        "open",
        "wrong in the first wording",
        "low",
        "high",
        "wrong by majority",
        "correlation of errors",
        "wordings count as",
    )
    rows = [tabulate(asked=asked, kind=kind, wordings=wordings) for kind in (*Kind, None)]
    items: list[list[Cell]] = [
        [entry.query.hypothesis_id, entry.kind.value, int(entry.holds), *(round(answer, 4) for answer in entry.answers)]
        for entry in asked
        if entry.answers
    ]
    notes = [
        "Premises of PARC are annotated with the help of a model: a step whose missing premise is not needed after all "
        "counts as an error here.",
        f"Recorded of GPT-4o-mini: {RECORDED[0]:.1%} wrong on complete questions, {RECORDED[1]:.1%} with one missing.",
    ]
    return Report(
        "Errors of an entailment model by wording",
        [Table(f"{model}, {wordings} wordings", columns, rows), *_temperature_tables(asked)],
        notes,
        None,
        simulated,
        items=Table("Items", ("question", "kind", "follows", *(f"wording {n + 1}" for n in range(wordings))), items),
    )
