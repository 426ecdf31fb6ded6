"""Study `tool_audits`: audits of a reward model's evaluations with tools and without, beside the computer tier.

Reads one's own lines {problem, response, evaluation, label}: an evaluation as RADO writes it ("[1, 0] and why") and
whether it is right (1) or not (0). Options: endpoint (audits each of them twice, with its tools and in one answer),
turns (most turns with tools, 8). Source: RADO, section 4 (audits with and without tools).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from auditing.core.consensus.proportions import wilson_interval
from auditing.core.values import Choice
from auditing.research.rado.core import Evaluation, parse_evaluation
from auditing.research.rado.core.rates import rates_of
from auditing.research.rado.evaluation_audit import EvaluationAudit
from auditing.research.studies.instruments.examination import examine
from auditing.research.studies.instruments.forecasts import tell_forecast
from auditing.research.studies.instruments.labelled import DataMissingError, Record
from auditing.research.studies.instruments.model_tier import ModelTier, open_model
from auditing.research.studies.instruments.own_file import own_records
from auditing.research.studies.instruments.plots import detection_table, reliability
from auditing.research.studies.instruments.runner import Cell, Report, Run, Table, study
from auditing.services.model_tier.judges.answer import NoVote
from auditing.services.model_tier.judges.audit_model import AuditAnswer, audit_with_tools
from auditing.services.model_tier.judges.tools import Toolbox
from hdag.chat.errors import NoAnswerError
from hdag.chat.fence import fenced_question
from hdag.chat.question import Question, one_of
from hdag.core.errors import HdagError
from hdag.readers.records import read_record

__all__ = ["plain_audit_question", "run_tool_audits"]

_RULES = """`evaluation` is another model's judgement of `response` to `question`: a reason score and an answer score, \
1 good and 0 bad, and a rationale. Audit whether that judgement is right, by reading alone. `vote` "pass" if it is \
right, "fail" if not, "abstain" if this cannot be settled; `confidence`, the probability from .5 to 1 that your vote \
is right; `reason` in at most six sentences, before the vote."""
COMPUTER, TOOLS, PLAIN = "computer", "with tools", "without tools"


@dataclass(frozen=True, slots=True)
class Case:
    """One evaluation of one response, and whether it is right."""

    problem: str
    response: str
    evaluation: Evaluation
    is_right: bool

    @property
    def subject(self) -> EvaluationAudit:
        """As it is shown to an audit model."""
        return EvaluationAudit(question=self.problem, response=self.response, evaluation=self.evaluation)


@dataclass(frozen=True, slots=True)
class Word:
    """What one arm says of a case: right, wrong or None for neither; how sure, .5 to 1."""

    vote: bool | None
    confidence: float = 1.0


def case_of(record: Record) -> Case:
    """Raises ValueError, KeyError where a field is missing or is no evaluation."""
    label = record["label"]
    if label not in (0, 1):
        raise ValueError("label is 1 (the evaluation is right) or 0")
    return Case(
        str(record["problem"]), str(record["response"]), parse_evaluation(str(record["evaluation"])), bool(label)
    )


@study(
    "tool_audits", "Audits of evaluations with tools and without", reads="evaluations", options=("endpoint", "turns")
)
def run_tool_audits(run: Run) -> Report:
    """One row an arm: accuracy, what it finds, and with tools how often they are called, refused and overruled."""
    if run.file is None:
        raise DataMissingError("tool_audits reads a file of evaluations with their labels (--file)")
    cases = own_records(run=run, make=case_of)
    arms: dict[str, list[Word | None]] = {COMPUTER: [_by_computer(case) for case in cases]}
    # Tool turns are counted over audits that ended in a vote; the others are in the coverage of the report.
    audits: list[AuditAnswer] = []
    with open_model(run=run, study="tool_audits") as model:
        if model is not None:
            turns = run.number("turns", 8)
            size = sum(len(case.subject.text) for case in cases)
            calls = len(cases) * (turns + 1)
            tell_forecast(
                run=run, client=model.client, purpose="audit_turn", calls=calls, characters=size * (turns + 1)
            )
            pairs = model.in_parallel(lambda case: (_with_tools(case, model, turns), _plain(case, model)), cases)
            audits = [answer for answer, _ in pairs if answer is not None]
            arms[f"{model.name}, {TOOLS}"] = [_word_of(answer) for answer, _ in pairs]
            arms[f"{model.name}, {PLAIN}"] = [word for _, word in pairs]
    return _report(run, cases, arms, audits)


def plain_audit_question(*, case: Case) -> Question:
    """What is asked without tools."""
    return fenced_question(
        purpose="audit_plain",
        rules=_RULES,
        data=case.subject.untrusted,
        properties={
            "reason": {"type": "string", "maxLength": 4000},
            "vote": one_of("abstain", "pass", "fail"),
            "confidence": {"type": "number", "minimum": 0.5, "maximum": 1},
        },
    )


def _by_computer(case: Case) -> Word:
    """Wrong where the evaluation praises reasoning that a checker refutes with certainty; it can see nothing else."""
    try:
        trace = read_record({"problem": case.problem, "thinking": case.response}, where="response")
        refuted = any(vote.choice is Choice.FAIL for vote in examine(trace=trace).votes.values())
    except HdagError:
        return Word(None)
    return Word(False) if refuted and case.evaluation.reason == 1 else Word(None)


def _with_tools(case: Case, model: ModelTier, turns: int) -> AuditAnswer | None:
    answer = audit_with_tools(
        client=model.client, shown=case.subject, account=model.account, toolbox=Toolbox(), turns=turns
    )
    return None if isinstance(answer, NoVote) else answer


def _plain(case: Case, model: ModelTier) -> Word | None:
    try:
        data: dict[str, Any] = model.client.ask(question=plain_audit_question(case=case), account=model.account).data
    # Counted by the client; the case is then missing in this arm.
    except NoAnswerError:
        return None
    return _vote(Choice(data["vote"]), float(data["confidence"]))


def _word_of(answer: AuditAnswer | None) -> Word | None:
    return None if answer is None else _vote(answer.vote, answer.confidence)


def _vote(choice: Choice, confidence: float) -> Word:
    return Word(None if choice is Choice.ABSTAIN else choice is Choice.PASS, confidence)


def _report(
    run: Run, cases: Sequence[Case], arms: dict[str, list[Word | None]], audits: Sequence[AuditAnswer]
) -> Report:
    rows: list[list[Cell]] = []
    for name, answers in arms.items():
        judged = [(word, case) for word, case in zip(answers, cases, strict=True) if word is not None]
        voted = [(word, case) for word, case in judged if word.vote is not None]
        rate = wilson_interval(count=sum(word.vote == case.is_right for word, case in voted), of=len(voted))
        rows.append([name, len(judged), len(judged) - len(voted), rate.share, rate.low, rate.high])
    tables = [Table("Audits", ("arm", "evaluations", "abstained", "accuracy of votes", "low", "high"), rows)]
    called = {
        name: [
            (word.vote is False, not case.is_right)
            for word, case in zip(answers, cases, strict=True)
            if word is not None
        ]
        for name, answers in arms.items()
    }
    tables.append(detection_table(called=called, of="wrong evaluations"))
    for name, answers in list(arms.items())[1:]:
        stated = [(word, case) for word, case in zip(answers, cases, strict=True) if word and word.vote is not None]
        pairs = [(word.confidence, word.vote == case.is_right) for word, case in stated]
        tables.append(reliability(pairs=pairs, of=f"votes, {name}"))
    if len(arms) > 1:
        tables += [_paired(cases, *list(arms.values())[1:]), _rates_table(audits)]
    notes = [
        "The computer tier votes only where the evaluation praises what it refutes; elsewhere it abstains.",
        "" if len(arms) > 1 else "No endpoint was named (--endpoint NAME audits each evaluation twice).",
    ]
    columns = ("evaluation", "label", *arms)
    items: list[list[Cell]] = [
        [number + 1, int(case.is_right), *(_cell(answers[number]) for answers in arms.values())]
        for number, case in enumerate(cases)
    ]
    title = f"Audits of {run.file.name if run.file else ''}"
    return Report(title, tables, [note for note in notes if note], items=Table("Items", columns, items))


def _paired(cases: Sequence[Case], tools: Sequence[Word | None], plain: Sequence[Word | None]) -> Table:
    """Of the evaluations that both arms voted on: who was right."""
    # As McNemar's test wants them: the pairs in which both are right, or both wrong, say nothing of the tools.
    counts = {(True, True): 0, (True, False): 0, (False, True): 0, (False, False): 0}
    for case, first, second in zip(cases, tools, plain, strict=True):
        if first and second and first.vote is not None and second.vote is not None:
            counts[first.vote == case.is_right, second.vote == case.is_right] += 1
    names = ("both right", "only with tools", "only without", "neither")
    rows: list[list[Cell]] = [[name, count] for name, count in zip(names, counts.values(), strict=True)]
    return Table("On the same evaluations", ("who was right", "evaluations"), rows)


def _rates_table(audits: Sequence[AuditAnswer]) -> Table:
    calls = [call for audit in audits for call in audit.calls]
    measured = rates_of(
        audits=len(audits),
        calls=len(calls),
        refused=sum(not call.ok for call in calls),
        corrections=sum(audit.corrections for audit in audits),
        conflicts=sum(audit.conflict for audit in audits),
    )
    rows: list[list[Cell]] = [
        ["tool calls an audit", measured.calls_each],
        ["calls refused", measured.refused],
        ["answers that went back (parse errors)", measured.parse_errors],
        ["votes that pass what a tool refuted (conflicts)", measured.conflicts],
    ]
    return Table("With tools", ("rate", "value"), rows, f"{measured.audits} audits.")


def _cell(word: Word | None) -> str | None:
    if word is None:
        return None
    return "abstained" if word.vote is None else "right" if word.vote else "wrong"
