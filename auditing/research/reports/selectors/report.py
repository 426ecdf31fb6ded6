"""The report of an audit: the outcome in one sentence, the first failing segment and why, the tree, provenance.

Eight queries for the whole audit, whatever its size; what was written is decrypted where it is shown. Reads Audit,
Round, Route, SegmentOutcome, TraceOutcome, Vote, SoundnessRun, and the stored trace and graph.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from auditing.models import Audit, Round, Route, SegmentOutcome, SoundnessRun, TraceOutcome
from auditing.research.policy_lab.selectors.words import CHOICES
from auditing.research.reports.core.verdict import Segment as JudgedSegment
from auditing.research.reports.core.verdict import Verdict, find_contradicted, give_verdict
from auditing.research.reports.selectors.lines import SegmentLine, segment_json
from auditing.research.reports.selectors.opened_votes import VoteLine, votes_of
from auditing.research.reports.selectors.refuted import beside
from auditing.research.reports.selectors.units import find_unit
from auditing.research.reports.selectors.verdict import judged_segments
from auditing.selectors.seating.rosters import routes_of
from auditing.selectors.soundness import Soundness, certificate_of, newest_runs
from hdag.core.values import Segment, Trace
from hdag.models import Segment as SegmentRow
from hdag.selectors import StoredGraph, load_graph, load_trace

# The problem is not audited; a parent that is all children is judged by its parts; a passage may be asked of nobody.
GIVEN, WHOLE, UNASKED = "given", "parts", "unasked"
MOST_ROWS = 80  # with their formulas drawn, of the report's table; the page of all segments has every one


@dataclass(frozen=True)
class Report:
    """Everything that the report page, the print view and the JSON show."""

    audit: Audit
    trace: Trace
    graph: StoredGraph | None
    lines: tuple[SegmentLine, ...]
    outcome: TraceOutcome | None
    judged: tuple[JudgedSegment, ...] = ()  # the lines in the verdict's terms
    soundness: Soundness | None = None
    newest_run: SoundnessRun | None = None  # whatever became of it

    @property
    def problem(self) -> str:
        """The problem as handed in."""
        return self.trace.problem

    @property
    def answer(self) -> str:
        """The answer as handed in."""
        return self.trace.answer

    @property
    def labels(self) -> dict[str, str]:
        """The names of the segments by their keys, as events state them."""
        return {str(line.row.pk): line.value.id for line in self.lines}

    @property
    def states(self) -> dict[str, str]:
        """The state of every segment by id, as the graph shows it."""
        return {line.value.id: "undecided" if line.fails_as else line.state for line in self.lines}

    @cached_property
    def by_id(self) -> dict[str, SegmentLine]:
        """The lines by segment id."""
        return {line.value.id: line for line in self.lines}

    @cached_property
    def verdict(self) -> Verdict:
        """The card: where it fails and what is right there, how sure that is, what rests on it, who looked."""
        return give_verdict(
            segments=self.judged,
            outcome=self.outcome.outcome if self.outcome else "",
            probability=self.outcome.score if self.outcome else None,
            noun=self.noun,
        )

    @property
    def first_failing(self) -> SegmentLine | None:
        """The smallest failing segment: the line that fails its step."""
        return self.by_id.get(self.verdict.leading)

    @property
    def noun(self) -> str:
        """What was judged: passages with the plan, or segments."""
        return "passage" if any(line.unit is not None for line in self.lines) else "segment"

    @property
    def sentence(self) -> str:
        """The outcome in one sentence."""
        return self.verdict.sentence

    @property
    def rule(self) -> str:
        """The policy's rule for the whole trace, in words."""
        name = str(self.outcome.body.get("rule", "")) if self.outcome else ""
        return CHOICES["trace_rule"].get(name, name)

    @property
    def leading_ids(self) -> tuple[str, ...]:
        """The smallest failing segment and, before it, the step that holds it."""
        leading = self.verdict.leading
        return (*(line.value.id for line in self.lines if leading and leading in line.children), leading)

    @property
    def failing(self) -> tuple[SegmentLine, ...]:
        """Every other failing segment that does not merely hold the first."""
        return tuple(self.by_id[label] for label in self.verdict.failing)

    @property
    def tree(self) -> tuple[tuple[int, SegmentLine], ...]:
        """Every segment with its depth below the goal, in reading order."""
        depths: dict[str, int] = {}  # parents stand before their children in reading order
        for line in self.lines:
            for child in line.children:
                depths[child] = depths.get(line.value.id, 0) + 1
        return tuple((depths.get(line.value.id, 0), line) for line in self.lines)

    @property
    def tree_shown(self) -> tuple[tuple[int, SegmentLine], ...]:
        """The tree; of a long trace what did not simply pass, and what stands first."""
        tree = self.tree
        if len(tree) <= MOST_ROWS:
            return tree
        notable = [(depth, line) for depth, line in tree if line.state in ("fail", "hung", "undecided")][:MOST_ROWS]
        first = {line.value.id for _, line in (*notable, *tree[: MOST_ROWS - len(notable)])}
        return tuple((depth, line) for depth, line in tree if line.value.id in first)

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
            "external_id": self.audit.trace.external_id,
            "tags": self.audit.trace.tags,
            "domain": self.audit.trace.domain,
            "stage": self.audit.stage,
            "outcome": self.outcome.outcome if self.outcome else None,
            "paper_outcome": self.outcome.paper_outcome if self.outcome else None,
            "posterior": self.outcome.score if self.outcome else None,
            "sentence": self.sentence,
            "verdict": self.verdict.as_json(),
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
    outcome = getattr(audit, "trace_outcome", None)
    if audit.decomposition is None or audit.decomposition.state != "done":
        return Report(audit, trace, None, (), outcome)
    stored, runs = load_graph(audit.decomposition), newest_runs(audit=audit)
    soundness = certificate_of(runs=runs)
    lines = _rolled_up(_lines(audit, stored, soundness, votes_of(audit=audit, reasons=reasons)))
    judged = judged_segments(lines=lines)
    lines = _contradicted(lines, find_contradicted(segments=judged))
    if soundness is not None:
        soundness = beside(soundness=soundness, refuted={line.value.id for line in lines if line.is_refuted})
        lines = [replace(line, soundness=soundness.claims.get(line.value.id)) for line in lines]
    return Report(audit, trace, stored, tuple(lines), outcome, judged, soundness, runs[0] if runs else None)


def _lines(
    audit: Audit, stored: StoredGraph, soundness: Soundness | None, votes: dict[Any, list[VoteLine]]
) -> list[SegmentLine]:
    # One query a table for the whole audit, joined by segment in memory: a graph of 300 segments costs no 300 queries.
    rounds: dict[Any, list[Round]] = defaultdict(list)
    by_key: dict[Any, Round] = {}
    # Who was drawn and how it was tallied are long lists that no report shows.
    for round in Round.objects.filter(audit=audit).defer("drawn", "tally", "stage_since", "due_at").order_by("number"):
        rounds[round.segment_id].append(round)
        by_key[round.pk] = round
    outcomes = {row.segment_id: row for row in SegmentOutcome.objects.filter(audit=audit)}
    for row in outcomes.values():
        row.round = by_key.get(row.round_id)
    routes = routes_of(audit=audit)
    premises, children = stored.graph.premises(), stored.graph.children()
    lines: list[SegmentLine] = []
    for value in stored.graph.segments:
        segment = stored.rows[value.id]
        outcome, route = outcomes.get(segment.pk), routes.get(segment.pk)
        lines.append(
            SegmentLine(
                row=segment,
                value=value,
                state=_state(outcome, route, value, segment, audit),
                premises=premises[value.id],
                children=children[value.id],
                route=route,
                rounds=tuple(rounds[segment.pk]),
                votes=tuple(votes[segment.pk]),
                outcome=outcome,
                soundness=soundness.claims.get(value.id) if soundness else None,
                unit=find_unit(
                    row=segment,
                    own=stored.own[value.id],
                    votes=votes[segment.pk],
                    outcome=outcome.outcome if outcome is not None else "",
                ),
            )
        )
    return lines


def _contradicted(lines: Sequence[SegmentLine], contradicted: Mapping[str, str]) -> list[SegmentLine]:
    """Passed lines whose words fail elsewhere say so."""
    return [
        replace(line, fails_as=contradicted[line.value.id]) if line.value.id in contradicted else line for line in lines
    ]


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
