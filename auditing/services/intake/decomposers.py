"""Which decomposer makes an audit's graph: the rules, or a model where job, endpoint and provider all allow it.

Reads Endpoint, ModelConsent, Policy; writes Decomposition.done_share, and in its notes the finished steps, so that a
job that died goes on; holds the audit's lease while a model is asked, and hands the job over before a task of Celery
runs out of time.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Protocol

from django.db import transaction

from auditing import broadcast
from auditing.core.policy import RoutedBy
from auditing.core.stages import AuditStage
from auditing.models import Audit
from auditing.selectors.clock import database_now
from auditing.selectors.intake.decomposition import BY_MODEL, PAPER, QUESTIONS
from auditing.selectors.model_tier.consents import agreed_endpoints
from auditing.selectors.policy.versions import load_policy
from auditing.services.model_tier.origins import allowed_origins
from hdag.core.values import Graph, Trace
from hdag.decomposers.llm import ModelDecomposer
from hdag.decomposers.rules import RulesDecomposer
from hdag.models import Decomposition, Endpoint
from hdag.services.answer_cache import configured_cache
from hdag.services.call_book import client_for
from hdag.store import content

LEASE = timedelta(seconds=150)  # renewed before each question
AT_ONCE = 45.0  # seconds of asking in one task; an answer may take as long again before Celery's limit


class HandedOverError(Exception):
    """The job goes on in another task, or nowhere: its audit was withdrawn."""


class Decomposer(Protocol):
    """Makes a graph of a trace."""

    def decompose(self, trace: Trace) -> Graph:
        """The graph. Raises HdagError."""
        ...


@contextmanager
def decomposer_for(*, audit: Audit) -> Iterator[Decomposer]:
    """The decomposer that the audit's job asks for; the rules, with the reason in the report, where no model may."""
    job = audit.job
    if job.decomposer not in BY_MODEL:
        yield RulesDecomposer()
        return
    row, why = _endpoint(audit)
    if row is None:
        yield _RulesBecause(why)
        return
    with client_for(row=row, allowed=allowed_origins(), cache=configured_cache()) as client:
        yield ModelDecomposer(
            client,
            f"audit:{audit.pk}",
            done=StepsOfJob(job),
            progress=progress_of(audit=audit),
            paper=job.decomposer == PAPER,
            tiers=load_policy(version=audit.policy, domain=audit.trace.domain).routed_by is not RoutedBy.RULES,
        )


def progress_of(*, audit: Audit, seconds: float = AT_ONCE) -> Callable[[str, int, int], None]:
    """A callback before each question: how far the five are, told to open pages, the audit's lease renewed.

    It raises HandedOverError once `seconds` are over, or when the audit has left its first stage.
    """
    stop = time.monotonic() + seconds
    starts = {name: start for name, (start, _) in QUESTIONS.items()}
    ends = dict(zip(starts, [*list(starts.values())[1:], 0.95], strict=True))

    def report(step: str, n: int, of: int) -> None:
        if time.monotonic() > stop:
            raise HandedOverError
        # No row: it was withdrawn, or failed meanwhile.
        mine = Audit.objects.filter(pk=audit.pk, stage=AuditStage.SUBMITTED)
        if not mine.update(lease_until=database_now() + LEASE):
            raise HandedOverError
        start = starts.get(step, 0.0)
        share = start + (ends.get(step, start) - start) * (n - 1) / max(1, of)
        Decomposition.objects.filter(pk=audit.job.pk).update(done_share=share, state=Decomposition.State.RUNNING)
        broadcast.tell_audit(audit.pk)

    return report


@dataclass(frozen=True, slots=True)
class StepsOfJob:
    """Finished steps in the job's own encrypted notes, until the graph's report takes their place.

    They repeat words of the trace, so they are stored, and erased, like the trace.
    """

    job: Decomposition

    def find(self, step: str) -> dict[str, Any] | None:
        """The answer of a finished step."""
        answer: dict[str, Any] | None = self._steps().get(step)
        return answer

    def keep(self, step: str, answer: dict[str, Any]) -> None:
        """Remember a finished step."""
        with transaction.atomic():
            row = Decomposition.objects.select_for_update().get(pk=self.job.pk)
            if row.state == Decomposition.State.DONE:
                return
            old = row.notes  # superseded as a whole: blocks are addressed by their content and never change
            row.notes = content.store_json({"steps": {**self._steps(), step: answer}})
            row.save(update_fields=["notes"])
            if old is not None:
                content.erase([old])

    def _steps(self) -> dict[str, Any]:
        row = Decomposition.objects.select_related("notes").get(pk=self.job.pk)
        if row.notes is None:
            return {}
        steps: dict[str, Any] = content.read_json(row.notes).get("steps", {})
        return steps


@dataclass(frozen=True, slots=True)
class _RulesBecause:
    """The rules in a model's place, and why."""

    why: str

    def decompose(self, trace: Trace) -> Graph:
        """The graph by rules, the reason first in its report."""
        graph = RulesDecomposer().decompose(trace)
        return replace(graph, report=(f"by rules, because {self.why}", *graph.report))


def _endpoint(audit: Audit) -> tuple[Endpoint | None, str]:
    """An endpoint that may see this trace whole, or why there is none."""
    if not audit.trace.whole_to_models:
        return None, "the provider did not agree that models see the whole trace"
    rows = list(Endpoint.objects.filter(enabled=True, may_see=Endpoint.MaySee.TRACES).order_by("created", "pk"))
    if not rows:
        return None, "no enabled endpoint may see whole traces"
    agreed = agreed_endpoints(audit=audit, rows=rows, whole=True)
    if not agreed:
        return None, "nobody agreed that whole traces of this campaign, under its policy, go to a model's server"
    return agreed[0], ""  # always the same one, so that a job that died finds its answers
