"""Recorded votes of people under corruption: the medical annotators of usmle_gpt4_errors, several an item.

There is no gold: what is measured is how many items keep the verdict that their majority had before.
"""

from collections import Counter

import numpy as np

from auditing.core.values import Choice, Tier
from auditing.research.studies.arms.corruption import Corruption, corrupt
from auditing.research.studies.arms.deciding import accuracy_of_majority
from auditing.research.studies.arms.printed import SHARES
from auditing.research.studies.arms.recording import ArmVote, Case
from auditing.research.studies.instruments.labelled import DataMissingError
from auditing.research.studies.instruments.public_votes import choices_by_item, votes_of
from auditing.research.studies.instruments.runner import Cell, Run, Table

__all__ = ["majority_cases", "replay_public"]


def replay_public(*, run: Run) -> list[Table]:
    """One table; none where the set is not here."""
    try:
        cases = majority_cases(choices_by_item(votes=votes_of(run=run)))
    except DataMissingError:
        return []
    replays = 200 if run.full else 40
    rows = list[list[Cell]]()
    for number, kind in enumerate(Corruption):
        row: list[Cell] = [kind.value]
        for index, share in enumerate(SHARES):
            streams = [run.rng(stream=7000 + 100_000 * index + 1000 * number + replay) for replay in range(replays)]
            stay = [
                # The recorded majority is the truth here: how much of it does corruption overturn?
                accuracy_of_majority(corrupt(cases=cases, kind=kind, share=share, rng=rng, spares=frozenset()))
                for rng in streams
            ]
            row += [round(100 * float(np.mean(stay)), 1), round(100 * float(np.std(stay)), 1)]
        rows.append(row)
    columns = ["corruption", *(name for c in SHARES for name in (f"{100 * c:.0f} %", f"± at {100 * c:.0f} %"))]
    note = (
        f"{len(cases)} items of usmle_gpt4_errors with a majority among at least three annotators who voted; % of them "
        f"whose majority stays, mean and standard deviation of {replays} replays. No gold exists for these items."
    )
    return [Table("Recorded votes of people: items whose majority stays", columns, rows, note)]


def majority_cases(by_item: dict[str, dict[str, Choice]]) -> list[Case]:
    """Items with at least three votes and a majority, which stands for their truth."""
    cases = []
    for item_id, choices in by_item.items():
        counts = Counter(choices.values())
        passes, fails = counts[Choice.PASS], counts[Choice.FAIL]
        if passes + fails >= 3 and passes != fails:
            votes = tuple(ArmVote("", name, Tier.HUMAN, choice) for name, choice in choices.items())
            cases.append(Case(item_id, passes > fails, votes))
    return cases
