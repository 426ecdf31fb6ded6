"""Outcomes of segments -> outcome of the trace: the binding rule and the paper's W against beta, side by side."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import prod

from auditing.core.policy import Policy, TraceRule
from auditing.core.values import Outcome, Tier
from hdag.core.levels import Level
from hdag.core.values import Graph, Segment, Source


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentOutcome:
    """A decided segment, as the trace rules read it."""

    segment: str
    outcome: Outcome
    posterior: Fraction
    tier: Tier
    weight: Decimal | None = None  # None: the tier's own
    refuted: bool = False  # a checker refuted it
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
) -> TraceOutcome:
    """Decide a trace from the outcomes of its segments (TRUST section 3.2; docs/formulas.md section 1.2).

    The answer rests on its ancestors in the premise graph and on the operations inside those steps. A refuted
    computer check there fails the trace, whatever the weights say. Segments that no round examined are left out.
    soundness: of segments that a certificate (ARES) calls unsound, at most: no trace is surer than that.
    """
    found = {item.segment: item for item in (outcomes.values() if isinstance(outcomes, Mapping) else outcomes)}
    basis = tuple(key for key in answer_basis(graph=graph) if key in found) or tuple(found)
    rested = [found[key] for key in basis]
    refuted = tuple(item.segment for item in rested if item.refuted)
    passed, total = _weights(found.values(), policy)
    needed = Fraction(policy.beta) * total
    paper = _paper_outcome(found.values(), passed, needed)
    posterior = trace_posterior(items=rested, policy=policy, soundness=soundness or {})
    outcome, score = _binding(rested, policy, posterior, (paper, passed / total if total else Fraction(0)))
    return TraceOutcome(
        outcome=Outcome.FAIL if refuted else outcome,
        posterior=Fraction(0) if refuted else posterior,
        score=score,
        rule=policy.trace_rule,
        theta_pass=Fraction(policy.trace_theta_pass),
        theta_fail=Fraction(policy.trace_theta_fail),
        basis=basis,
        refuted=refuted,
        paper_outcome=paper,
        weight_passed=passed,
        weight_needed=needed,
        why=_why(refuted, outcome, score, posterior, rested),
    )


def trace_posterior(*, items: Iterable[SegmentOutcome], policy: Policy, soundness: Mapping[str, Fraction]) -> Fraction:
    """P(no wrong segment) = min(product of p'_s, least p_s, least soundness); rational.

    A share `trace_base_rate` of traces is free of error, so one segment of S is wrong with prior
    (1 - trace_base_rate) / S: p'_s is the segment's posterior moved from base_rate to that prior (its votes'
    likelihood ratio stays). Without this thirty posteriors of .95 would multiply to .21. The minima keep the trace
    from being surer than its weakest segment.
    """
    segments = list(items)
    if not segments:
        return Fraction(policy.trace_base_rate)
    base = Fraction(policy.base_rate)
    spread = 1 - (1 - Fraction(policy.trace_base_rate)) / len(segments)
    shift = (spread / (1 - spread)) / (base / (1 - base))
    moved = prod((p * shift / (p * shift + 1 - p) for p in (item.posterior for item in segments)), start=Fraction(1))
    certified = [soundness[item.segment] for item in segments if item.segment in soundness]
    return min([moved, *(item.posterior for item in segments), *certified])


def answer_basis(*, graph: Graph) -> tuple[str, ...]:
    """Ids of the answer and all it rests on, in reading order; every segment when nothing leads to the answer."""
    answer = _answer(graph)
    if answer is None:
        return ()
    premises, children = graph.premises(), graph.children()
    levels = {segment.id: segment.level for segment in graph.segments}
    found, queue = {answer.id}, [answer.id]
    while queue:
        here = queue.pop()
        parts = children.get(here, ()) if levels[here] in (Level.STEP, Level.OPERATION) else ()
        new = [key for key in (*premises.get(here, ()), *parts) if key not in found and key in levels]
        found.update(new)
        queue.extend(new)
    keep = found if len(found) > 1 else set(levels)
    return tuple(segment.id for segment in graph.segments if segment.id in keep)


def _answer(graph: Graph) -> Segment | None:
    """The last step-level segment of the answer; without one, the last step-level segment of all; else the last."""
    steps = [item for item in graph.segments if item.level in (Level.STEP, Level.OPERATION)] or list(graph.segments)
    said = [item for item in steps if item.source is Source.ANSWER]
    found = said or steps
    return found[-1] if found else None


def _weights(items: Iterable[SegmentOutcome], policy: Policy) -> tuple[Fraction, Fraction]:
    passed = total = Fraction(0)
    for item in items:
        weight = Fraction(policy.tier(item.tier).weight if item.weight is None else item.weight)
        total += weight
        passed += weight * ((item.paper_outcome or item.outcome) is Outcome.PASS)
    return passed, total


def _paper_outcome(items: Iterable[SegmentOutcome], passed: Fraction, needed: Fraction) -> Outcome:
    """Pass when W >= W_beta. The paper knows no third value; without any outcome there is none."""
    if not any(True for _ in items):
        return Outcome.UNDECIDED
    return Outcome.PASS if passed >= needed - Fraction(1, 10**9) else Outcome.FAIL


def _binding(
    rested: list[SegmentOutcome], policy: Policy, posterior: Fraction, paper: tuple[Outcome, Fraction]
) -> tuple[Outcome, Fraction]:
    """(outcome, raw score) under policy.trace_rule, before refutations."""
    if not rested:
        return Outcome.UNDECIDED, Fraction(0)
    if policy.trace_rule is TraceRule.WEIGHTED:
        return paper
    if policy.trace_rule is TraceRule.ALL_PASS:
        return _all_pass(rested)
    if policy.trace_rule is TraceRule.MINIMUM:
        least = min(item.posterior for item in rested)
        return _by_thresholds(least, policy), least
    score = prod((item.posterior for item in rested), start=Fraction(1))
    return _by_thresholds(posterior, policy), score


def _all_pass(rested: list[SegmentOutcome]) -> tuple[Outcome, Fraction]:
    found = {item.outcome for item in rested}
    share = Fraction(sum(item.outcome is Outcome.PASS for item in rested), len(rested))
    if Outcome.FAIL in found:
        return Outcome.FAIL, share
    return (Outcome.PASS if found == {Outcome.PASS} else Outcome.UNDECIDED), share


def _by_thresholds(probability: Fraction, policy: Policy) -> Outcome:
    if probability >= Fraction(policy.trace_theta_pass):
        return Outcome.PASS
    return Outcome.FAIL if probability <= Fraction(policy.trace_theta_fail) else Outcome.UNDECIDED


def _why(
    refuted: tuple[str, ...], outcome: Outcome, score: Fraction, posterior: Fraction, rested: list[SegmentOutcome]
) -> str:
    if refuted:
        return f"a computer check refuted {', '.join(refuted)}, on which the answer rests"
    if not rested:
        return "no segment has an outcome"
    weakest = min(rested, key=lambda item: item.posterior)
    return (
        f"{outcome}: {len(rested)} segments, score {float(score):.3f}, posterior {float(posterior):.3f}, "
        f"weakest {weakest.segment} at {float(weakest.posterior):.3f}"
    )
