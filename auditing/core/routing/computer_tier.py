"""The computer tier's votes: what the checker library decides about a segment becomes a vote like any other."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from auditing.checker.decision import SILENT, Grounds, decide
from auditing.checker.examination import decide_all
from auditing.checker.findings import Decision, Finding, Verdict
from auditing.core.values import Choice, Tier, Vote
from hdag.core.units import BETWEEN, Stretch
from hdag.core.values import Graph, Segment, Source, Trace

AUDITOR = "computer"
_CHOICES = {
    Verdict.VERIFIED: Choice.PASS,
    Verdict.REFUTED: Choice.FAIL,
    Verdict.NOT_APPLICABLE: Choice.ABSTAIN,
}
NO_CHECK = "No checker could decide this."
ALL_PROVED = "The computer proved every step of it."


def vote_of(*, decision: Decision) -> Vote:
    """The vote of the computer tier: certain where it decides, an abstention with evidence elsewhere."""
    choice = _CHOICES[decision.verdict]
    return Vote(
        choice=choice,
        auditor=AUDITOR,
        tier=Tier.COMPUTER,
        confidence=None if choice is Choice.ABSTAIN else 1.0,
        reason=decision.reason,
        evidence=decision.findings,
    )


_SILENT = vote_of(decision=SILENT)


def vote_on(*, segment: Segment, findings: tuple[Finding, ...], graph: Graph) -> Vote:
    """The vote on one segment from the findings that stand at it."""
    return vote_of(decision=decide(segment=segment, findings=findings, grounds=Grounds(graph)))


def votes_on(*, trace: Trace, graph: Graph) -> dict[str, Vote]:
    """Examines a whole trace: the vote on every segment, by id; its evidence is what the checks saw there."""
    decisions = decide_all(trace=trace, graph=graph)
    # at two segments of three no check found anything: one vote says so for all of them
    return {
        label: _SILENT if decision is SILENT else vote_of(decision=decision) for label, decision in decisions.items()
    }


@dataclass(frozen=True, slots=True)
class PlacedFinding:
    """A finding with the fine segment that it stands at, and the character of which text it begins at."""

    label: str
    source: Source
    source_index: int
    at: int
    finding: Finding

    @property
    def is_refuted(self) -> bool:
        """Whether it is an accusation: a doubt refutes nothing, here as on a single segment."""
        return self.finding.accuses

    def is_in(self, stretches: Sequence[Stretch]) -> bool:
        """Whether it begins in one of the stretches."""
        return any(s.holds(source=self.source, source_index=self.source_index, at=self.at) for s in stretches)


def place_findings(*, decisions: Mapping[str, Decision], graph: Graph) -> list[PlacedFinding]:
    """Every finding about a fine graph with its place in the texts, in reading order of the segments."""
    return [
        PlacedFinding(segment.id, segment.source, segment.source_index, segment.start + finding.evidence.start, finding)
        for segment in graph.segments
        for finding in decisions[segment.id].findings
    ]


def unit_votes(
    *, placed: Sequence[PlacedFinding], units: Mapping[str, Sequence[Stretch]], proved: Collection[str]
) -> dict[str, Vote]:
    """The vote on every unit of a passage graph, by its id: what the checkers say of the fine segments in its text.

    One refutation refutes the unit and names the segment; a unit of `proved` passes; else the findings are evidence.
    """
    return {
        unit: vote_of(
            decision=_decide_unit([mark for mark in placed if mark.is_in(stretches)], stretches, unit in proved)
        )
        for unit, stretches in units.items()
    }


def _decide_unit(placed: Sequence[PlacedFinding], stretches: Sequence[Stretch], is_proved: bool) -> Decision:
    findings = tuple(_within(mark, stretches) for mark in placed)
    refuted = next((mark for mark in placed if mark.is_refuted), None)
    if refuted is not None:
        return Decision(Verdict.REFUTED, f"{refuted.label}: {refuted.finding.evidence.sentence}", findings)
    if is_proved:
        return Decision(Verdict.VERIFIED, ALL_PROVED, findings)
    doubt = next((finding for finding in findings if finding.doubts), None)
    why = NO_CHECK if doubt is None else f"It may be false: {doubt.evidence.sentence}"
    return Decision(Verdict.NOT_APPLICABLE, why, findings)


def _within(placed: PlacedFinding, stretches: Sequence[Stretch]) -> Finding:
    """The finding with its place in the text of the unit: its stretches one after the other, a blank line between."""
    evidence, begins = placed.finding.evidence, 0
    for stretch in stretches:
        if placed.is_in([stretch]):
            start = begins + placed.at - stretch.start
            end = min(start + evidence.end - evidence.start, begins + stretch.end - stretch.start)
            return replace(placed.finding, evidence=replace(evidence, start=start, end=end))
        begins += stretch.end - stretch.start + len(BETWEEN)
    return placed.finding
