"""The computer tier: findings for every segment of a trace, and the decision that follows from them."""

from __future__ import annotations

from collections.abc import Iterable

from auditing.checker.decision import Grounds, decide
from auditing.checker.findings import Decision, Evidence, Finding, Verdict
from auditing.checker.reading.blocks import carried
from auditing.checker.reading.passages import Placed, numbers_in, script_of
from auditing.checker.registry import CHECKERS
from hdag.core.values import Graph, Segment, Source, Trace

__all__ = ["decide_all", "examine_graph", "numbers_in"]


def examine_graph(*, trace: Trace, graph: Graph) -> dict[str, tuple[Finding, ...]]:
    """What every checker found, by segment id; each finding stands at the smallest segment that holds its span.

    The whole trace at once, because values flow between segments. Never raises on trace text: a checker that
    breaks costs its own findings, which become one NOT APPLICABLE finding at the first segment.
    """
    script = script_of(trace)
    placed: list[Placed] = []
    failures: list[Finding] = []
    for checker in CHECKERS:
        try:
            placed.extend(checker.check(script))
        except (
            ArithmeticError,
            LookupError,
            ValueError,
            TypeError,
            AttributeError,
            RecursionError,
            AssertionError,
        ) as error:
            failures.append(_broken(checker.name, error))
    placed.extend(carried(script, tuple(placed)))
    found = _distribute(placed, graph.segments)
    if failures and graph.segments:
        found.setdefault(graph.segments[0].id, []).extend(failures)
    return {segment.id: tuple(found.get(segment.id, ())) for segment in graph.segments}


def decide_all(*, trace: Trace, graph: Graph) -> dict[str, Decision]:
    """Examines a whole trace: the decision about every segment, by id; its findings are the evidence."""
    findings, grounds = examine_graph(trace=trace, graph=graph), Grounds(graph)
    return {
        segment.id: decide(segment=segment, findings=findings[segment.id], grounds=grounds)
        for segment in graph.segments
    }


def _broken(name: str, error: Exception) -> Finding:
    sentence = f"The {name} checker could not read this trace ({type(error).__name__})."
    return Finding(Verdict.NOT_APPLICABLE, Evidence(name, "cannot check", "", sentence, {"error": str(error)[:200]}))


def _distribute(placed: Iterable[Placed], segments: tuple[Segment, ...]) -> dict[str, list[Finding]]:
    """Puts every finding at the smallest segment around it, or else around its start; what is said twice, once."""
    seen: set[tuple[str, int, int, Verdict, str]] = set()
    by_source: dict[tuple[Source, int], list[Segment]] = {}
    for segment in segments:
        by_source.setdefault((segment.source, segment.source_index), []).append(segment)
    found: dict[str, list[Finding]] = {}
    for item in placed:
        home = _home(item, by_source.get((item.source, item.source_index), []))
        if home is not None:
            finding = _within(item, home)
            what = finding.evidence
            said = home.id, what.start, what.end, finding.verdict, what.sentence
            if said not in seen:
                seen.add(said)
                found.setdefault(home.id, []).append(finding)
    return found


def _home(item: Placed, segments: list[Segment]) -> Segment | None:
    around = [s for s in segments if s.start <= item.start and item.end <= s.end]
    if not around:
        around = [s for s in segments if s.start <= item.start < s.end]
    return min(around, key=lambda s: s.end - s.start, default=None)


def _within(item: Placed, home: Segment) -> Finding:
    old = item.finding.evidence
    evidence = Evidence(
        old.checker,
        old.rule,
        old.read,
        old.sentence,
        old.details,
        item.start - home.start,
        min(item.end, home.end) - home.start,
    )
    return Finding(item.finding.verdict, evidence)
