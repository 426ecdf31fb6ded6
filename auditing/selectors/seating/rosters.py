"""The lists and draw rules that an audit's audit.open leaf commits to. Reads Roster, Leaf."""

import json
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from accounts.prepared import PreparedQuery, PreparedRows
from auditing.core.ledger import leaves
from auditing.core.ledger.leaves import AuditOpen, DrawRules
from auditing.core.ledger.leaves.fields import from_fields
from auditing.core.seating.rosters import EligibleLine, SegmentLine
from auditing.core.seating.sortition import free_rules
from auditing.core.values import Tier
from auditing.models import Audit, Roster, Round, Route


def segment_lines(*, audit: Audit) -> tuple[SegmentLine, ...]:
    """The segments that audit.open fixed, in reading order."""
    return tuple(from_fields(record_type=SegmentLine, data=line) for line in _first_list(audit))


def eligible_lines(*, audit: Audit, upto: int | None = None) -> tuple[EligibleLine, ...]:
    """Who may be drawn: the list of audit.open, then each extension, or those up to number `upto`."""
    lists = [json.loads(lines) for number, lines in _lists.rows(audit=audit.pk) if upto is None or number <= upto]
    return tuple(from_fields(record_type=EligibleLine, data=line) for lines in lists for line in lines)


@PreparedRows
def _lists(audit: UUID) -> QuerySet[Roster, Any]:
    # The order of the lists is part of the draw: numbers point into them.
    return Roster.objects.filter(audit=audit).order_by("number").values_list("number", "eligible")


def listed_segments(*, audit: Audit) -> list[UUID]:
    """The names alone of the segments that audit.open fixed, in reading order."""
    return [UUID(line["segment"]) for line in _first_list(audit)]


def _first_list(audit: Audit) -> list[dict[str, Any]]:
    return next((json.loads(lines) for (lines,) in _segments.rows(audit=audit.pk)), [])


@PreparedRows
def _segments(audit: UUID) -> QuerySet[Roster, Any]:
    return Roster.objects.filter(audit=audit, number=0).values_list("segments")


def routes_of(*, audit: Audit) -> dict[UUID, Route]:
    """The route of each audited segment."""
    return {route.segment_id: route for route in _routes.rows(audit=audit.pk)}


@PreparedQuery
def _routes(audit: UUID) -> QuerySet[Route]:
    return Route.objects.filter(audit=audit)


def rules_of(*, round: Round, opening: bytes) -> DrawRules:
    """The constraints that bind a round's draws: those of audit.open for people, none for machines and the trusted.

    opening: the entry of that leaf.
    """
    # Shares and neighbours are limits on what one person reads; machines and adjudicators read what they must.
    if round.tier != Tier.HUMAN or round.pool:
        return free_rules()
    leaf = leaves.decode(entry=opening)
    assert isinstance(leaf, AuditOpen)
    return leaf.draw


def as_json(*, lines: Any) -> list[Any]:
    """Lines of a list as they stand in bundles and in Roster."""
    return [leaves.fields.to_fields(value=line) for line in lines]
