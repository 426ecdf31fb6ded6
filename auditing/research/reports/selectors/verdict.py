"""The verdict card of an audit: its lines in the terms of the core. Works on lines that were read already."""

from collections.abc import Sequence

from auditing.core.values import Outcome, Tier
from auditing.research.reports.core import verdict
from auditing.research.reports.core.words import Place, accuse, name_places
from auditing.research.reports.selectors.lines import SegmentLine


def judged_segments(*, lines: Sequence[SegmentLine]) -> tuple[verdict.Segment, ...]:
    """The lines of a report in the verdict's terms."""
    wheres = name_places(
        places=[
            Place(line.value.id, str(line.value.level), str(line.value.source), line.value.step, line.children)
            for line in lines
        ]
    )
    return tuple(_segment(line, wheres[line.value.id]) for line in lines)


def _segment(line: SegmentLine, where: str) -> verdict.Segment:
    step = line.unit.failing_step if line.unit else None
    accusation = _accusation(line)
    return verdict.Segment(
        id=line.value.id,
        state=line.state,
        text=line.value.content,
        # Of a passage its failing step is named, by the number that reviewers saw and by its segments.
        where=where if step is None else f"{line.value.id}, step {step.number} ({', '.join(step.labels)})",
        premises=line.premises,
        children=line.children,
        level=str(line.value.level),
        decided_by=line.decided_by,
        # Only a failing segment is explained; to look for a reason decrypts what was written.
        accusation=(accusation or line.because) if line.state == Outcome.FAIL else "",
        is_proved=bool(accusation) and line.decided_by == Tier.COMPUTER,
        votes=_votes(line),
    )


def _accusation(line: SegmentLine) -> str:
    """What the computer's first certain refutation says; "" when it accused nobody or was overruled."""
    if line.computer is None or line.state != "fail":
        return ""
    for finding in line.computer.rationale.evidence:
        if finding.accuses:
            evidence = finding.evidence
            return accuse(read=evidence.read, details=evidence.details, sentence=evidence.sentence)
    return ""


def _votes(line: SegmentLine) -> dict[str, tuple[int, int]]:
    counts: dict[str, tuple[int, int]] = {}
    for vote in line.votes:
        if vote.choice in ("pass", "fail"):
            agreeing, voting = counts.get(vote.tier, (0, 0))
            counts[vote.tier] = agreeing + (vote.choice == line.state), voting + 1
    return counts
