"""Texts of causal audits: queries with the reasoning that an agent wrote, trials with both traces.

Reads CausalBatch; writes CausalBatch, CausalTrial, Block.
"""

from dataclasses import asdict, dataclass

from django.db import transaction

from auditing.models import Audit
from auditing.research.causal.core import Planned, strength
from auditing.research.causal.reruns.endpoint import Tried
from auditing.research.models import CausalBatch, CausalTrial
from auditing.research.rado.policy_sampling import policy_question
from hdag.chat.client import ChatClient
from hdag.chat.errors import NoAnswerError
from hdag.core.errors import HdagError
from hdag.core.steps import StepGraph
from hdag.core.values import Graph, Trace
from hdag.readers.records import read_record
from hdag.store import content

__all__ = ["Subject", "store_trial", "trial_key", "written_traces"]


@dataclass(frozen=True, slots=True)
class Subject:
    """One trace of a batch with its graph; `audit` is None for a public one and for a query."""

    name: str
    audit: Audit | None
    trace: Trace
    graph: Graph
    steps: StepGraph

    @property
    def texts(self) -> dict[str, str]:
        """The steps in reading order."""
        texts = {segment.id: segment.content for segment in self.graph.segments}
        return {key: texts[key] for key in self.steps.nodes}


def trial_key(*, planned: Planned) -> tuple[str, str]:
    """What tells a trial of one trace from another."""
    return planned.label[:400], str(planned.kinds[0])


def written_traces(*, batch: CausalBatch, client: ChatClient) -> list[tuple[str, Trace]]:
    """R(q) of every query of the batch: its reasoning and answer by the agent, written once and kept.

    A query that the agent does not answer has no trace; the next run of the batch asks again.
    """
    if batch.queries is None:
        return []
    # Rows grow from {problem} to {problem, thinking, answer}.
    rows = content.read_json(batch.queries)
    wanting = [row for row in rows if "answer" not in row]
    for number, row in enumerate(wanting):
        question = policy_question(problem=row["problem"], sample=number, temperature=0.0)
        try:
            row |= client.ask(question=question, account=f"causal:{batch.pk}").data
        except NoAnswerError:
            continue
    # A run that goes on later must change the same reasoning, not another that the agent would write then.
    if any("answer" in row for row in wanting):
        with transaction.atomic():
            batch.queries = content.store_json(rows)
            batch.save(update_fields=["queries"])
    return [(f"query {number}", trace) for number, row in enumerate(rows, 1) if (trace := _trace_of(row)) is not None]


def _trace_of(row: dict[str, str]) -> Trace | None:
    if "answer" not in row:
        return None
    try:
        return read_record(row, where="query")
    # An answer that is no trace, for example too long: nothing can be changed in it.
    except HdagError:
        return None


def store_trial(*, batch: CausalBatch, subject: Subject, planned: Planned, tried: Tried) -> None:
    """One trial with its texts, which only its block holds."""
    made, causal, (label, kind) = tried.made[0], tried.causal, trial_key(planned=planned)
    texts = {
        "before": list(tried.before),
        "after": list(tried.after),
        "answer": tried.trial.answer,
        "answer_after": tried.trial.answer_after,
        "reached": list(tried.reached),
        "calls": list(tried.calls),
        "control_answer": tried.control_answer,
        "why_not": tried.why_not,
    }
    with transaction.atomic():
        CausalTrial.objects.create(
            batch=batch,
            audit=subject.audit,
            trace=subject.name,
            label=label,
            kind=kind,
            rule=made.rule,
            reaction=causal.reaction,
            violation=causal.violation,
            paper_violation=causal.paper_violation,
            phi=causal.phi,
            phi_net=causal.phi_net,
            severity=causal.severity,
            strength=strength(intervention=made),
            load_bearing=tried.trial.load_bearing,
            similarity=asdict(tried.trial.similarity),
            sentence=causal.sentence,
            block=content.store_json(texts),
        )
