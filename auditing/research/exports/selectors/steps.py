"""Steps of audited traces with their labels: what a process reward model is trained on.

A step is an input step of the trace, or without those a step-level segment of its thinking. It fails when one of its
segments fails, passes when all pass, and is otherwise undecided; its soft label is the least posterior of them.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from auditing.checker.answers import tell_apart
from auditing.core.values import Outcome
from auditing.models import Audit, SegmentOutcome
from auditing.research.exports.selectors.fine_steps import fine_segments
from auditing.research.exports.selectors.scope import Scope
from auditing.research.exports.selectors.streams import CHUNK, Row
from hdag.core import values
from hdag.models import Segment
from hdag.selectors import load_trace
from hdag.store.content import ContentGoneError

Span = tuple[int, int]
Decided = Mapping[Any, tuple[str, float | None]]  # segment -> outcome, posterior


def steps(scope: Scope) -> Iterator[Row]:
    """Trace by trace, its steps in order; filters of rounds narrow nothing here."""
    audits = scope.wholes().filter(trace_outcome__isnull=False, decomposition__isnull=False)
    audits = audits.select_related("trace__payload", "policy", "decomposition").order_by("created", "pk")
    for audit in audits.iterator(chunk_size=CHUNK // 20):
        yield from _steps_of(scope, audit)


def _steps_of(scope: Scope, audit: Audit) -> Iterator[Row]:
    trace = _text_of(scope, audit)
    decided: Decided = {
        key: (outcome, posterior)
        for key, outcome, posterior in SegmentOutcome.objects.filter(audit=audit).values_list(
            "segment", "outcome", "posterior"
        )
    }
    segments = list(Segment.objects.filter(decomposition=audit.decomposition_id, source="thinking"))
    if audit.job.derived_from_id is not None:
        # Passages were judged: each says what it says of its own steps.
        fine, decided = fine_segments(audit=audit)
        segments = [row for row in fine if row.source == "thinking"]
    labels = [
        _label([decided[segment.pk] for segment in group if segment.pk in decided]) for _, group in _groups(segments)
    ]
    first_error = _first_error([outcome for outcome, _ in labels])
    shared = {
        "audit": str(audit.pk),
        "trace": str(audit.trace_id),
        "campaign": str(audit.campaign_id),
        "domain": audit.trace.domain,
        "policy": audit.policy.number,
        "is_simulated": audit.is_simulated,
        "steps": len(labels),
        "first_error": first_error,
        "is_answer_right": _is_right(trace),
    }
    # The problem and the reference stand on the first step alone: repeated on each they would outweigh the steps.
    for number, ((span, _), (outcome, soft)) in enumerate(zip(_groups(segments), labels, strict=True)):
        yield shared | {
            "step": number,
            "outcome": outcome,
            "label": {"pass": 1, "fail": -1}.get(outcome),
            "soft_label": soft,
            "content": _step_text(trace, number, span, segments),
            "problem": trace.problem if trace and number == 0 else None,
            "reference": trace.reference_answer or None if trace and number == 0 else None,
        }


def _text_of(scope: Scope, audit: Audit) -> values.Trace | None:
    if not scope.with_text:
        return None
    try:
        return load_trace(audit.trace)
    except ContentGoneError:
        return None


def _groups(segments: Sequence[Segment]) -> list[tuple[Span, list[Segment]]]:
    """Each step with its span and its segments."""
    if any(segment.step is not None for segment in segments):
        # The provider handed in steps: segments are grouped by the step that holds them.
        numbers = sorted({segment.step for segment in segments if segment.step is not None})
        inside = [[segment for segment in segments if segment.step == number] for number in numbers]
        return [((min(inner.start for inner in group), max(inner.end for inner in group)), group) for group in inside]
    # Otherwise the step-level segments are the steps, each with everything inside its span.
    outer = [segment for segment in segments if segment.level == "step"]
    return [
        (
            (segment.start, segment.end),
            [inner for inner in segments if segment.start <= inner.start and inner.end <= segment.end],
        )
        for segment in outer
    ]


def _label(decided: Sequence[tuple[str, float | None]]) -> tuple[str, float | None]:
    outcomes = {outcome for outcome, _ in decided}
    posteriors = [posterior for _, posterior in decided if posterior is not None]
    # A chain is as strong as its weakest link; one unknown posterior leaves the least one unknown.
    soft = min(posteriors) if posteriors and len(posteriors) == len(decided) else None
    if "fail" in outcomes:
        return str(Outcome.FAIL), soft
    return (str(Outcome.PASS) if outcomes == {"pass"} else str(Outcome.UNDECIDED)), soft


def _first_error(outcomes: Sequence[str]) -> int | None:
    """The first failing step, -1 for none, None when a step before it is undecided."""
    for number, outcome in enumerate(outcomes):
        if outcome != "pass":
            # pass, undecided, fail: the undecided step may be the first error, so it stays unknown.
            return number if outcome == "fail" else None
    return -1


def _step_text(trace: values.Trace | None, number: int, span: Span, segments: Sequence[Segment]) -> str | None:
    if trace is None:
        return None
    if trace.steps and any(segment.step is not None for segment in segments):
        numbers = sorted({segment.step for segment in segments if segment.step is not None})
        input_step = next((step for step in trace.steps if step.index == numbers[number]), None)
        span = (input_step.start, input_step.end) if input_step else span
    return trace.thinking[span[0] : span[1]]


def _is_right(trace: values.Trace | None) -> bool | None:
    # Two sentences that differ may say the same: a label that says "wrong" of a right answer is worse than none.
    return None if trace is None else tell_apart(first=trace.answer, second=trace.reference_answer)
