"""The arms of an experiment, and where their votes come from: a file of recorded votes, endpoints, or chance.

TRUST by passages and tiers, the same by other cuts, whole traces before people, before single models and ensembles.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from auditing.core.values import Choice, Tier
from auditing.research.studies.arms.asked import endpoint_names, model_votes, tell_arms
from auditing.research.studies.arms.cuts import CUTS, WHOLE, Unit, cut_by
from auditing.research.studies.arms.recording import ArmVote, Case, by_arm, read_vote
from auditing.research.studies.arms.simulated import Panel, cast, computer_votes, make_panel
from auditing.research.studies.instruments.labelled import Labelled, Record
from auditing.research.studies.instruments.model_tier import CountingClient, in_parallel, open_clients
from auditing.research.studies.instruments.own_file import labelled_of, labelled_sets, own_records
from auditing.research.studies.instruments.runner import OptionError, Run

__all__ = ["OPTIONS", "SAME", "Recording", "record_votes"]

OPTIONS = ("dataset", "endpoint", "traces", "rates")
SAME = "same"  # option rates: on a piece nobody is better than on a whole trace
PEOPLE_ARM, MODELS_ARM = f"{WHOLE}, people", f"{WHOLE}, models"


@dataclass(frozen=True, slots=True)
class Recording:
    """The votes of every arm, where they come from, and which of them chance stood in for."""

    arms: Mapping[str, Sequence[Case]]
    source: str
    simulated: str = ""


def record_votes(*, run: Run, study: str, people: bool, most: int) -> Recording:
    """The votes of all arms. people: whether people judge whole traces too. Raises DataMissingError, OptionError."""
    own = own_records(run=run, make=_vote_or_trace) if run.file is not None else []
    votes = [entry for entry in own if isinstance(entry, tuple)]
    names = endpoint_names(run)
    if votes:
        if names or len(votes) < len(own):
            raise OptionError("a file of recorded votes holds votes alone, and asks no endpoint")
        return Recording(by_arm(votes), f"recorded votes of {run.file.name if run.file else ''}")
    items, source = [entry for entry in own if isinstance(entry, Labelled)], run.file.name if run.file else ""
    if not items:
        dataset = run.options.get("dataset", "processbench")
        sets = list(labelled_sets(run=run, name=dataset, most=-(-most // 2)))
        items, source = [labelled for _, entries in sets for labelled in entries], dataset
    if names:
        return Recording(_asked(run, study, names, items), f"{source}, judged by {', '.join(names)}")
    panel = make_panel(same_rates=run.options.get("rates") == SAME)
    return Recording(_simulated(run, items, panel, people), source, "the votes of models and people.")


def _vote_or_trace(record: Record) -> Labelled | tuple[str, str, bool, ArmVote]:
    return read_vote(record) if "choice" in record else labelled_of(record)


def _simulated(run: Run, items: Sequence[Labelled], panel: Panel, people: bool) -> dict[str, list[Case]]:
    arms: dict[str, list[Case]] = {}
    for number, labelled in enumerate(items):
        run.say(f"trace {number + 1} of {len(items)}", number / len(items))
        rows = run.piece(key=f"votes {number}", make=partial(_simulated_trace, labelled, panel, run.seed, number))
        for arm, votes, units in rows:
            if people or arm != PEOPLE_ARM:
                case = Case(str(number), labelled.first_error is None, tuple(map(_vote, votes)), tuple(units))
                arms.setdefault(arm, []).append(case)
    return arms


def _simulated_trace(labelled: Labelled, panel: Panel, seed: int, number: int) -> list[Any]:
    rows: list[Any] = []
    rng = np.random.default_rng([seed, 10_000, number])
    for name, units in zip(CUTS, cut_by(cuts=list(CUTS), labelled=labelled, seed=seed, number=number), strict=True):
        if name == WHOLE:
            whole = units[0]
            for arm, voters in (
                (PEOPLE_ARM, panel.seated(replace(whole, tier=Tier.HUMAN), rng)),
                (MODELS_ARM, panel.models),
            ):
                rows.append(_row(arm, cast(unit=whole, voters=voters, rng=rng), units))
            continue
        votes = computer_votes(units)
        for unit in units:
            if unit.computer is Choice.ABSTAIN:
                votes += cast(unit=unit, voters=panel.seated(unit, rng), rng=rng)
        rows.append(_row(f"TRUST, {name}", votes, units))
    return rows


def _asked(run: Run, study: str, names: Sequence[str], items: Sequence[Labelled]) -> dict[str, list[Case]]:
    """Every endpoint on every unit; a trace whose units are not all judged by somebody is left out of its arm."""
    account = f"study:{study}"
    numbers = range(len(items))
    units = [cut_by(cuts=list(CUTS), labelled=items[number], seed=run.seed, number=number) for number in numbers]
    # What the computer decides is asked of nobody in pieces; a trace in one piece is always asked.
    flat = [unit for by_cut in units for cut in by_cut for unit in cut if unit.computer is Choice.ABSTAIN]
    with open_clients(run=run, names=names, account=account) as clients:
        tell_arms(run=run, clients=clients, units=flat)
        workers = min(client.endpoint.max_concurrency for client in clients)
        by_trace = in_parallel(
            work=lambda number: _asked_trace(units[number], clients, account), items=numbers, workers=workers
        )
    arms: dict[str, list[Case]] = {}
    for number, rows in zip(numbers, by_trace, strict=True):
        for arm, votes, ids in rows:
            arms.setdefault(arm, []).append(Case(str(number), items[number].first_error is None, votes, ids))
    return arms


def _asked_trace(
    by_cut: Sequence[Sequence[Unit]], clients: Sequence[CountingClient], account: str
) -> list[tuple[str, tuple[ArmVote, ...], tuple[str, ...]]]:
    rows = []
    for name, units in zip(CUTS, by_cut, strict=True):
        votes = [] if name == WHOLE else computer_votes(units)
        for unit in units:
            if unit.computer is Choice.ABSTAIN or name == WHOLE:
                votes += model_votes(unit=unit, clients=clients, account=account)
        ids = tuple(unit.id for unit in units)
        # A trace with an unanswered unit is left out of this cut, or it would be decided by what was cheap to answer.
        if {vote.unit for vote in votes} == set(ids):
            rows.append((MODELS_ARM if name == WHOLE else f"TRUST, {name}", tuple(votes), ids))
    return rows


def _row(arm: str, votes: Sequence[ArmVote], units: Sequence[Unit]) -> list[Any]:
    cells = [[vote.unit, vote.auditor, vote.tier, vote.choice, vote.seconds, vote.cost] for vote in votes]
    return [arm, cells, [unit.id for unit in units]]


def _vote(cells: Sequence[Any]) -> ArmVote:
    unit, auditor, tier, choice, seconds, cost = cells
    return ArmVote(unit, auditor, Tier(tier), Choice(choice), seconds, cost)
