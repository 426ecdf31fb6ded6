"""What the computer proved of a passage: the equations in which an error can be planted, and whether nothing is left.

A passage whose every computation is proved is right gold: it measures arithmetic and no more, which its origin says.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from auditing.checker.findings import Decision, Verdict
from auditing.checker.registry import MAY_VERIFY
from hdag.core.levels import Level
from hdag.core.units import Stretch
from hdag.core.values import Graph, Segment

_NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
_COMPUTES = re.compile(r"[=<>≤≥≈≠±√^]|\\(?:frac|sqrt|sum|int)")


@dataclass(frozen=True, slots=True)
class Proofs:
    """A fine graph with what the checkers decided of each of its segments."""

    graph: Graph
    decisions: Mapping[str, Decision]


def proved_equations(*, stretch: Stretch, proofs: Proofs) -> list[tuple[int, int]]:
    """Spans [start, end) within the stretch that a checker verified; none where the computer doubts any of it."""
    spans: list[tuple[int, int]] = []
    for segment in _inside(stretch, proofs.graph):
        for finding in proofs.decisions[segment.id].findings:
            if finding.verdict is Verdict.REFUTED:
                return []
            if finding.verdict is Verdict.VERIFIED and finding.evidence.checker in MAY_VERIFY:
                begins = segment.start - stretch.start
                spans.append((begins + finding.evidence.start, begins + finding.evidence.end))
    return sorted(set(spans))


def is_all_computed(*, stretch: Stretch, text: str, problem: str, proofs: Proofs) -> bool:
    """Whether everything that computes in the stretch, whose text is `text`, is proved with numbers that are grounded.

    What stands beside the proved operations holds no sign of mathematics, and no number that neither the problem nor a
    proved operation of the stretch has.
    """
    operations = [segment for segment in _inside(stretch, proofs.graph) if segment.level is Level.OPERATION]
    if not operations or not proved_equations(stretch=stretch, proofs=proofs):
        return False
    if any(proofs.decisions[segment.id].verdict is not Verdict.VERIFIED for segment in operations):
        return False
    remainder = list(text)
    for segment in operations:
        begins = segment.start - stretch.start
        # Blanked, not cut out: "2" before and "3" behind an operation must not become 23.
        remainder[begins : begins + len(segment.content)] = " " * len(segment.content)
    words = "".join(remainder)
    stated = {*_NUMBER.findall(problem), *(n for segment in operations for n in _NUMBER.findall(segment.content))}
    return not _COMPUTES.search(words) and stated.issuperset(_NUMBER.findall(words))


def _inside(stretch: Stretch, graph: Graph) -> Sequence[Segment]:
    """The segments that lie wholly in the stretch."""
    return [
        segment
        for segment in graph.segments
        if stretch.holds(source=segment.source, source_index=segment.source_index, at=segment.start)
        and segment.end <= stretch.end
    ]
