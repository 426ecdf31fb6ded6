"""The model tier in a study: the endpoint that the option `endpoint` names judges the steps of a trace one by one.

Asks the endpoint as the judge of a seat would be asked; the calls stand in its book, on the account of the study.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from auditing.core.values import Choice
from auditing.research.studies.instruments.labelled import DataMissingError
from auditing.research.studies.instruments.runner import Run
from auditing.services.model_tier.judges.answer import NoVote
from auditing.services.model_tier.judges.judge import ask_judge
from auditing.services.model_tier.judges.shown import Dependency, ShownContext
from hdag.chat.address import read_allowlist
from hdag.chat.client import ChatClient
from hdag.chat.endpoint import MaySee
from hdag.core.steps import project_steps
from hdag.core.values import Graph, Segment, Source, Trace
from hdag.models import Endpoint
from hdag.services.call_book import client_for


@dataclass(frozen=True, slots=True)
class ModelTier:
    """One endpoint as the judge of whole traces."""

    client: ChatClient
    account: str

    @property
    def name(self) -> str:
        """The endpoint's name."""
        return self.client.endpoint.name

    def fails(self, *, trace: Trace, graph: Graph, segment: Segment) -> bool | None:
        """Whether the model fails the segment; None when it abstains or gives no answer."""
        texts = {other_segment.id: other_segment.content for other_segment in graph.segments}
        premises = graph.premises().get(segment.id, ())
        context = ShownContext(
            context=trace.problem,
            reasoning=segment.content,
            dependencies=tuple(Dependency(key, texts[key]) for key in premises if key in texts),
            # The studies send whole public traces, so only endpoints that may see them are used.
            scope=MaySee.TRACES,
        )
        answer = ask_judge(client=self.client, shown=context, account=self.account)
        # Not judged is not the same as passed.
        if isinstance(answer, NoVote) or answer.vote is Choice.ABSTAIN:
            return None
        return answer.vote is Choice.FAIL

    def first_failed(self, *, trace: Trace, graph: Graph, before: int | None = None) -> int | None:
        """The first input step that the model fails, asked in order and up to `before`; None when there is none."""
        for segment in step_segments(graph=graph):
            if segment.step is None or (before is not None and segment.step >= before):
                continue
            if self.fails(trace=trace, graph=graph, segment=segment):
                return segment.step
        return None


def step_segments(*, graph: Graph) -> list[Segment]:
    """The step-level segments of the thinking, in reading order."""
    steps = set(project_steps(graph=graph).nodes)
    return [segment for segment in graph.segments if segment.source is Source.THINKING and segment.id in steps]


@contextmanager
def open_model(*, run: Run, study: str) -> Iterator[ModelTier | None]:
    """The model of option endpoint=NAME, None without that option. Raises DataMissingError when it cannot be asked."""
    name = run.options.get("endpoint", "")
    if not name:
        yield None
        return
    row = Endpoint.objects.filter(name=name, enabled=True, may_see=Endpoint.MaySee.TRACES).first()
    if row is None:
        raise DataMissingError(f"no endpoint {name!r} is enabled that may see whole traces")
    allowed = read_allowlist(os.environ.get("TRUST_CHAT_ALLOWED_ORIGINS", ""))
    with client_for(row=row, allowed=allowed) as client:
        yield ModelTier(client, f"study:{study}")
