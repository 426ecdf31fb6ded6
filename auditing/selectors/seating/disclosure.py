"""Disclosure budgets: how much of a trace each auditor has seen, and who may be shown one more segment of it.

Seat.shown keeps {"degree", "current", "view"}: what the seat's current reasoning discloses from the moment it is
drawn, and everything its panes disclosed once it was opened. A text handed in again, by anybody, for any campaign, and
an appeal's second audit are the same text: what counts is the trace's digest, not its row. Reads Seat, Route, Segment.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from accounts.prepared import PreparedQuery, PreparedRows
from auditing.core.ledger.leaves import DrawRules
from auditing.core.seating.sortition import Candidate, may_sit
from auditing.core.values import Tier
from auditing.models import Audit, Auditor, Round, Route, Seat
from auditing.selectors.policy.versions import load_policy
from auditing.selectors.seating.spans import GraphSpans
from hdag.core.disclosure import (
    Disclosed,
    DisclosedSpan,
    are_neighbours,
    budget,
    outside_problem,
)
from hdag.core.values import Source, Trace
from hdag.selectors import load_trace

NO_LOAD_CAP = 100_000
UNSEEN_STAGES = ("declined", "lapsed")
NOT_AUDITED = -9  # a position that neighbours no other: of a segment without a route


def draw_rules(*, audit: Audit, trace: Trace) -> DrawRules:
    """Constraints of the draw that anyone can check: share of the segments, no neighbours; none for a short trace."""
    policy = load_policy(version=audit.policy, domain=audit.trace.domain)
    if limit_of(audit=audit, trace=trace) is None:
        return DrawRules(load_cap=NO_LOAD_CAP, share_cap=Decimal(1), adjacent=True)
    return DrawRules(load_cap=NO_LOAD_CAP, share_cap=policy.disclosure_share, adjacent=policy.neighbours)


def limit_of(*, audit: Audit, trace: Trace) -> int | None:
    """Characters of the trace that one auditor may see; None when it is so short that the policy waives the limit."""
    policy = load_policy(version=audit.policy, domain=audit.trace.domain)
    characters = outside_problem(trace=trace)
    if characters <= policy.short_trace_characters:
        return None
    return budget(characters=characters, share=policy.disclosure_share, least=policy.short_trace_characters)


def pack(*, seen: Disclosed) -> dict[str, Any]:
    """Seen spans and summaries as JSON for Seat.shown."""
    return {"spans": [[span.text, span.start, span.end] for span in seen.spans], "summaries": dict(seen.summaries)}


def unpack(*, packed: Any) -> Disclosed:
    """What pack wrote; nothing for nothing."""
    if not packed:
        return Disclosed()
    return Disclosed(tuple(DisclosedSpan(*span) for span in packed["spans"]), packed["summaries"])


def seen_besides(*, seat: Seat) -> Disclosed:
    """What the holder's other seats disclose of the text that `seat` is of, seats drawn but not yet opened included."""
    audit, seen = seat.round.audit, Disclosed()
    besides = _seats_besides.rows(auditor=seat.auditor_id, digest=bytes(audit.trace.digest), seat=seat.pk)
    for neighbour in besides:
        seen = seen | _said(neighbour, audit, "current") | _said(neighbour, audit, "view")
    return seen


@dataclass(frozen=True, slots=True)
class DisclosureState:
    """One segment of one trace, and what every auditor asked about holds and has seen of it."""

    position: int  # of the segment, in reading order
    segments: int  # of the trace, audited ones
    rules: DrawRules
    limit: int | None  # characters one auditor may see; None: no limit
    current: Disclosed  # what a seat on the segment discloses at least: of a unit its premises too
    text: dict[str, str]  # the trace's sources by name
    held: dict[UUID, set[int]]  # positions where each auditor was seated in this audit
    seen: dict[UUID, Disclosed]  # in all seats on this text
    currents: dict[UUID, list[DisclosedSpan]]  # of those seats, the current reasoning alone
    alone: Disclosed | None = None  # what the unit discloses without its premises; None: as current

    @property
    def shown(self) -> dict[str, Any]:
        """Seat.shown of a new seat on this segment."""
        alone = {} if self.alone is None or self.alone == self.current else {"alone": pack(seen=self.alone)}
        return {"degree": "", "current": pack(seen=self.current), **alone}

    def objection(self, auditor: UUID) -> str:
        """Why this auditor must not be shown the segment, or "": first what anyone can check, then the characters."""
        # 1. The constraints of the draw; load and weight do not matter here, so that any pseudonym will do.
        candidate = Candidate(auditor_id=bytes(32))
        held = self.held.get(auditor, set())
        if not may_sit(
            candidate=candidate, position=self.position, held=held, segments=self.segments, rules=self.rules
        ):
            return "constraint of the draw"
        if self.limit is None:
            return ""
        # 2. The budget: characters seen so far, each counted once, and those of this segment.
        if (self.seen.get(auditor, Disclosed()) | self.current).characters > self.limit:
            return "disclosure budget"
        # 3. Spans that touch in the text, which another graph of the same text may have cut otherwise.
        if self.rules.adjacent:
            return ""
        mine, alone = self.currents.get(auditor, []), (self.current if self.alone is None else self.alone).spans
        near = any(
            are_neighbours(left_spans=mine, right_spans=alone, text=text, name=name) for name, text in self.text.items()
        )
        return "neighbouring segment" if near else ""


class TraceDisclosure:
    """What people hold and have seen of one audit's trace: read once for all its rounds, kept up by `give`."""

    def __init__(self, *, audit: Audit, auditors: Iterable[Auditor] = ()) -> None:
        """Reads what decides whether each of `auditors` may sit in rounds of `audit`; others by `learn`."""
        self.audit = audit
        self.trace = load_trace(audit.trace)
        self.limit = limit_of(audit=audit, trace=self.trace)
        self.rules = draw_rules(audit=audit, trace=self.trace)
        self.positions = _positions(audit)
        self.text = _texts(self.trace)
        self.held: dict[UUID, set[int]] = defaultdict(set)
        self.seen: dict[UUID, Disclosed] = defaultdict(Disclosed)
        self.currents: dict[UUID, list[DisclosedSpan]] = defaultdict(list)
        self._spans = GraphSpans(decomposition=audit.decomposition_id)
        self._known: set[UUID] = set()
        self.learn(auditors=auditors)

    def learn(self, *, auditors: Iterable[Auditor]) -> None:
        """Read the seats of those of `auditors` who were not asked about yet."""
        new = {auditor.pk for auditor in auditors} - self._known
        if not new:
            return
        self._known |= new
        # By the text's rounds: asked about people too, PostgreSQL may begin with all seats that they ever had.
        for seat in _SEATS.rows(digest=bytes(self.audit.trace.digest)):
            if seat.auditor_id not in new:
                continue
            if seat.round.audit_id == self.audit.pk:
                self.held[seat.auditor_id].add(self.positions.get(seat.round.segment_id, NOT_AUDITED))
            current = _said(seat, self.audit, "current")
            self.seen[seat.auditor_id] |= current | _said(seat, self.audit, "view")
            self.currents[seat.auditor_id].extend(
                (_said(seat, self.audit, "alone") if "alone" in seat.shown else current).spans
            )

    def state(self, *, round: Round) -> DisclosureState:
        """The trace as `round` finds it; what is given later stands in it too."""
        row = round.segment
        alone = Disclosed() if self.limit is None else self._spans.alone(row=row)
        is_alone = self.limit is None or not row.unit
        return DisclosureState(
            position=self.positions.get(round.segment_id, NOT_AUDITED),
            segments=len(self.positions),
            rules=self.rules,
            limit=self.limit,
            alone=alone,
            current=alone if is_alone else self._spans.with_premises(row=row, alone=alone, trace=self.trace),
            text=self.text,
            held=self.held,
            seen=self.seen,
            currents=self.currents,
        )

    def give(self, *, auditor: UUID, segment: UUID, shown: DisclosureState | None) -> None:
        """A seat was given on `segment`: its holder has seen what it shows; None: the seat is under no budget."""
        self.held[auditor].add(self.positions.get(segment, NOT_AUDITED))
        if shown is not None:
            self.seen[auditor] |= shown.current
            self.currents[auditor].extend((shown.current if shown.alone is None else shown.alone).spans)


def _seats_on(digest: bytes) -> QuerySet[Seat]:
    """Seats of people on the text of this digest, whoever handed it in; none given back before they were opened."""
    seats = Seat.objects.filter(round__audit__trace__digest=digest, round__tier=Tier.HUMAN)
    return seats.exclude(stage__in=UNSEEN_STAGES, taken_at__isnull=True).select_related("round__audit")


_SEATS = PreparedQuery(_seats_on)


@PreparedQuery
def _seats_besides(auditor: UUID, digest: bytes, seat: UUID) -> QuerySet[Seat]:
    return _seats_on(digest).filter(auditor=auditor).exclude(pk=seat)


def _said(seat: Seat, audit: Audit, view: str) -> Disclosed:
    """What a seat discloses; a summary in another graph of the text is another summary, whatever its label."""
    disclosed, graph = unpack(packed=seat.shown.get(view)), seat.round.audit.decomposition_id
    if graph == audit.decomposition_id:
        return disclosed
    return Disclosed(disclosed.spans, {f"{graph} {label}": length for label, length in disclosed.summaries.items()})


def _positions(audit: Audit) -> dict[UUID, int]:
    return {segment: position for position, (segment,) in enumerate(_routed.rows(audit=audit.pk))}


@PreparedRows
def _routed(audit: UUID) -> QuerySet[Route, Any]:
    return Route.objects.filter(audit=audit).order_by("segment__position").values_list("segment_id")


def _texts(trace: Trace) -> dict[str, str]:
    calls = {f"{Source.TOOL_CALL}:{number}": call.text for number, call in enumerate(trace.tool_calls)}
    return {"thinking": trace.thinking, "answer": trace.answer, **calls}
