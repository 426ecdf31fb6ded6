"""The model tier of an offline audit: judges of one endpoint read the passages that the computer leaves open.

In memory: no people, no seals, no ledger; the record says who judged what. Judges of one endpoint are one family, so
their votes are weighed as correlated. Every answer is kept in a notebook beside the output by the content of its
question: a run that was killed, or that has holes, asks only for what is missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from auditing.core.consensus import tally_round
from auditing.core.consensus.skills import prior_skill
from auditing.core.policy import DEFAULT, Policy
from auditing.core.values import Choice, Outcome, Tier, Vote
from auditing.research.studies.instruments.model_tier import ModelTier
from auditing.services.model_tier.judges.answer import JudgeAnswer, NoVote
from auditing.services.model_tier.judges.judge import ask_judge, judge_question
from auditing.services.model_tier.judges.shown import Dependency, ShownContext
from hdag.chat.endpoint import EndpointSettings, MaySee
from hdag.chat.request import request_body
from hdag.chat.usage import NOTHING_SPENT, Spent, Usage

Record = dict[str, Any]
TOGETHER = 100  # records whose questions are in flight together
TEMPERATURE = 0.7  # of every judge but the first: without it they would say the same
_BYTES_A_TOKEN = 4  # about, for the forecast
_USUAL_ANSWER = 350  # tokens


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a run will take at the most in calls, and about that in tokens and money."""

    records: int
    calls: int
    usage: Usage
    spent: Spent


@dataclass(frozen=True, slots=True)
class Judges:
    """One endpoint asked `count` times about each passage."""

    model: ModelTier
    count: int = 3
    policy: Policy = DEFAULT

    def judge(self, records: Iterable[tuple[Record, str]]) -> Iterator[tuple[Record, Spent]]:
        """Every record (with the problem of its trace) with `judgements`, in order, and what that took."""
        source = iter(records)
        # In chunks: questions of several traces fill the endpoint's places, and a file of millions is never held whole.
        while chunk := list(islice(source, TOGETHER)):
            questions = [
                (index, unit, sample)
                for index, (record, problem) in enumerate(chunk)
                for unit in open_units(record=record, problem=problem)
                for sample in range(self.count)
            ]
            answers = self.model.in_parallel(lambda asked: self._ask(asked[1].shown, asked[2]), questions)
            for index, (record, _) in enumerate(chunk):
                pairs = zip(questions, answers, strict=True)
                own = [(unit, answer) for (number, unit, _), answer in pairs if number == index]
                yield self._judged(record, own), sum((answer.spent for _, answer in own), NOTHING_SPENT)

    def _ask(self, context: ShownContext, sample: int) -> JudgeAnswer | NoVote:
        client = self.model.client
        temperature = TEMPERATURE if sample else 0.0
        answer = ask_judge(
            client=client, shown=context, account=self.model.account, sample=sample, temperature=temperature
        )
        if isinstance(answer, JudgeAnswer) and answer.vote is Choice.ABSTAIN:
            client.tally.count_abstention()
        return answer

    def _judged(self, record: Record, own: Sequence[tuple[Unit, JudgeAnswer | NoVote]]) -> Record:
        if "error" in record:
            return record
        units = {unit.id: unit for unit, _ in own}
        judgements = [
            self._judgement(unit, [answer for asked, answer in own if asked.id == unit.id]) for unit in units.values()
        ]
        failed = sum(len(judgement["unanswered"]) for judgement in judgements)
        coverage = {"asked": len(own), "answered": len(own) - failed, "failed": failed}
        return {
            **record,
            "outcome": _outcome(record, judgements),
            "computer_outcome": record["outcome"],
            "first_error": _first_error(record, judgements),
            "judgements": judgements,
            "coverage": coverage,
        }

    def _judgement(self, unit: Unit, answers: Sequence[JudgeAnswer | NoVote]) -> Record:
        """The round of one unit: its votes, tallied as votes of one family."""
        named = [(f"judge {number}", answer) for number, answer in enumerate(answers, 1)]
        votes = [
            Vote(answer.vote, name, Tier.LLM, answer.confidence)
            for name, answer in named
            if isinstance(answer, JudgeAnswer)
        ]
        family = self.model.client.endpoint.family or self.model.name
        skills = {vote.auditor: prior_skill(policy=self.policy, tier=Tier.LLM, family=family) for vote in votes}
        tally = tally_round(votes=votes, policy=self.policy, tier=Tier.LLM, skills=skills, k=self.count)
        return {
            "unit": unit.id,
            "segments": list(unit.segments),
            # Without a vote there is no round, and nothing is assumed in its place.
            "outcome": tally.outcome.value if votes else Outcome.UNDECIDED.value,
            "posterior": float(tally.posterior) if votes else None,
            "votes": [_vote_record(name, answer) for name, answer in named if isinstance(answer, JudgeAnswer)],
            "unanswered": [
                {"auditor": name, "failure": answer.failure, "reason": answer.reason}
                for name, answer in named
                if isinstance(answer, NoVote)
            ],
        }


@dataclass(frozen=True, slots=True)
class Unit:
    """What one judge reads at once: a passage, or a seat about the whole plan."""

    id: str
    segments: tuple[str, ...]
    shown: ShownContext


def open_units(*, record: Mapping[str, Any], problem: str) -> list[Unit]:
    """The passages and plan seats of a record that the computer has not decided; none of a record with an error."""
    if "error" in record:
        return []
    contents = {segment["id"]: segment["content"] for segment in record["segments"]}
    premises = {segment["id"]: segment["premises"] for segment in record["segments"]}
    rows = [row for row in record["passages"] if row["asked"] and row["tier"] != Tier.COMPUTER.value]
    units = []
    for row in (*rows, *record["plan_seats"]):
        inside = tuple(row["segments"])
        # A dict, not a set: premises are shown in the order in which they are leant on, and each once.
        outside = dict.fromkeys(key for label in inside for key in premises.get(label, ()) if key not in inside)
        context = ShownContext(
            context=problem,
            reasoning=row["text"],
            dependencies=tuple(Dependency(key, contents[key]) for key in outside if key in contents),
            focus=row.get("question", ""),
            scope=MaySee.TRACES,
        )
        if row["text"].strip():
            units.append(Unit(row["id"], inside, context))
    return units


def forecast(*, records: Iterable[tuple[Record, str]], endpoint: EndpointSettings, judges: int) -> Forecast:
    """Calls, tokens and money of judging these records, before anything is asked."""
    total = calls = read = 0
    for record, problem in records:
        total += 1
        for unit in open_units(record=record, problem=problem):
            body = request_body(endpoint=endpoint, question=judge_question(shown=unit.shown))
            read += judges * len(str(body).encode()) // _BYTES_A_TOKEN
            calls += judges
    usage = Usage(read, calls * (_USUAL_ANSWER + endpoint.thinking_tokens // 4))
    return Forecast(total, calls, usage, Spent(usage, endpoint.prices.cost(usage), calls))


def _vote_record(name: str, answer: JudgeAnswer) -> Record:
    return {
        "auditor": name,
        "model": answer.model,
        "vote": answer.vote.value,
        "confidence": answer.confidence,
        "error_type": answer.error_type.value if answer.error_type else None,
        "is_propagated": answer.is_propagated,
        "reason": answer.reason,
        "quotes": list(answer.quotes),
        "signs": [sign.kind for sign in answer.signs],
    }


def _outcome(record: Record, judgements: Sequence[Record]) -> str:
    """Failed where the computer or a round fails; passed where every round passes; else undecided."""
    outcomes = {judgement["outcome"] for judgement in judgements}
    if record["outcome"] == Outcome.FAIL.value or Outcome.FAIL.value in outcomes:
        return Outcome.FAIL.value
    return Outcome.PASS.value if outcomes == {Outcome.PASS.value} else str(record["outcome"])


def _first_error(record: Record, judgements: Sequence[Record]) -> Record | None:
    """Where it first goes wrong, in reading order: a segment that the computer refutes, or one of a failed passage."""
    failed = {label: "computer" for segment in record["segments"] if (label := _refuted(segment))}
    for judgement in judgements:
        if judgement["outcome"] == Outcome.FAIL.value:
            failed.setdefault(_quoted(record, judgement), "llm")
    order = [segment["id"] for segment in record["segments"]]
    first = min((label for label in failed if label in order), key=order.index, default=None)
    if first is None:
        return None
    segment = record["segments"][order.index(first)]
    return {"segment": first, "step": segment["step"], "tier": failed[first], "content": segment["content"]}


def _refuted(segment: Record) -> str:
    return str(segment["id"]) if segment["vote"] == Choice.FAIL.value else ""


def _quoted(record: Record, judgement: Record) -> str:
    """The segment of a failed unit that holds a quotation of those who fail it; else its first."""
    contents = {segment["id"]: segment["content"] for segment in record["segments"]}
    quotes = [quote for vote in judgement["votes"] if vote["vote"] == Choice.FAIL.value for quote in vote["quotes"]]
    holding = (label for label in judgement["segments"] if any(quote in contents.get(label, "") for quote in quotes))
    first = judgement["segments"][0] if judgement["segments"] else ""
    return str(next(holding, first))
