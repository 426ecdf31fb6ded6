"""One trace through the same cores as the server, in memory: no seats, commitments, postings or ledger.

This is what the command-line auditor runs. Reads a line of JSONL; writes nothing.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any

from auditing.checker.findings import Finding, Verdict
from auditing.core.consensus import (
    SegmentOutcome,
    decide_segment,
    decide_trace,
    tally_round,
)
from auditing.core.policy import DEFAULT, Policy
from auditing.core.routing.computer_tier import votes_on
from auditing.core.routing.table import READ_FEATURES, Route, route
from auditing.core.values import Choice, Outcome, Tier, Vote
from auditing.research.offline.passages import passage_records
from hdag.core.errors import BadRecordError, HdagError
from hdag.core.metrics import measure
from hdag.core.strict_json import read_json
from hdag.core.values import Graph, Segment, Trace, fields_of
from hdag.decomposers.rules import RulesDecomposer
from hdag.readers import OWN, detect, read_any
from hdag.readers.files import MARK
from hdag.readers.records import read_record

_SHOWN_FINDINGS = 20  # of one segment
_MOST_ROUTES = 1_000  # that are remembered


def audit_line(*, line: str | bytes, where: str, tiers: Collection[Tier] = (Tier.COMPUTER,)) -> dict[str, Any]:
    """The output record of one input line; a bad line gives {"id", "error"} and never raises on its content."""
    identifier: object = None  # so that an error names its record, as soon as the id could be read
    try:
        record = read_json(line, where=where)
        identifier = record.get("id") if isinstance(record, Mapping) else None
        trace = trace_in(record=record, where=where)
        return {"id": identifier, **audit_trace(trace=trace, tiers=tiers)}
    except HdagError as error:
        return {"id": identifier if isinstance(identifier, str | int) else None, "error": str(error)}


def trace_in(*, record: object, where: str) -> Trace:
    """The one trace that a line holds, in whichever format. Raises BadRecordError."""
    # The product's own record says best itself what is wrong with it, and so does what is in no format at all.
    if detect(record) in ("", OWN):
        return read_record(record, where=where, needs_id=True)
    traces = read_any(record, where=where)
    if len(traces) != 1:
        raise BadRecordError(
            where=where, field="", reason=f"holds {len(traces)} traces; write each in a line of its own"
        )
    return traces[0]


def audit_trace(
    *, trace: Trace, tiers: Collection[Tier] = (Tier.COMPUTER,), policy: Policy = DEFAULT
) -> dict[str, Any]:
    """Outcome, segments, edges, passages and metrics of one trace under one policy.

    Only the computer tier can answer here: a segment that it does not decide is reported with the tier that would be
    asked next (of `tiers` and people), and with the vote "abstain".
    """
    graph = RulesDecomposer().decompose(trace)
    votes = votes_on(trace=trace, graph=graph)
    # the hash of a policy takes as long as the route of twenty segments
    rounds = _BY_DEFAULT if policy is DEFAULT else _rounds_of(policy)
    open_tiers = frozenset(tiers)
    outcomes = [
        SegmentOutcome(segment.id, *rounds.settled(segment, votes[segment.id], open_tiers, trace.domain))
        for segment in graph.segments
    ]
    decision = decide_trace(
        outcomes=[outcome for outcome in outcomes if outcome.outcome is not Outcome.UNDECIDED],
        graph=graph,
        policy=policy,
    )
    # Only decided segments say something of the trace.
    undecided = sum(outcome.outcome is Outcome.UNDECIDED for outcome in outcomes)
    # A refuted step decides the trace, whatever is still open.
    outcome = decision.outcome if decision.refuted or not undecided else Outcome.UNDECIDED
    premises = graph.premises()
    return {
        "outcome": outcome.value,
        "segments": [
            _segment_record(segment, votes[segment.id], outcomes[index].tier, premises[segment.id])
            for index, segment in enumerate(graph.segments)
        ],
        "edges": [
            {
                "from": edge.source,
                "to": edge.target,
                "relation": str(edge.relation),
                "strength": str(edge.strength),
                "confidence": edge.confidence,
            }
            for edge in graph.edges
        ],
        **passage_records(
            trace=trace, graph=graph, votes=votes, waiting={outcome.segment: outcome.tier for outcome in outcomes}
        ),
        "metrics": _metrics(graph, votes, undecided, decision.refuted),
    }


_Settled = tuple[Outcome, Fraction, Tier, Decimal, bool]  # a SegmentOutcome but for its name


class _Rounds:
    """The computer's rounds: one vote without a skill has no other input, and segments of one sort have one route."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self._settled: dict[tuple[object, ...], _Settled] = {}

    def settled(self, segment: Segment, vote: Vote, tiers: frozenset[Tier], domain: str) -> _Settled:
        """What the computer's round decides about a segment, by all that a route reads of it and the choice."""
        key = (*_sort_of(segment), vote.choice, tiers, domain)
        if len(self._settled) > _MOST_ROUTES:
            self._settled.clear()
        if key not in self._settled:
            way = route(segment=segment, policy=self.policy, available=tiers, domain=domain)
            self._settled[key] = self._settle(vote, way)
        return self._settled[key]

    def _settle(self, vote: Vote, way: Route) -> _Settled:
        """The round, tallied and decided by the rules of the server; what stays open waits for a tier."""
        tally = tally_round(votes=[vote], policy=self.policy, tier=Tier.COMPUTER, k=1)
        decision = decide_segment(tallies=[tally], tiers=way.tiers, policy=self.policy)
        # Who would have to look next.
        waiting = Tier.COMPUTER
        if tally.outcome is Outcome.HUNG:
            waiting = next((tier for tier in way.tiers if tier is not Tier.COMPUTER), Tier.HUMAN)
        outcome = decision.outcome or Outcome.UNDECIDED
        return outcome, decision.posterior, waiting, way.weight, vote.choice is Choice.FAIL


_BY_DEFAULT = _Rounds(DEFAULT)


@lru_cache(maxsize=8)
def _rounds_of(policy: Policy) -> _Rounds:
    return _Rounds(policy)


def _sort_of(segment: Segment) -> tuple[object, ...]:
    """All that a route reads of a segment."""
    suggested = (segment.primary, segment.secondaries) if segment.by_model else ()
    return segment.level, segment.kind, segment.complexity, *suggested, *map(segment.features.get, READ_FEATURES)


def _segment_record(segment: Segment, vote: Vote, tier: Tier, premises: tuple[str, ...]) -> dict[str, Any]:
    return {
        "id": segment.id,
        "level": str(segment.level),
        "content": segment.content,
        "source": str(segment.source),
        "start": segment.start,
        "end": segment.end,
        "step": segment.step,
        "complexity": str(segment.complexity),
        "tier": str(tier),
        "vote": str(vote.choice),
        "reason": vote.reason,
        "evidence": [evidence_record(finding) for finding in vote.evidence[:_SHOWN_FINDINGS]],
        "premises": list(premises),
    }


def evidence_record(finding: Finding) -> dict[str, Any]:
    """One finding as JSON."""
    evidence = finding.evidence
    return {
        "checker": evidence.checker,
        "verdict": finding.verdict.value,
        "grade": finding.grade.value,
        "rule": evidence.rule,
        "read": evidence.read,
        "sentence": evidence.sentence,
        "details": evidence.details,
        "start": evidence.start,
        "end": evidence.end,
        # re-checked by auditing/verifier/verify_proofs.py
        **({"proof": json.loads(finding.proof)} if finding.proof else {}),
    }


def _metrics(
    graph: Graph,
    votes: Mapping[str, Vote],
    undecided: int,
    refuted: tuple[str, ...],
) -> dict[str, Any]:
    verdicts = [finding.verdict for vote in votes.values() for finding in vote.evidence]
    choices = [vote.choice for vote in votes.values()]
    return fields_of(measure(graph=graph)) | {
        "segments": len(graph.segments),
        "passed": choices.count(Choice.PASS),
        "failed": choices.count(Choice.FAIL),
        "undecided": undecided,
        "verified": verdicts.count(Verdict.VERIFIED),
        # doubts fail nothing, so they are not counted here
        "refuted": sum(finding.accuses for vote in votes.values() for finding in vote.evidence),
        "refuted_under_answer": list(refuted),
    }


def with_id(*, line: bytes, number: int) -> bytes:
    """The line; a record without `id` takes the line's number. The first line loses its byte order mark."""
    line = line.removeprefix(MARK) if number == 1 else line
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return line
    if not isinstance(record, dict) or "id" in record:
        return line
    # In front, and the text as it stands: a duplicate key further on is still refused.
    return f'{{"id": "{number}", '.encode() + line.strip()[1:] if record else line
