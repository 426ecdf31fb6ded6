"""Waves forecast: traces simulated under the planner that plans real ones (consensus/planning), each plan made once.

A trace is its passages, each of them a kind, what models said, and passes less fails of people. Passages in the same
state can change places, so that thousands of simulated traces share few plans.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from auditing.core.consensus import tally_round
from auditing.core.consensus.planning import PassageState, Plan, PlanRules, plan_rules, plan_wave, ratio_of
from auditing.core.policy.parameters import Policy
from auditing.core.values import Choice, Outcome, Tier, Vote
from auditing.research.policy_lab.core.forecast.paths import Unit
from auditing.research.policy_lab.core.guarantees import seat_accuracy

NO_MODEL = -1


class Passage(NamedTuple):
    """The state of one passage; those in the same state can change places."""

    kind: int
    model_passes: int  # among its models' votes
    margin: int = 0  # people's passes less fails
    seats: int = 0  # people's
    word: int = 0  # an adjudicator's: 1 or -1, 0 before it
    is_drawn: bool = False  # people look at it whatever models said: the random sample


@dataclass(frozen=True, slots=True)
class WavesTrial:
    """One simulated trace. deepest: people's seats on the passage that got most; waves: of people."""

    outcome: Outcome
    people: int
    models: int
    waves: int
    deepest: int
    adjudications: int


class WavesForecast:
    """Traces of the same units under one policy that plans waves."""

    def __init__(self, *, units: Sequence[Unit], policy: Policy) -> None:
        """Kinds of units are numbered by their first unit."""
        self._units, self._policy = units, policy
        rules = plan_rules(policy=policy)
        # A forecast needs no exact fractions, and floats are told a hundred times as fast.
        floats = {name: cast(Fraction, float(getattr(rules, name))) for name in FLOATS}
        self._rules: PlanRules = replace(rules, **floats)  # type: ignore[arg-type]
        self._plans: dict[tuple[Passage, ...], Plan] = {}
        kinds: dict[Unit, int] = {}
        self._kinds = [kinds.setdefault(unit, len(kinds)) for unit in units]
        self._by_kind = list(kinds)
        self._accuracy = {tier: _accuracy(policy, tier) for tier in (Tier.HUMAN, Tier.LLM)}
        people = policy.human
        self._step = float(people.prior_wrong / people.prior_right)  # of a pass; a fail divides by it
        self._by_models: dict[tuple[int, int], float] = {}

    def run(self, *, wrong: int, rng: np.random.Generator) -> WavesTrial:
        """One trace. wrong: the number of its wrong unit, -1 in a right one."""
        passages = [self._models_vote(number, number == wrong, rng) for number in range(len(self._units))]
        models = sum(self._model_seats(unit) for unit in self._units)
        waves = adjudications = 0
        while True:
            plan, asked = self._plan(passages)
            if plan.outcome is not None:
                seats = [passage.seats for passage in passages]
                return WavesTrial(plan.outcome, sum(seats), models, waves, max(seats), adjudications)
            waves += 1
            for number, more in asked.items():
                passage = passages[number]
                if plan.adjudicates:
                    adjudications += 1
                    errs = rng.random() < self._rules.adjudicator_error
                    passages[number] = passage._replace(word=-1 if errs != (number == wrong) else 1)
                    continue
                right = int(rng.binomial(more, self._accuracy[Tier.HUMAN]))
                passes = more - right if number == wrong else right
                margin = passage.margin + 2 * passes - more
                passages[number] = passage._replace(margin=margin, seats=passage.seats + more, word=0)

    def first_plan(self) -> Plan:
        """What is planned before anybody has voted: undecided where the cap leaves too few seats."""
        return self._plan([Passage(kind, NO_MODEL) for kind in self._kinds])[0]

    def _plan(self, passages: Sequence[Passage]) -> tuple[Plan, dict[int, int]]:
        """The plan, and whom it asks by the number of the unit."""
        order = sorted(range(len(passages)), key=passages.__getitem__)
        key = tuple(passages[number] for number in order)
        plan = self._plans.get(key)
        if plan is None:
            plan = self._plans[key] = plan_wave(
                passages=[self._state(rank, passage) for rank, passage in enumerate(key)],
                rules=self._rules,
                drawn={str(rank) for rank, passage in enumerate(key) if passage.is_drawn},
            )
        return plan, {order[int(rank)]: seats for rank, seats in plan.seats.items()}

    def _state(self, rank: int, passage: Passage) -> PassageState:
        unit = self._by_kind[passage.kind]
        if passage.word:
            ratio = float(self._rules.word) ** passage.word
        else:
            ratio = self._ratio(passage.kind, passage.model_passes) * self._step**passage.margin
        return PassageState(
            passage=str(rank),
            ratio=cast(Fraction, ratio),
            seats=passage.seats,
            is_proved=unit.decided is Outcome.PASS,
            is_refuted=unit.decided is Outcome.FAIL,
            rests=unit.rests,
            is_heard=bool(passage.word),
            has_model_vote=passage.model_passes != NO_MODEL,
        )

    def _ratio(self, kind: int, model_passes: int) -> float:
        """What the models' votes make of a passage."""
        if model_passes == NO_MODEL:
            return 1.0
        if (kind, model_passes) not in self._by_models:
            seats = self._model_seats(self._by_kind[kind])
            votes = [Vote(choice=Choice.PASS if n < model_passes else Choice.FAIL, tier=Tier.LLM) for n in range(seats)]
            tally = tally_round(votes=votes, policy=self._policy, tier=Tier.LLM, k=seats)
            base = Fraction(self._policy.base_rate)
            self._by_models[kind, model_passes] = float(ratio_of(posterior=tally.posterior, base_rate=base))
        return self._by_models[kind, model_passes]

    def _models_vote(self, number: int, is_wrong: bool, rng: np.random.Generator) -> Passage:
        seats = self._model_seats(self._units[number])
        if not seats:
            return Passage(self._kinds[number], NO_MODEL)
        right = int(rng.binomial(seats, self._accuracy[Tier.LLM]))
        is_drawn = bool(rng.random() < self._policy.sample_share)
        return Passage(self._kinds[number], seats - right if is_wrong else right, is_drawn=is_drawn)

    def _model_seats(self, unit: Unit) -> int:
        """Models vote where the route has them before people."""
        asked = [tier for tier in unit.tiers if tier is not Tier.COMPUTER]
        if unit.decided is not None or not asked or asked[0] is not Tier.LLM:
            return 0
        return unit.k if unit.tiers[0] is Tier.LLM else self._policy.llm.k


FLOATS = ("base_rate", "theta_pass", "theta_fail", "accuracy", "adjudicator_error")


def simulate_planned(
    *, units: Sequence[Unit], policy: Policy, wrong: NDArray[np.int64], rng: np.random.Generator
) -> list[WavesTrial]:
    """One trial for each entry of `wrong`."""
    waves = WavesForecast(units=units, policy=policy)
    return [waves.run(wrong=int(number), rng=rng) for number in wrong]


def cap_needed(*, units: Sequence[Unit], policy: Policy, most: int) -> int | None:
    """The policy's cap, or the least larger one under which anybody would be asked; None over `most`."""
    for cap in range(policy.cap, most + 1):
        plan = WavesForecast(units=units, policy=replace(policy, cap=cap)).first_plan()
        if plan.outcome is not Outcome.UNDECIDED:
            return cap
    return None


def _accuracy(policy: Policy, tier: Tier) -> float:
    rules = policy.tier(tier)
    return seat_accuracy(error=float(rules.error), malicious=float(rules.malicious))
