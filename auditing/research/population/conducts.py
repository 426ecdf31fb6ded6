"""How simulated auditors vote: one rule for the runs over the pure cores and for those that use a server.

Everything here is simulated: no figure of it says anything about people.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from auditing.core.errors import BadParameterError


class Conduct(StrEnum):
    """What a simulated auditor does."""

    HONEST = "honest"
    GUESSER = "guesser"
    ALWAYS_WRONG = "always-wrong"
    WRONG_65 = "wrong-65"
    CAMOUFLAGED = "camouflaged"  # honest on arithmetic, where gold lies, wrong elsewhere
    STAMPER = "rubber-stamper"
    COPIER = "copier"  # votes as a colleague did, told outside the system
    PASTER = "paster"  # hands in a model's answer; all pasters ask the same model
    RING = "ring"  # honest, but wrong together where its members agreed to be
    BRIBED = "bribed"  # passes every error of some providers
    SLOW = "slow"  # honest, and takes long
    VANISHING = "vanishing"  # honest, and often never comes back from a seat


# Share of wrong votes of an honest auditor by level, before the own factor. Assumed, not measured on people.
ERRORS: Mapping[str, float] = {"goal": 0.10, "strategy": 0.18, "tactic": 0.16, "step": 0.15, "operation": 0.12}
LEVELS: Mapping[str, float] = {"goal": 0.08, "strategy": 0.08, "tactic": 0.14, "step": 0.42, "operation": 0.28}
FACTOR = (0.6, 1.4)  # an auditor's own errors, as a multiple of ERRORS
STAMPS = 0.98  # share of passes of a rubber-stamper
VANISHES = 0.3  # share of seats that a vanishing auditor leaves silent
TARGETED, BRIBES = 0.2, 0.25  # share of passages that a ring attacks, and whose providers bribe
MODEL_ACCURACY = 0.75  # of the model that pasters ask, where nothing else is asked for
HARDER = 1.5  # errors of honest auditors on gold that models fail on, as a multiple of those elsewhere; assumed


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """What is true of a passage, known to the simulation alone."""

    valid: bool
    level: str
    model_is_right: bool = True
    targeted: bool = False
    bribes: bool = False
    misleads_models: bool = False  # gold that the models of the house judged wrongly


@dataclass(frozen=True, slots=True)
class Auditor:
    """A simulated auditor; factor: the own multiple of the errors by level."""

    name: str
    conduct: Conduct
    factor: float = 1.0

    def votes(self, *, passage: Passage, colleagues: Sequence[bool], rng: random.Random) -> bool | None:
        """True for pass, False for fail, None where the auditor never answers. colleagues: votes a copier knows of."""
        chance = rng.random()
        error = self.error(level=passage.level, harder=HARDER if passage.misleads_models else 1.0)
        honest = passage.valid if chance >= error else not passage.valid
        rule = RULES.get(self.conduct)
        return honest if rule is None else rule(Case(passage, honest, chance, colleagues, rng))

    def error(self, *, level: str, harder: float = 1.0) -> float:
        """Share of wrong votes at a level, were the auditor honest."""
        return min(0.5, ERRORS.get(level, ERRORS["step"]) * self.factor * harder)


@dataclass(frozen=True, slots=True)
class Case:
    """One vote to be given: the passage, what an honest auditor with this one's errors says, and a random number."""

    passage: Passage
    honest: bool
    chance: float
    colleagues: Sequence[bool]
    rng: random.Random


# Who is not named here (honest, slow) votes honestly.
RULES: Mapping[Conduct, Callable[[Case], bool | None]] = {
    Conduct.GUESSER: lambda case: case.chance < 0.5,
    Conduct.ALWAYS_WRONG: lambda case: not case.passage.valid,
    Conduct.WRONG_65: lambda case: case.passage.valid != (case.chance < 0.65),
    Conduct.CAMOUFLAGED: lambda case: case.honest if case.passage.level == "operation" else not case.passage.valid,
    Conduct.STAMPER: lambda case: case.chance < STAMPS,
    Conduct.COPIER: lambda case: case.colleagues[0] if case.colleagues else case.honest,
    Conduct.PASTER: lambda case: case.passage.valid == case.passage.model_is_right,
    Conduct.RING: lambda case: not case.passage.valid if case.passage.targeted else case.honest,
    Conduct.BRIBED: lambda case: case.honest or (case.passage.bribes and not case.passage.valid),
    Conduct.VANISHING: lambda case: None if case.rng.random() < VANISHES else case.honest,
}


def draw_passage(*, rng: random.Random, base_rate: float, model_accuracy: float = MODEL_ACCURACY) -> Passage:
    """An ordinary passage."""
    return Passage(
        valid=rng.random() < base_rate,
        level=rng.choices(list(LEVELS), list(LEVELS.values()))[0],
        model_is_right=rng.random() < model_accuracy,
        targeted=rng.random() < TARGETED,
        bribes=rng.random() < BRIBES,
    )


def draw_gold(*, valid: bool, rng: random.Random, model_accuracy: float, transfer: float | None = None) -> Passage:
    """A gold passage as they are in effect: mostly arithmetic. Rings and bribes reach it like any other.

    transfer: for gold that the models of the house fail on, the chance that the pasters' model fails on it as well.
    """
    level = "operation" if transfer is None and rng.random() < 0.8 else "step"
    fails = 1 - model_accuracy if transfer is None else transfer
    return Passage(
        valid=valid,
        level=level,
        model_is_right=rng.random() >= fails,
        targeted=rng.random() < TARGETED,
        bribes=rng.random() < BRIBES,
        misleads_models=transfer is not None,
    )


def make_crowd(*, mix: Mapping[Conduct, int], rng: random.Random) -> list[Auditor]:
    """Auditors in a random order, each with an own factor. Raises BadParameterError for an empty or negative mix."""
    if any(count < 0 for count in mix.values()) or not sum(mix.values()):
        raise BadParameterError("mix", "needs at least one auditor and no negative number")
    conducts = [conduct for conduct, count in mix.items() for _ in range(count)]
    rng.shuffle(conducts)
    return [Auditor(f"auditor {number}", conduct, rng.uniform(*FACTOR)) for number, conduct in enumerate(conducts)]


def read_mix(*, text: str) -> dict[Conduct, int]:
    """`honest=30,rubber-stamper=18` as counts. Raises BadParameterError naming what cannot be read.

    >>> read_mix(text="honest=2, guesser=1")
    {<Conduct.HONEST: 'honest'>: 2, <Conduct.GUESSER: 'guesser'>: 1}
    """
    mix: dict[Conduct, int] = {}
    for pair in text.split(","):
        name, equals, count = pair.strip().partition("=")
        if name not in list(Conduct) or not equals or not count.isdecimal():
            raise BadParameterError(
                "mix", f"cannot be read at {pair.strip()!r}: write NAME=NUMBER of {', '.join(Conduct)}"
            )
        mix[Conduct(name)] = mix.get(Conduct(name), 0) + int(count)
    return mix
