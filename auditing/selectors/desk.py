"""What a seat may see: prompt context, dependencies with their states, current reasoning, implications."""

from dataclasses import dataclass
from typing import Any

from django.conf import settings

from auditing.core.stages import RoundStage
from auditing.models import Guidelines, Round, Seat, SegmentOutcome
from auditing.selectors.places import current_reasoning, place_of
from auditing.selectors.rounds import reveal_point
from hdag.core.values import Graph
from hdag.selectors import load_graph, load_trace


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A segment beside the current one: what it says, and its own state, never how others vote now."""

    label: str
    level: str
    text: str
    state: str
    relation: str


@dataclass(frozen=True, slots=True)
class Desk:
    """The four panes of one seat, and what the browser needs to seal the vote."""

    label: str
    level: str
    problem: str
    text: str
    focus: str
    why_tier: str
    dependencies: tuple[Neighbour, ...]
    implications: tuple[Neighbour, ...]
    guidelines: Guidelines | None
    sealing: dict[str, Any]


def desk_of(*, seat: Seat) -> Desk:
    """Read what the holder of `seat` may see."""
    round = seat.round
    audit = round.audit
    stored = load_graph(audit.job)
    label = round.segment.label
    value = next(segment for segment in stored.graph.segments if segment.id == label)
    states = segment_states(round=round)
    before, after = stored.graph.premises()[label], _rests_on(stored.graph, label)
    text = current_reasoning(seat=seat)
    return Desk(
        label=label,
        level=str(value.level),
        problem=load_trace(audit.trace).problem,
        text=text,
        focus=value.focus,
        why_tier=round.why,
        dependencies=tuple(_neighbour(stored.graph, one, states, "premise") for one in before),
        implications=tuple(_neighbour(stored.graph, one, states, "follows from it") for one in after),
        guidelines=Guidelines.objects.filter(campaign=audit.campaign_id).order_by("-version").first(),
        sealing=_sealing(seat, text),
    )


def segment_states(*, round: Round) -> dict[str, str]:
    """State of every segment of the audit by label: an outcome and who found it, contested, or pending."""
    states: dict[str, str] = {}
    rounds = Round.objects.filter(audit=round.audit_id, stage=RoundStage.TALLIED, outcome="hung").exclude(
        tier="computer"
    )
    for label in rounds.values_list("segment__label", flat=True):
        states[label] = "contested"
    rows = SegmentOutcome.objects.filter(audit=round.audit_id).select_related("segment", "round")
    for row in rows:
        states[row.segment.label] = row.outcome
    return states


def _rests_on(graph: Graph, label: str) -> tuple[str, ...]:
    return tuple(key for key, premises in graph.premises().items() if label in premises)


def _neighbour(graph: Graph, label: str, states: dict[str, str], relation: str) -> Neighbour:
    segment = next(one for one in graph.segments if one.id == label)
    state = "given" if segment.source.value == "problem" else states.get(label, "pending")
    return Neighbour(label, str(segment.level), segment.content, state, relation)


def _sealing(seat: Seat, text: str) -> dict[str, Any]:
    """The public half of the commitment and the key the opening is sealed to."""
    place, point = place_of(seat=seat, text=text), reveal_point()
    return {
        "origin": settings.LEDGER_ORIGIN,
        "auditId": str(place.audit_id),
        "segmentId": str(place.segment_id),
        "round": place.round,
        "seatId": str(place.seat_id),
        "auditorId": place.auditor_id.hex(),
        "salt": bytes(seat.round.segment.salt).hex(),
        "text": text,
        "revealPoint": point.hex() if point else None,
        "url": f"/api/v1/seats/{seat.pk}/commitment",
    }
