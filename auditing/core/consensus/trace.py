"""From the outcomes of a trace's segments to its own: the policy's rule, and the paper's W against beta beside it.

Source: TRUST section 3.2; docs/formulas.md section 1.2.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from math import prod
from typing import NamedTuple

from auditing.core.consensus.planning.evidence import HALF, PassageState, decide_right, ratio_of, trace_right
from auditing.core.policy import Policy, TraceRule
from auditing.core.values import Outcome, Tier
from hdag.core.levels import Level
from hdag.core.values import Graph, Segment, Source


@lru_cache(maxsize=256)
def _exact(written: Decimal) -> Fraction:
    """A number of a policy as a fraction: every trace asks for the same few."""
    return Fraction(written)


class SegmentOutcome(NamedTuple):
    """A decided segment, as the trace rules read it."""

    segment: str
    outcome: Outcome
    posterior: Fraction
    tier: Tier
    weight: Decimal | None = None  # None: the tier's own
    refuted: bool = False  # a checker refuted it
    adjudicated: bool = False  # an adjudicator's word, which stands for its own error whatever the votes were
    paper_outcome: Outcome | None = None  # None: as outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceOutcome:
    """The trace's outcome under the binding rule, and the paper's beside it."""

    outcome: Outcome
    posterior: Fraction  # that every segment the answer rests on is valid
    score: Fraction  # the rule's raw number: product, minimum, or share W / sum of weights
    rule: TraceRule
    theta_pass: Fraction
    theta_fail: Fraction
    basis: tuple[str, ...]  # the answer and what it rests on, in reading order
    refuted: tuple[str, ...]  # refuted segments among the basis
    paper_outcome: Outcome
    weight_passed: Fraction  # W
    weight_needed: Fraction  # W_beta = beta * sum of weights
    why: str


def decide_trace(
    *,
    outcomes: Mapping[str, SegmentOutcome] | Iterable[SegmentOutcome],
    graph: Graph,
    policy: Policy,
    soundness: Mapping[str, Fraction] | None = None,
    plan: Collection[str] = (),
) -> TraceOutcome:
    """Decide a trace from the outcomes of its segments.

    The answer rests on its ancestors in the premise graph and on the operations inside those steps. A refuted
    computer check there fails the trace, whatever the weights say. Segments that no round examined are left out.
    soundness: by segment, the most that a certificate (ARES) leaves of one it calls unsound; no trace is surer.
    plan: the plan units of a passage graph; every answer rests on how the problem was read and on its plan.
    """
    # 1. What the answer rests on; an error beside it does not make the answer wrong.
    by_id = {decided.segment: decided for decided in (outcomes.values() if isinstance(outcomes, Mapping) else outcomes)}
    basis = tuple(key for key in answer_basis(graph=graph, plan=plan) if key in by_id) or tuple(by_id)
    basis_outcomes = [by_id[key] for key in basis]
    # 2. The paper's rule reads all segments: W = sum of the weights of those that passed, against beta sum w.
    refuted = tuple(decided.segment for decided in basis_outcomes if decided.refuted)
    passed, total = _weights(by_id.values(), policy)
    needed = _exact(policy.beta) * total
    paper = _paper_outcome(by_id.values(), passed, needed)
    # 3. The binding rule reads the basis only; a refutation in it overrules whatever comes out.
    posterior = trace_posterior(rested=basis_outcomes, policy=policy, soundness=soundness or {})
    outcome, score = _binding(basis_outcomes, policy, posterior, (paper, passed / total if total else Fraction(0)))
    return TraceOutcome(
        outcome=Outcome.FAIL if refuted else outcome,
        posterior=Fraction(0) if refuted else posterior,
        score=score,
        rule=policy.trace_rule,
        theta_pass=_exact(policy.trace_theta_pass),
        theta_fail=_exact(policy.trace_theta_fail),
        basis=basis,
        refuted=refuted,
        paper_outcome=paper,
        weight_passed=passed,
        weight_needed=needed,
        why=_why(refuted, outcome, score, posterior, basis_outcomes),
    )


def trace_posterior(*, rested: Iterable[SegmentOutcome], policy: Policy, soundness: Mapping[str, Fraction]) -> Fraction:
    """P(no wrong segment) = min(product of p'_s, least p_s, least soundness); rational. First error: planning.

    A share `trace_base_rate` of traces is free of error, so one segment of S is wrong with prior
    (1 - trace_base_rate) / S: p'_s is the segment's posterior moved from base_rate to that prior (its votes'
    likelihood ratio stays). Without this thirty posteriors of .95 would multiply to .21. The minima keep the trace
    from being surer than its weakest segment.
    """
    outcomes = list(rested)
    if not outcomes:
        return _exact(policy.trace_base_rate)
    certified = min(
        (soundness[decided.segment] for decided in outcomes if decided.segment in soundness), default=Fraction(1)
    )
    base = _exact(policy.base_rate)
    if policy.trace_rule is TraceRule.FIRST_ERROR:
        states = [passage_state(decided=decided, base_rate=base) for decided in outcomes]
        return trace_right(passages=states, base_rate=_exact(policy.trace_base_rate), most=certified)
    # With trace_base_rate .5 and ten segments each is right with prior .95; from a base rate of .8 the odds of a
    # segment move by (.95 / .05) / (.8 / .2) = 4.75, so that a posterior of .95 becomes .989 and ten of them .9.
    segment_prior = 1 - (1 - _exact(policy.trace_base_rate)) / len(outcomes)
    shift = (segment_prior / (1 - segment_prior)) / (base / (1 - base))
    posteriors = [decided.posterior for decided in outcomes]
    product = prod((p * shift / (p * shift + 1 - p) for p in posteriors), start=Fraction(1))
    return min([product, *posteriors, certified])


def passage_state(*, decided: SegmentOutcome, base_rate: Fraction, seats: int = 0, rests: bool = True) -> PassageState:
    """A segment as the planner reads it: what the trace is decided by is what it was planned by."""
    is_machine = decided.tier is Tier.COMPUTER
    return PassageState(
        passage=decided.segment,
        # The word is no evidence beside a prior: at even odds its ratio is that of its error.
        ratio=ratio_of(posterior=decided.posterior, base_rate=HALF if decided.adjudicated else base_rate),
        seats=seats,
        is_refuted=decided.refuted,
        is_proved=is_machine and decided.outcome is Outcome.PASS,
        rests=rests,
    )


def answer_basis(*, graph: Graph, plan: Collection[str] = ()) -> tuple[str, ...]:
    """Ids of the answer, all it rests on and `plan`, in reading order; all where nothing leads to the answer."""
    answer = _answer(graph)
    if answer is None:
        return ()
    premises, children = graph.premises(), graph.children()
    levels = {segment.id: segment.level for segment in graph.segments}
    start = {answer.id, *(key for key in plan if key in levels)}
    basis, queue = set(start), list(start)
    while queue:
        here = queue.pop()
        # A step rests on the operations inside it; a plan does not rest on the steps that carry it out.
        operations = children.get(here, ()) if levels[here] in (Level.STEP, Level.OPERATION) else ()
        new = [key for key in (*premises.get(here, ()), *operations) if key not in basis and key in levels]
        basis.update(new)
        queue.extend(new)
    if basis == start:  # no edge leads to the answer: the graph cannot tell what it rests on
        basis = set(levels)
    return tuple(segment.id for segment in graph.segments if segment.id in basis)


def _answer(graph: Graph) -> Segment | None:
    """The last step-level segment of the answer; without one, the last step-level segment of all; else the last."""
    steps = [segment for segment in graph.segments if segment.level in (Level.STEP, Level.OPERATION)]
    steps = steps or list(graph.segments)
    answering = [segment for segment in steps if segment.source is Source.ANSWER]
    candidates = answering or steps
    return candidates[-1] if candidates else None


def _weights(outcomes: Iterable[SegmentOutcome], policy: Policy) -> tuple[Fraction, Fraction]:
    """(W, sum of weights): a segment counts with its route's weight, or with its tier's where the route names none."""
    # nearly all weigh the same: each weight is counted before it is multiplied
    total, passed = Counter[Decimal](), Counter[Decimal]()
    for decided in outcomes:
        weight = policy.tier(decided.tier).weight if decided.weight is None else decided.weight
        total[weight] += 1
        passed[weight] += (decided.paper_outcome or decided.outcome) is Outcome.PASS
    return _summed(passed), _summed(total)


def _summed(counts: Counter[Decimal]) -> Fraction:
    return sum((_exact(weight) * count for weight, count in counts.items()), Fraction(0))


def _paper_outcome(outcomes: Iterable[SegmentOutcome], passed: Fraction, needed: Fraction) -> Outcome:
    """Pass when W >= W_beta. The paper knows no third value; without any outcome there is none."""
    if not any(True for _ in outcomes):
        return Outcome.UNDECIDED
    # the same 1e-9 that keeps ceil(tau k) from rounding up, see consensus.tally.quorum
    return Outcome.PASS if passed >= needed - Fraction(1, 10**9) else Outcome.FAIL


def _binding(
    basis: list[SegmentOutcome], policy: Policy, posterior: Fraction, paper: tuple[Outcome, Fraction]
) -> tuple[Outcome, Fraction]:
    """(outcome, raw score) under policy.trace_rule, before refutations."""
    if not basis:
        return Outcome.UNDECIDED, Fraction(0)
    if policy.trace_rule is TraceRule.WEIGHTED:
        return paper
    if policy.trace_rule is TraceRule.ALL_PASS:
        return _all_pass(basis)
    if policy.trace_rule is TraceRule.MINIMUM:
        least = min(decided.posterior for decided in basis)
        return _by_thresholds(least, policy), least
    if policy.trace_rule is TraceRule.FIRST_ERROR:
        return _by_thresholds(posterior, policy), posterior
    # Noisy-AND: the plain product is stored as the score, the moved one (trace_posterior) decides.
    score = prod((decided.posterior for decided in basis), start=Fraction(1))
    return _by_thresholds(posterior, policy), score


def _all_pass(basis: list[SegmentOutcome]) -> tuple[Outcome, Fraction]:
    outcomes = {decided.outcome for decided in basis}
    share = Fraction(sum(decided.outcome is Outcome.PASS for decided in basis), len(basis))
    if Outcome.FAIL in outcomes:
        return Outcome.FAIL, share
    return (Outcome.PASS if outcomes == {Outcome.PASS} else Outcome.UNDECIDED), share


def _by_thresholds(probability: Fraction, policy: Policy) -> Outcome:
    """Undecided lies between the two thresholds, which follow from the policy's costs (Chow 1970)."""
    theta_pass, theta_fail = _exact(policy.trace_theta_pass), _exact(policy.trace_theta_fail)
    return decide_right(right=probability, theta_pass=theta_pass, theta_fail=theta_fail)


def _why(
    refuted: tuple[str, ...], outcome: Outcome, score: Fraction, posterior: Fraction, basis: list[SegmentOutcome]
) -> str:
    if refuted:
        return f"a computer check refuted {', '.join(refuted)}, on which the answer rests"
    if not basis:
        return "no segment has an outcome"
    weakest = min(basis, key=lambda decided: decided.posterior)
    counted = "1 segment" if len(basis) == 1 else f"{len(basis)} segments"
    return (
        f"{outcome}: {counted}, score {float(score):.3f}, posterior {float(posterior):.3f}, "
        f"weakest {weakest.segment} at {float(weakest.posterior):.3f}"
    )
