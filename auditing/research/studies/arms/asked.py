"""Endpoints as the voters of an arm: each is asked about every unit, as the judge of a seat would be."""

from collections.abc import Sequence

from auditing.core.values import Choice, Tier
from auditing.research.studies.arms.cuts import Unit
from auditing.research.studies.arms.recording import ArmVote
from auditing.research.studies.instruments.forecasts import tell_forecast
from auditing.research.studies.instruments.model_tier import CountingClient
from auditing.research.studies.instruments.runner import Run
from auditing.services.model_tier.judges.answer import NoVote
from auditing.services.model_tier.judges.judge import ask_judge

__all__ = ["endpoint_names", "model_votes", "tell_arms"]


def endpoint_names(run: Run, option: str = "endpoint") -> list[str]:
    """The endpoints that an option names, comma separated."""
    return [name.strip() for name in run.options.get(option, "").split(",") if name.strip()]


def tell_arms(*, run: Run, clients: Sequence[CountingClient], units: Sequence[Unit]) -> None:
    """Say what asking each client about these units will take."""
    size = sum(len(unit.shown.context) + len(unit.shown.reasoning) for unit in units)
    for client in clients:
        tell_forecast(run=run, client=client, purpose="judge", calls=len(units), characters=size)


def model_votes(*, unit: Unit, clients: Sequence[CountingClient], account: str) -> list[ArmVote]:
    """The votes of these endpoints on one unit; one that gives no usable answer casts none."""
    votes = []
    for client in clients:
        answer = ask_judge(client=client, shown=unit.shown, account=account)
        if isinstance(answer, NoVote):
            continue
        if answer.vote is Choice.ABSTAIN:
            client.tally.count_abstention()
        seconds, cost = answer.spent.seconds, float(answer.spent.cost)
        votes.append(ArmVote(unit.id, client.endpoint.name, Tier.LLM, answer.vote, seconds, cost))
    return votes
