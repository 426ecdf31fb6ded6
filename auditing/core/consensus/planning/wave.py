"""One planning step: the trace is decided, or its next wave of seats, from logged numbers alone.

    every passage unasked        -> the first wave: first_seats each (where machines left doubt)
    P(right) >= theta_pass       -> pass
    P(right) <= theta_fail       -> fail
    no seat is worth its cost    -> an adjudicator on the passages in most doubt; heard already: undecided
    otherwise                    -> up to wave_seats more, to the passages in most doubt
    before any of it ends        -> a random sample of what models settled, which shows how far they can be believed

A stranger repeats it from the ratios, the seats and the rules: fractions throughout, ties in the order of the passages,
which is the order of the draw. Sequential testing: Wald 1945; one error anywhere: docs/formulas.md section 1.2.
"""

import hashlib
import heapq
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from auditing.core.consensus.planning.evidence import PassageState, decide_right, largest_total, trace_right
from auditing.core.errors import BadParameterError
from auditing.core.policy import Policy
from auditing.core.values import Outcome, Tier
from auditing.core.voting.commitment import pad32

ADJUDICATE = "an adjudicator decides what people left open"
FIRST_WAVE = "first wave"
SAMPLE = "a random sample of what models settled"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRules:
    """What the policy fixes of waves. accuracy: planned for the next reviewer, over one half."""

    base_rate: Fraction  # share of traces without a wrong passage
    theta_pass: Fraction  # from the stated costs, as for every trace
    theta_fail: Fraction
    accuracy: Fraction
    first_seats: int = 1
    wave_seats: int = 3
    cap: int = 13  # people's seats a passage, over all waves
    adjudicator_error: Fraction = Fraction(1, 50)

    def __post_init__(self) -> None:
        """Raise BadParameterError, naming the field, unless a plan can be made from them."""
        if not Fraction(1, 2) < self.accuracy < 1:
            raise BadParameterError("accuracy", f"must lie in (.5, 1), not {float(self.accuracy)}")
        if not 0 < self.theta_fail < self.theta_pass < 1:
            raise BadParameterError("theta_pass", "must be over theta_fail, both within (0, 1)")
        if not 0 < self.base_rate < 1:
            raise BadParameterError("base_rate", f"must lie in (0, 1), not {float(self.base_rate)}")
        for name in ("first_seats", "wave_seats", "cap"):
            if getattr(self, name) < 1:
                raise BadParameterError(name, f"must be at least 1, not {getattr(self, name)}")

    @property
    def step(self) -> Fraction:
        """What a pass of the next reviewer multiplies a passage's ratio by; a fail divides by it."""
        return (1 - self.accuracy) / self.accuracy

    @property
    def word(self) -> Fraction:
        """The ratio of a passage that an adjudicator passed."""
        return self.adjudicator_error / (1 - self.adjudicator_error)

    @property
    def drift(self) -> Fraction:
        """Votes for the truth less votes against it, in the mean of a seat: 2c - 1."""
        return 2 * self.accuracy - 1


def plan_rules(*, policy: Policy) -> PlanRules:
    """The rules that a policy states.

    >>> from auditing.core.policy import DEFAULT
    >>> plan_rules(policy=DEFAULT).accuracy
    Fraction(833, 1000)
    """
    people = policy.tier(Tier.HUMAN)
    return PlanRules(
        base_rate=Fraction(policy.trace_base_rate),
        theta_pass=Fraction(policy.trace_theta_pass),
        theta_fail=Fraction(policy.trace_theta_fail),
        accuracy=(1 - Fraction(people.error)) * (1 - Fraction(people.malicious)),
        first_seats=policy.first_seats,
        wave_seats=policy.wave_seats,
        cap=policy.cap,
        adjudicator_error=Fraction(policy.adjudicator_error),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """outcome: of the trace; None while `seats` (passage -> seats of the next wave, none at 0) are to be drawn."""

    outcome: Outcome | None
    right: Fraction  # P(no passage is wrong)
    most: Fraction = Fraction(1)  # the most that a certificate leaves of it
    seats: dict[str, int] = field(default_factory=dict)
    why: str = ""
    drawn: frozenset[str] = frozenset()  # passages that the random sample alone gives seats to

    @property
    def adjudicates(self) -> bool:
        """Whether those seats are an adjudicator's."""
        return self.why == ADJUDICATE


def plan_wave(
    *,
    passages: Sequence[PassageState],
    rules: PlanRules,
    sampled: Collection[str] = (),
    drawn: Collection[str] = (),
    most: Fraction = Fraction(1),
) -> Plan:
    """Decide what follows the waves so far. passages: in the order of the draw.

    sampled: passages that people look at in the first wave whatever the machines found. drawn: the random sample
    (draw_sample), of which people look at what a model voted on. most: as in trace_right.

    >>> tenth = Fraction(1, 10)
    >>> rules = PlanRules(base_rate=5 * tenth, theta_pass=9 * tenth, theta_fail=tenth, accuracy=8 * tenth)
    >>> plan_wave(passages=[PassageState(passage="P1"), PassageState(passage="P2")], rules=rules).seats
    {'P1': 1, 'P2': 1}
    >>> plan_wave(passages=[PassageState(passage="P1", ratio=Fraction(1, 16), seats=2)], rules=rules).outcome
    <Outcome.PASS: 'pass'>
    """
    right = trace_right(passages=passages, base_rate=rules.base_rate, most=most)
    # 1. A certain refutation needs nobody's vote.
    if any(state.is_refuted and state.rests for state in passages):
        return Plan(outcome=Outcome.FAIL, right=right, most=most, why="a passage is refuted")
    # 2. What may have spoken to the models is seen by people before any decision.
    unsampled = [state for state in passages if state.passage in sampled and not state.seats and not state.is_certain]
    # 3. Thresholds.
    outcome = decide_right(right=right, theta_pass=rules.theta_pass, theta_fail=rules.theta_fail)
    if not unsampled and outcome is not Outcome.UNDECIDED:
        plan = Plan(outcome=outcome, right=right, most=most, why=f"sure enough to {outcome}")
    else:
        plan = _next_seats(passages, rules, unsampled, (right, most))
    # 4. So is the random sample: else nothing would show later how far the models can be believed.
    return _with_sample(plan, passages, rules, drawn)


def draw_sample(*, seed: bytes, passages: Sequence[str], share: Fraction) -> frozenset[str]:
    """Each passage by itself with inclusion probability `share`: SHA-256("TRUST/sample/v1" || seed || passage) is low.

    seed: of the audit's first draw, 32 bytes: nobody knew it when audit.open fixed the passages. passages: their ids.

    >>> draw_sample(seed=bytes(32), passages=["P1", "P2"], share=Fraction(1)) == {"P1", "P2"}
    True
    """
    start, limit = pad32(label="TRUST/sample/v1") + seed, share * 2**256
    return frozenset(
        passage
        for passage in passages
        if int.from_bytes(hashlib.sha256(start + passage.encode()).digest(), "big") < limit
    )


def _with_sample(plan: Plan, passages: Sequence[PassageState], rules: PlanRules, drawn: Collection[str]) -> Plan:
    """The plan with the sample's seats: beside those of a first wave, before anything else that it says."""
    settled = [state for state in passages if state.has_model_vote and not state.seats and not state.is_certain]
    alone = [state.passage for state in settled if state.passage in drawn and state.passage not in plan.seats]
    if not alone:
        return plan
    beside = plan.seats if plan.why == FIRST_WAVE else {}
    seats = beside | dict.fromkeys(alone, min(rules.first_seats, rules.cap))
    why = FIRST_WAVE if beside else SAMPLE
    return replace(plan, outcome=None, seats=_in_order(seats, passages), why=why, drawn=frozenset(alone))


def _next_seats(
    passages: Sequence[PassageState],
    rules: PlanRules,
    unsampled: Sequence[PassageState],
    surety: tuple[Fraction, Fraction],
) -> Plan:
    """surety: (P(right), the most that it can be)."""
    right, most = surety
    doubt = _Doubt(passages, rules, most >= rules.theta_pass)
    # 1. Is a decision to be had at all from the seats that the cap leaves?
    if not unsampled and not doubt.is_worth_a_seat():
        return _adjudicate(doubt, passages, surety, "no further seat is worth its cost under the cap")
    # 2. The first wave asks at once about everything that machines left in doubt.
    seats = {state.passage: min(rules.first_seats, rules.cap) for state in [*unsampled, *doubt.unasked()]}
    if seats:
        return Plan(outcome=None, right=right, most=most, seats=_in_order(seats, passages), why=FIRST_WAVE)
    # 3. Each later wave goes where the doubt is, as if those who are asked would pass.
    seats = doubt.hand_out(most=rules.wave_seats)
    if not seats:
        return _adjudicate(doubt, passages, surety, "every passage has as many seats as the cap allows")
    return Plan(outcome=None, right=right, most=most, seats=_in_order(seats, passages), why="where the doubt is")


def _adjudicate(doubt: "_Doubt", passages: Sequence[PassageState], surety: tuple[Fraction, Fraction], why: str) -> Plan:
    """What people leave open goes to an adjudicator; the trace is undecided once nothing is left to be heard."""
    right, most = surety
    seats = dict.fromkeys(doubt.contested(), 1)
    if not seats:
        return Plan(outcome=Outcome.UNDECIDED, right=right, most=most, why=why)
    return Plan(outcome=None, right=right, most=most, seats=_in_order(seats, passages), why=ADJUDICATE)


def _in_order(seats: dict[str, int], passages: Sequence[PassageState]) -> dict[str, int]:
    return {state.passage: seats[state.passage] for state in passages if state.passage in seats}


class _Doubt:
    """The passages that may still be asked about, by their ratios: the largest first, ties by the order of the draw."""

    def __init__(self, passages: Sequence[PassageState], rules: PlanRules, can_pass: bool) -> None:
        self._rules, self._count = rules, max(1, sum(state.rests for state in passages))
        live = [state for state in passages if state.rests and not state.is_certain]
        self._live = [state for state in live if not state.is_heard]
        self._open = [state for state in self._live if state.seats < rules.cap and not state.is_spent]
        self._beside = [state for state in passages if not state.rests and not state.is_certain]
        self._total = sum((state.ratio for state in live), start=Fraction(0))
        # Sums of ratios at which the trace passes (at most), and at which it fails (at least).
        self._passes = largest_total(theta=rules.theta_pass, count=self._count, base_rate=rules.base_rate)
        self._fails = largest_total(theta=rules.theta_fail, count=self._count, base_rate=rules.base_rate)
        self._votes, is_reachable = self._shortest_pass()
        self._is_reachable = is_reachable and can_pass

    def unasked(self) -> list[PassageState]:
        """Passages without a seat whose doubt is over an equal share of what a passing trace may have left."""
        # A passage that models have all but settled is left to the random sample: asking it would change little.
        asked = [*self._open, *self._beside]
        return [state for state in asked if not state.seats and state.ratio > self._passes / self._count]

    def hand_out(self, *, most: int) -> dict[str, int]:
        """Up to `most` seats, to the largest ratios, each of which a pass is then taken to lower; enough is enough.

        At .85: one of eight passages was failed once (ratio 5.7), the others passed once (.18). Of three seats it gets
        two, which would bring it to .18, and the third goes to the first of the others.
        """
        return dict(Counter(state.passage for state in self._votes[:most]))

    def contested(self) -> list[str]:
        """Passages for an adjudicator, the largest ratios first, until the trace would pass with the word on each.

        Where nobody was asked there is nothing to adjudicate.
        """
        total, chosen = self._total, list[str]()
        for state in sorted(self._live, key=lambda state: -state.ratio):
            if state.seats and total > self._passes:
                total += self._rules.word - state.ratio
                chosen.append(state.passage)
        return chosen

    def is_worth_a_seat(self) -> bool:
        """Whether the seats that are left would decide the trace in the mean, either way.

        n / (2c - 1) seats bring, in the mean, n more votes for the truth than against it.
        """
        left = sum(self._rules.cap - state.seats for state in self._open)
        if self._is_reachable and len(self._votes) <= left * self._rules.drift:
            return True
        return any(self._can_fail(state) for state in self._open)

    def _can_fail(self, state: PassageState) -> bool:
        """Whether the seats left to this passage would, in the mean of a wrong one, fail the trace."""
        ratio, votes = state.ratio, 0
        # Reviewers hardly better than chance would need endless fails: over the cap is enough to know.
        while self._total - state.ratio + ratio < self._fails and votes <= self._rules.cap:
            ratio, votes = ratio / self._rules.step, votes + 1
        return votes <= (self._rules.cap - state.seats) * self._rules.drift

    def _shortest_pass(self) -> tuple[list[PassageState], bool]:
        """(the fewest passes after which the trace would pass, as far as the cap goes; whether it gets there)."""
        queue = [(-state.ratio, number, self._rules.cap - state.seats) for number, state in enumerate(self._open)]
        heapq.heapify(queue)
        total, votes = self._total, []
        while queue and total > self._passes:
            negative, number, left = heapq.heappop(queue)
            total += negative * (1 - self._rules.step)
            votes.append(self._open[number])
            if left > 1:
                heapq.heappush(queue, (negative * self._rules.step, number, left - 1))
        return votes, total <= self._passes
