"""Steps of audited traces with their labels: what a process reward model is trained on.

A step is an input step of the trace, or without those a step-level segment of its thinking. It fails when one of its
segments fails, passes when all pass, and is otherwise undecided; its soft label is the least posterior of them.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from auditing.checker.answers import same_answer
from auditing.core.values import Outcome
from auditing.models import Audit, SegmentOutcome
from auditing.research.exports.selectors.rows import CHUNK, Row
from auditing.research.exports.selectors.scope import Scope
from hdag.core import values
from hdag.models import Segment
from hdag.selectors import load_trace
from hdag.store.content import ContentGoneError

Span = tuple[int, int]
Decided = Mapping[Any, tuple[str, float | None]]  # segment -> outcome, posterior


def steps(scope: Scope) -> Iterator[Row]:
    """Trace by trace, its steps in order; filters of votes and rounds narrow nothing here."""
    found = scope.audits().filter(trace_outcome__isnull=False, decomposition__isnull=False)
    found = found.select_related("trace__payload", "policy", "decomposition").order_by("created", "pk")
    for audit in found.iterator(chunk_size=CHUNK // 20):
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
    labels = [_label([decided[one.pk] for one in group if one.pk in decided]) for _, group in _groups(segments)]
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
    for place, ((span, _), (outcome, soft)) in enumerate(zip(_groups(segments), labels, strict=True)):
        yield shared | {
            "step": place,
            "outcome": outcome,
            "label": {"pass": 1, "fail": -1}.get(outcome),
            "soft_label": soft,
            "content": _step_text(trace, place, span, segments),
            "problem": trace.problem if trace and place == 0 else None,
            "reference": trace.reference_answer or None if trace and place == 0 else None,
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
    if any(one.step is not None for one in segments):
        numbers = sorted({one.step for one in segments if one.step is not None})
        inside = [[one for one in segments if one.step == number] for number in numbers]
        return [((min(s.start for s in some), max(s.end for s in some)), some) for some in inside]
    outer = [one for one in segments if one.level == "step"]
    return [((one.start, one.end), [s for s in segments if one.start <= s.start and s.end <= one.end]) for one in outer]


def _label(decided: Sequence[tuple[str, float | None]]) -> tuple[str, float | None]:
    outcomes = {outcome for outcome, _ in decided}
    known = [posterior for _, posterior in decided if posterior is not None]
    soft = min(known) if known and len(known) == len(decided) else None
    if "fail" in outcomes:
        return str(Outcome.FAIL), soft
    return (str(Outcome.PASS) if outcomes == {"pass"} else str(Outcome.UNDECIDED)), soft


def _first_error(outcomes: Sequence[str]) -> int | None:
    """The first failing step, -1 for none, None when a step before it is undecided."""
    for place, outcome in enumerate(outcomes):
        if outcome != "pass":
            return place if outcome == "fail" else None
    return -1


def _step_text(trace: values.Trace | None, place: int, span: Span, segments: Sequence[Segment]) -> str | None:
    if trace is None:
        return None
    if trace.steps and any(one.step is not None for one in segments):
        numbers = sorted({one.step for one in segments if one.step is not None})
        given = next((one for one in trace.steps if one.index == numbers[place]), None)
        span = (given.start, given.end) if given else span
    return trace.thinking[span[0] : span[1]]


def _is_right(trace: values.Trace | None) -> bool | None:
    if trace is None or not trace.reference_answer.strip() or not trace.answer.strip():
        return None
    return same_answer(first=trace.answer, second=trace.reference_answer)
