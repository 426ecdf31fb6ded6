"""Causal audits (Ariadne) as jobs, in rule mode. Reads recorded audits; writes CausalBatch, CausalTrial, Block."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

from auditing.core.faithfulness import Causal, InterventionKind, Reaction, Summary, strength, summarise
from auditing.core.faithfulness.rule_mode import Examined, examine_segment
from auditing.models import Audit, CausalBatch, CausalTrial
from auditing.selectors.audits import readable
from auditing.services import jobs
from auditing.services.doors import note
from hdag import content
from hdag.content import ContentGone
from hdag.core.steps import project_steps
from hdag.core.values import Graph, Trace
from hdag.decomposers.rules import RulesDecomposer
from hdag.selectors import load_graph, load_trace

MOST_PUBLIC = 200
Public = tuple[str, Trace]


def ask(*, owner: Any, title: str, audits: Iterable[Audit], public: int, seed: int = 1) -> CausalBatch:
    """Queue a batch over audits that the owner may read, and `public` traces of the public set beside them."""
    chosen = list(readable(user=owner).filter(pk__in=[audit.pk for audit in audits]))
    with transaction.atomic():
        batch = CausalBatch.objects.create(
            owner=owner, title=title[:120], public=min(public, MOST_PUBLIC), seed=seed, total=len(chosen) + public
        )
        batch.audits.set(chosen)
        note(audit=None, kind="causal.asked", actor=owner, job=str(batch.pk), audits=len(chosen), public=public)
        jobs.ring(job=batch)
    return batch


def run(*, batch: CausalBatch, now: datetime, public: Sequence[Public], refusals: Any = ()) -> str:
    """Every load-bearing and other step of every trace once; a run that was cut off goes on where it stopped."""

    def work() -> None:
        done = set(batch.trials.values_list("trace", flat=True))
        for place, (name, audit, trace, graph) in enumerate(_subjects(batch, public), start=1):
            if name not in done:
                with transaction.atomic():
                    _examine(batch, name, audit, trace, graph)
            jobs.step(job=batch, done=place, says=f"trace {place} of {batch.total}")
        jobs.finish(job=batch, done=batch.total)

    return jobs.run(job=batch, now=now, work=work, refusals=refusals)


def summary_of(*, batch: CausalBatch) -> Summary:
    """Classes, violations by both rules with Wilson intervals, means, and violations by type."""
    return summarise(results=[(InterventionKind(row.kind), _causal(row)) for row in batch.trials.all()])


def _causal(row: CausalTrial) -> Causal:
    return Causal(
        reaction=Reaction(row.reaction), phi=row.phi, phi_net=row.phi_net, violation=row.violation,
        paper_violation=row.paper_violation, severity=row.severity, sentence=row.sentence,
    )  # fmt: skip


def _subjects(batch: CausalBatch, public: Sequence[Public]) -> Iterator[tuple[str, Audit | None, Trace, Graph]]:
    for audit in batch.audits.select_related("trace__payload", "decomposition").order_by("pk"):
        try:
            yield str(audit.trace_id), audit, load_trace(audit.trace), load_graph(audit.job).graph
        except ContentGone:
            continue
    for name, trace in public:
        yield name, None, trace, RulesDecomposer().decompose(trace)


def _examine(batch: CausalBatch, name: str, audit: Audit | None, trace: Trace, graph: Graph) -> None:
    steps = project_steps(graph=graph)
    texts = {one.id: one.content for one in graph.segments if one.id in steps.parents}
    for segment in (one for one in graph.segments if one.id in steps.parents and one.id != steps.sink):
        found = examine_segment(graph=graph, segment=segment, answer=trace.answer)
        if found is not None:
            _store(batch, name, audit, segment.id, found, [texts[key] for key in steps.nodes])


def _store(batch: CausalBatch, name: str, audit: Audit | None, label: str, found: Examined, before: list[str]) -> None:
    made, causal, alike = found.trial.intervention, found.causal, found.trial.similarity
    after = [made.changed if text == made.original else text for text in before]
    said = {
        "before": before, "after": after, "answer": found.trial.answer, "answer_after": found.trial.answer_after,
        "reached": list(found.reached),
    }  # fmt: skip
    CausalTrial.objects.create(
        batch=batch, audit=audit, trace=name, label=label, kind=made.kind, rule=made.rule, reaction=causal.reaction,
        violation=causal.violation, paper_violation=causal.paper_violation, phi=causal.phi, phi_net=causal.phi_net,
        severity=causal.severity, strength=strength(intervention=made), load_bearing=found.trial.load_bearing,
        similarity={
            "jaccard": alike.jaccard, "characters": alike.characters, "length": alike.length, "exact": alike.exact,
            "semantic": alike.semantic,
        },
        sentence=causal.sentence, block=content.store_json(said),
    )  # fmt: skip
