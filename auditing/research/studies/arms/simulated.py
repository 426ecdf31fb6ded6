"""Voters that chance stands in for: models and people with stated error rates, some people malicious.

Errors of models on one unit are correlated by a Gaussian copula. What follows from such votes follows from the rates
that were put in: an arm that does well under them shows what the rates imply, and nothing about people or models.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

import numpy as np

from auditing.core.values import Choice, Tier
from auditing.research.studies.arms.copula import CORRELATION
from auditing.research.studies.arms.cuts import Unit
from auditing.research.studies.arms.recording import ArmVote

__all__ = ["EFFORT", "MODELS", "PEOPLE", "RATES", "Panel", "Voter", "computer_votes", "make_panel"]

# The printed accuracies of the paper's single auditors on whole traces (table 1).
MODELS = {
    "DeepSeek-R1-8B": 0.677,
    "Qwen2.5-7B": 0.674,
    "Mistral-7B": 0.668,
    "DeepSeek-R1-1.5B": 0.641,
    "GPT-OSS-20B": 0.638,
    "LLaMA-3B": 0.521,
}
PEOPLE = 15
RATES = {"model": 0.05, "person": 0.30, "malicious": 0.10}  # on a segment: eps_L, eps_H, rho_H of the paper
_WORDS_A_SECOND, _PERSON_START = 200 / 60, 10.0  # reading, and coming to a verdict
_PERSON_A_SECOND = 20 / 3600  # pay
_MODEL_SECONDS, _MODEL_A_WORD = 4.0, 1.3e-6  # of one call; price
EFFORT = (
    f"a person takes {_PERSON_START:g} s and reads {60 * _WORDS_A_SECOND:g} words a minute at "
    f"{3600 * _PERSON_A_SECOND:g} an hour, a model takes {_MODEL_SECONDS:g} s and costs {1e6 * _MODEL_A_WORD:g} "
    "a million words"
)


@dataclass(frozen=True, slots=True)
class Voter:
    """Whoever votes: P(right vote) on a whole trace and on a piece of one. A malicious one says the opposite."""

    name: str
    tier: Tier
    on_whole: float
    on_piece: float
    is_malicious: bool = False

    def accuracy(self, unit: Unit) -> float:
        """On this unit."""
        if self.is_malicious:
            return 0.0
        return self.on_piece if unit.id else self.on_whole


@dataclass(frozen=True, slots=True)
class Panel:
    """The voters of a study, and how many of each tier vote on one piece."""

    models: tuple[Voter, ...]
    people: tuple[Voter, ...]
    seats: tuple[int, int] = (3, 5)  # of models, of people

    def seated(self, unit: Unit, rng: np.random.Generator) -> list[Voter]:
        """Who is drawn for one piece."""
        voters, count = (self.models, self.seats[0]) if unit.tier is Tier.LLM else (self.people, self.seats[1])
        return [voters[index] for index in rng.choice(len(voters), min(count, len(voters)), replace=False)]


def make_panel(*, same_rates: bool) -> Panel:
    """Six models and fifteen people. same_rates: on a piece nobody is better than on a whole trace."""
    models = tuple(
        Voter(name, Tier.LLM, accuracy, accuracy if same_rates else 1 - RATES["model"])
        for name, accuracy in MODELS.items()
    )
    malicious = round(RATES["malicious"] * PEOPLE)
    honest = 1 - RATES["person"]
    people = tuple(
        Voter(f"person {number:02}", Tier.HUMAN, honest, honest, number <= malicious) for number in range(1, PEOPLE + 1)
    )
    return Panel(models, people)


def cast(*, unit: Unit, voters: Sequence[Voter], rng: np.random.Generator) -> list[ArmVote]:
    """A vote of each voter, right with its accuracy; a unit after the first error counts as right in itself."""
    truth = Choice.FAIL if unit.holds_error else Choice.PASS
    wrong = Choice.PASS if unit.holds_error else Choice.FAIL
    common = rng.standard_normal()
    votes = []
    for voter in voters:
        own = rng.standard_normal()
        is_model = voter.tier is Tier.LLM
        latent = sqrt(CORRELATION) * common + sqrt(1 - CORRELATION) * own if is_model else own
        accuracy = voter.accuracy(unit)
        is_right = accuracy > 0 and latent < NormalDist().inv_cdf(min(accuracy, 1 - 1e-9))
        seconds, cost = _effort(voter, unit)
        votes.append(ArmVote(unit.id, voter.name, voter.tier, truth if is_right else wrong, seconds, cost))
    return votes


def computer_votes(units: Sequence[Unit]) -> list[ArmVote]:
    """What the computer tier says of the units that it settles; really computed, and free."""
    return [
        ArmVote(unit.id, "computer", Tier.COMPUTER, unit.computer)
        for unit in units
        if unit.computer is not Choice.ABSTAIN
    ]


def _effort(voter: Voter, unit: Unit) -> tuple[float, float]:
    """(seconds, cost)"""
    if voter.tier is Tier.LLM:
        return _MODEL_SECONDS, unit.words * _MODEL_A_WORD
    seconds = _PERSON_START + unit.words / _WORDS_A_SECOND
    return seconds, seconds * _PERSON_A_SECOND
