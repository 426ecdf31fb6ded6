"""The report of an audit: the outcome in one sentence, the first failing segment and why, the tree, provenance.

A fixed number of queries for the whole audit, whatever its size. Reads Audit, Round, Route, SegmentOutcome,
TraceOutcome, Vote, SoundnessRun, and the stored trace and graph.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Any

from auditing.core.stages import RoundStage
from auditing.core.values import Tier
from auditing.models import Audit, Round, Route, SegmentOutcome, TraceOutcome
from auditing.selectors.report.units import UnitLine, find_unit
from auditing.selectors.soundness import ClaimLine, Soundness, soundness_of
from auditing.selectors.voting.opened_votes import VoteLine, shared_family, votes_of
from hdag.core.values import Segment, Trace
from hdag.models import Segment as SegmentRow
from hdag.selectors import StoredGraph, load_graph, load_trace

# The problem is not audited; a parent that is all children is judged by its parts; a passage may be asked of nobody.
GIVEN, WHOLE, UNASKED = "given", "parts", "unasked"


@dataclass(frozen=True, slots=True)
class SegmentLine:
    """One segment with its state and everything that led to it."""

    row: SegmentRow
    value: Segment
    state: str  # an outcome, "pending", "given", "parts" or "unasked"
    premises: tuple[str, ...]
    children: tuple[str, ...]
    route: Route | None
    rounds: tuple[Round, ...]
    votes: tuple[VoteLine, ...]
    outcome: SegmentOutcome | None
    soundness: ClaimLine | None = None  # under one entailment model; decides no segment
    unit: UnitLine | None = None  # of a passage graph: what is judged here

    @property
    def one_family(self) -> str:
        """The family that all its models' votes come from, where there are several; they never count as independent."""
        return shared_family(self.votes)

    @property
    def where(self) -> str:
        """Its name, with the step that the failing votes name: "P3, step 2 (ST7)"."""
        step = self.unit.failing_step if self.unit else None
        return self.value.id if step is None else f"{self.value.id}, step {step.number} ({', '.join(step.labels)})"

    @property
    def decided_by(self) -> str:
        """The tier of the deciding round, in words."""
        if self.outcome is None or self.outcome.round is None:
            return ""
        return "adjudicator" if self.outcome.round.adjudicates else self.outcome.round.tier

    @property
    def tier(self) -> str:
        """The tier that decided, else the one that is asked now, else the one that comes first."""
        if self.outcome is not None and self.outcome.round is not None:
            return self.outcome.round.tier
        # At most one round of a segment is open at a time.
        open_round = next((round for round in self.rounds if round.stage != RoundStage.TALLIED), None)
        if open_round is not None:
            return open_round.tier
        return self.route.primary if self.route is not None else ""

    @property
    def computer(self) -> "VoteLine | None":
        """What the checkers said, once their round is tallied."""
        return next((vote for vote in self.votes if vote.tier == Tier.COMPUTER), None)

    @property
    def because(self) -> str:
        """The first reason given by those who voted as the outcome is."""
        for vote in self.votes:
            # A dissenter's reason would argue against the outcome that it stands beside.
            if self.outcome is not None and vote.choice == self.outcome.outcome:
                if vote.rationale.reason:
                    return vote.rationale.reason
                for finding in vote.rationale.evidence:
                    return finding.evidence.sentence
                if vote.rationale.error_type is not None:
                    return f"auditors found an error of this kind: {vote.rationale.error_words}."
        return ""


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
    def sentence(self) -> str:
        """The outcome in one sentence."""
        if self.outcome is None:
            return "This audit is still under way."
        counts, failing = self.counts, self.first_failing
        checked = sum(counts[name] for name in ("pass", "fail", "hung", "undecided"))
        if self.outcome.outcome == "pass":
            return f"The reasoning holds: {counts['pass']} of {checked} audited segments passed."
        # The first error in reading order: what comes after often only repeats it.
        if self.outcome.outcome == "fail" and failing is not None:
            return f"The reasoning fails, first at {failing.where}: {failing.because or 'auditors found it wrong.'}"
        # Noisy-AND: many small doubts can fail a trace none of whose segments failed.
        if self.outcome.outcome == "fail":
            return f"The reasoning fails: no segment alone, but {checked} of them together are too doubtful."
        return f"Undecided: {counts['pass']} of {checked} audited segments passed, and the rest is too uncertain."

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
            "segments": [_segment_json(line) for line in self.lines],
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


def _segment_json(line: SegmentLine) -> dict[str, Any]:
    value = line.value
    return {
        "id": value.id,
        "level": str(value.level),
        "content": value.content,
        "source": str(value.source),
        "start": value.start,
        "end": value.end,
        "step": value.step,
        "complexity": str(value.complexity),
        "state": line.state,
        "decided_by": line.decided_by,
        "posterior": line.outcome.posterior if line.outcome else None,
        **({"unit": line.unit.as_json()} if line.unit else {}),
        "soundness": line.soundness.as_json() if line.soundness else None,
        "why_tier": line.route.why if line.route else "",
        "premises": list(line.premises),
        "children": list(line.children),
        "votes": [
            {
                "auditor": vote.auditor,
                "tier": vote.tier,
                "choice": vote.choice,
                "confidence": vote.confidence,
                "reason": vote.rationale.reason,
                "error_type": vote.rationale.error_type,
                "evidence": [finding.evidence.sentence for finding in vote.rationale.evidence],
                "simulated": vote.is_simulated,
            }
            for vote in line.votes
        ],
    }
