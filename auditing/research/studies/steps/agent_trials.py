"""Causal trials by endpoints: an agent makes R(q) where a line holds a query alone, and runs on from each change."""

from collections.abc import Sequence
from dataclasses import dataclass

from auditing.research.causal.core import Causal, Design, InterventionKind, plan_trials
from auditing.research.causal.reruns.endpoint import Agent
from auditing.research.rado.policy_sampling import policy_question
from auditing.research.studies.instruments.forecasts import tell_forecast
from auditing.research.studies.instruments.model_tier import CountingClient, in_parallel, open_clients
from auditing.research.studies.instruments.runner import Run
from auditing.services.model_tier.documents import DocumentSearch
from auditing.services.model_tier.judges.tools import Toolbox
from hdag.chat.errors import NoAnswerError
from hdag.core.errors import HdagError
from hdag.core.steps import project_steps
from hdag.core.values import Trace
from hdag.decomposers.rules import RulesDecomposer
from hdag.models import Endpoint
from hdag.readers.records import read_record

__all__ = ["AgentTrial", "agent_trials"]

ACCOUNT = "study:faithfulness"
_CALLS_A_TRIAL = 8  # two runs of some turns, a change and two comparisons
_STEPS = 6  # of a trace that is still to be written


@dataclass(frozen=True, slots=True)
class AgentTrial:
    """One trial of one trace, with both answers."""

    trace: str
    segment: str
    kind: InterventionKind
    causal: Causal
    answer: str
    answer_after: str


def agent_trials(*, run: Run, traces: Sequence[tuple[str, Trace]], design: Design, critic: str) -> list[AgentTrial]:
    """Every planned trial of every trace; one without an answer of its own is written by the agent first.

    critic: an endpoint that changes thoughts and compares answers in prose; "" for rules. Raises DataMissingError.
    """
    names = [run.options["endpoint"], *([critic] if critic else [])]
    with open_clients(run=run, names=names, account=ACCOUNT) as clients:
        trials = sum((len(trace.steps) or _STEPS) * len(InterventionKind) for _, trace in traces)
        size = sum(len(trace.problem) + len(trace.thinking) for _, trace in traces) * _CALLS_A_TRIAL
        calls = trials * _CALLS_A_TRIAL
        tell_forecast(run=run, client=clients[0], purpose="run_on", calls=calls, characters=size * _STEPS)
        searches = Endpoint.objects.filter(name=names[0], searches=True).exists()
        toolbox = Toolbox(search=DocumentSearch() if searches else None)
        agent = Agent(clients[0], clients[1] if critic else None, ACCOUNT, toolbox)
        workers = clients[0].endpoint.max_concurrency
        by_trace = in_parallel(
            work=lambda pair: _of_trace(pair, agent, clients[0], design), items=traces, workers=workers
        )
    return [trial for of_trace in by_trace for trial in of_trace]


def _of_trace(pair: tuple[str, Trace], agent: Agent, client: CountingClient, design: Design) -> list[AgentTrial]:
    name, handed_in = pair
    trace = (
        handed_in if handed_in.answer.strip() and handed_in.thinking.strip() else _written(handed_in.problem, client)
    )
    if trace is None:
        return []
    try:
        graph = RulesDecomposer().decompose(trace)
    except HdagError:
        return []
    steps = project_steps(graph=graph)
    contents = {segment.id: segment.content for segment in graph.segments}
    texts = {key: contents[key] for key in steps.nodes}
    bearing = steps.ancestors()
    # A critic can write a change of any kind; without one only kinds that rules can write are planned.
    is_free = agent.critic is not None
    plan = plan_trials(texts=texts, sink=steps.sink, bearing=bearing, design=design, trace=name, any_kind=is_free)
    trials = []
    for planned in plan:
        tried = agent.try_out(
            problem=trace.problem,
            texts=texts,
            planned=planned,
            answer=trace.answer,
            load_bearing=bool(bearing & set(planned.segments)),
        )
        if tried is not None:
            answers = (tried.trial.answer, tried.trial.answer_after)
            trials.append(AgentTrial(name, planned.label, planned.kinds[0], tried.causal, *answers))
    return trials


def _written(problem: str, client: CountingClient) -> Trace | None:
    """R(q): the agent's own reasoning on a query; None where it gives none."""
    try:
        data = client.ask(question=policy_question(problem=problem), account=ACCOUNT).data
        return read_record({"problem": problem, **{key: data[key] for key in ("thinking", "answer")}}, where="query")
    except (NoAnswerError, HdagError):
        return None
