"""The report of an audit: the outcome in one sentence, the first failing segment and why, the tree, provenance.

A fixed number of queries for the whole audit, whatever its size. Reads Audit, Round, Route, SegmentOutcome,
TraceOutcome, Vote, SoundnessRun, and the stored trace and graph.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Any

from auditing.models import Audit, Round, Route, SegmentOutcome, TraceOutcome
from auditing.selectors.report.lines import SegmentLine, segment_json
from auditing.selectors.report.units import find_unit
from auditing.selectors.soundness import Soundness, soundness_of
from auditing.selectors.voting.opened_votes import VoteLine, votes_of
from hdag.core.values import Segment, Trace
from hdag.models import Segment as SegmentRow
from hdag.selectors import StoredGraph, load_graph, load_trace

# The problem is not audited; a parent that is all children is judged by its parts; a passage may be asked of nobody.
GIVEN, WHOLE, UNASKED = "given", "parts", "unasked"


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that the report page, the print view and the JSON show."""

    audit: Audit
    trace: Trace
    graph: StoredGraph | None
    lines: tuple[SegmentLine, ...]
    outcome: TraceOutcome | None
    soundness: Soundness | None = None

    @property
    def problem(self) -> str:
        """The problem as handed in."""
        return self.trace.problem

    @property
    def answer(self) -> str:
        """The answer as handed in."""
        return self.trace.answer

    @property
    def states(self) -> dict[str, str]:
        """The state of every segment by id."""
        return {line.value.id: line.state for line in self.lines}

    @property
    def by_id(self) -> dict[str, SegmentLine]:
        """The lines by segment id."""
        return {line.value.id: line for line in self.lines}

    @property
    def first_failing(self) -> SegmentLine | None:
        """The first failing segment in reading order, operations named by themselves."""
        return next((line for line in self.lines if line.state == "fail"), None)

    @property
    def noun(self) -> str:
        """What was judged: passages with the plan, or segments."""
        return "passage" if any(line.unit is not None for line in self.lines) else "segment"

    @property
    def sentence(self) -> str:
        """The outcome in one sentence."""
        if self.outcome is None:
            return "This audit is still under way."
        counts, failing = self.counts, self.first_failing
        checked = sum(counts[name] for name in ("pass", "fail", "hung", "undecided"))
        if self.outcome.outcome == "pass":
            return f"The reasoning holds: {counts['pass']} of {checked} audited {self.noun}s passed."
        # The first error in reading order: what comes after often only repeats it.
        if self.outcome.outcome == "fail" and failing is not None:
            return f"The reasoning fails, first at {failing.where}: {failing.because or 'auditors found it wrong.'}"
        # Noisy-AND: many small doubts can fail a trace none of whose segments failed.
        if self.outcome.outcome == "fail":
            return f"The reasoning fails: no {self.noun} alone, but {checked} of them together are too doubtful."
        return f"Undecided: {counts['pass']} of {checked} audited {self.noun}s passed, and the rest is too uncertain."

    @property
    def failing(self) -> tuple[SegmentLine, ...]:
        """Every failing segment after the first."""
        return tuple(line for line in self.lines if line.state == "fail")[1:]

    @property
    def tree(self) -> tuple[tuple[int, SegmentLine], ...]:
        """Every segment with its depth below the goal, in reading order."""
        depths: dict[str, int] = {}  # parents stand before their children in reading order
        for line in self.lines:
            for child in line.children:
                depths[child] = depths.get(line.value.id, 0) + 1
        return tuple((depths.get(line.value.id, 0), line) for line in self.lines)

    @property
    def by_tier(self) -> dict[str, int]:
        """How many segments each tier decided."""
        return dict(Counter(line.decided_by for line in self.lines if line.decided_by))

    @property
    def counts(self) -> dict[str, int]:
        """How many segments stand in each state."""
        by_state: dict[str, int] = defaultdict(int)
        for line in self.lines:
            by_state[line.state] += 1
        return by_state

    def as_json(self) -> dict[str, Any]:
        """The report as data; auditors by pseudonym."""
        return {
            "id": str(self.audit.pk),
            "title": self.audit.trace.title,
            "domain": self.audit.trace.domain,
            "stage": self.audit.stage,
            "outcome": self.outcome.outcome if self.outcome else None,
            "paper_outcome": self.outcome.paper_outcome if self.outcome else None,
            "posterior": self.outcome.score if self.outcome else None,
            "sentence": self.sentence,
            "simulated": self.audit.is_simulated,
            "policy": self.audit.policy.number,
            "campaign": str(self.audit.campaign_id),
            "opened": self.audit.created.isoformat(),
            "recorded": self.audit.recorded_at.isoformat() if self.audit.recorded_at else None,
            "first_failing": self.first_failing.value.id if self.first_failing else None,
            "counts": self.counts,
            "decided_by": self.by_tier,
            "graph": self.audit.job.metrics if self.graph else None,
            "details": self.outcome.body if self.outcome else {},
            "soundness": self.soundness.as_json() if self.soundness else None,
            "segments": [segment_json(line) for line in self.lines],
        }


def report_of(*, audit: Audit, reasons: bool = True) -> Report:
    """Read the report; an audit without a graph yet has no lines. Without `reasons`, what people wrote is left out."""
    trace = load_trace(audit.trace)
    outcome = TraceOutcome.objects.filter(audit=audit).first()
    if audit.decomposition is None or audit.decomposition.state != "done":
        return Report(audit, trace, None, (), outcome)
    stored = load_graph(audit.decomposition)
    soundness, votes = soundness_of(audit=audit), votes_of(audit=audit, reasons=reasons)
    return Report(audit, trace, stored, _lines(audit, stored, soundness, votes), outcome, soundness)


def _lines(
    audit: Audit, stored: StoredGraph, soundness: Soundness | None, votes: dict[Any, list[VoteLine]]
) -> tuple[SegmentLine, ...]:
    # One query a table for the whole audit, joined by segment in memory: a graph of 300 segments costs no 300 queries.
    outcomes = {row.segment_id: row for row in SegmentOutcome.objects.filter(audit=audit).select_related("round")}
    routes = {row.segment_id: row for row in Route.objects.filter(audit=audit)}
    rounds: dict[Any, list[Round]] = defaultdict(list)
    for round in Round.objects.filter(audit=audit).order_by("number"):
        rounds[round.segment_id].append(round)
    premises, children = stored.graph.premises(), stored.graph.children()
    lines: list[SegmentLine] = []
    for value in stored.graph.segments:
        row = stored.rows[value.id]
        outcome, route = outcomes.get(row.pk), routes.get(row.pk)
        lines.append(
            SegmentLine(
                row=row,
                value=value,
                state=_state(outcome, route, value, row, audit),
                premises=premises[value.id],
                children=children[value.id],
                route=route,
                rounds=tuple(rounds[row.pk]),
                votes=tuple(votes[row.pk]),
                outcome=outcome,
                soundness=soundness.claims.get(value.id) if soundness else None,
                unit=find_unit(
                    row=row,
                    own=stored.own[value.id],
                    votes=votes[row.pk],
                    outcome=outcome.outcome if outcome is not None else "",
                ),
            )
        )
    return tuple(_rolled_up(lines))


def _state(outcome: SegmentOutcome | None, route: Route | None, value: Segment, row: SegmentRow, audit: Audit) -> str:
    if outcome is not None:
        return outcome.outcome
    if route is not None:
        return "pending"
    if row.unasked:
        return UNASKED
    if value.source.value == "problem":
        # Statements of the problem are premises that everybody is given; nobody votes on them.
        return GIVEN
    if row.entirely_childrens:
        return WHOLE
    return "pending" if audit.stage in ("submitted", "decomposed") else GIVEN


def _rolled_up(lines: list[SegmentLine]) -> list[SegmentLine]:
    """A failed part fails the parent that is all parts; passed parts never pass it."""
    # From the last line to the first, so that children are seen before their parents.
    failed = {line.value.id for line in lines if line.state == "fail"}
    rolled_up = []
    for line in reversed(lines):
        if line.state == WHOLE and failed.intersection(line.children):
            failed.add(line.value.id)
        rolled_up.append(line)
    return rolled_up[::-1]
