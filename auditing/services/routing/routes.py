"""decomposed -> routed: each audited segment or unit gets its tiers, its seats, and its first round before the checker.

Reads Segment, Endpoint, Round (load of the tiers); writes Audit, Route, Round, Roster, Leaf.
"""

from django.db import transaction

from auditing.core.routing.table import Load, route_all
from auditing.core.stages import AuditStage
from auditing.core.values import Tier
from auditing.models import Audit, Round, Route
from auditing.selectors.policy.versions import load_policy
from auditing.selectors.routing.tiers import available_tiers, tier_load
from auditing.services.gold.passages import ask_people, asked_of, seal_truth
from auditing.services.routing.decisions import judged_graph
from auditing.services.routing.examination import votes_of
from auditing.services.seating import rosters
from auditing.services.transitions import move_audit
from hdag.core.passages import Why
from hdag.core.values import Segment, Source
from hdag.models import Segment as StoredSegment
from hdag.selectors import StoredGraph
from hdag.store.rows import fresh, insert


def is_audited(segment: Segment, row: StoredSegment) -> bool:
    """Whether a segment gets rounds: the problem is given, and a parent that is all children has nothing of its own.

    In a passage graph its units do, but for those that nobody is asked about; what the computer proved is its to pass.
    """
    if row.decomposition.derived_from_id is not None:
        return bool(row.unit) and row.unasked in ("", Why.PROVED)
    return segment.source is not Source.PROBLEM and not row.entirely_childrens


def route_audit(*, audit: Audit) -> bool:
    """Route every audited segment; a trace in which nothing can be audited fails."""
    stored = judged_graph(audit=audit)
    audited = [(segment, stored.rows[segment.id]) for segment in stored.graph.segments]
    audited = [(segment, row) for segment, row in audited if is_audited(segment, row)]
    rows = [row for _, row in audited]
    asked = asked_of(trace=audit.trace, segments=rows, votes=lambda: votes_of(audit=audit, stored=stored))
    audited = [(segment, row) for segment, row in audited if row.label in asked]
    if not audited:
        with transaction.atomic():
            return move_audit(audit=audit, to=AuditStage.FAILED, failure="No segment of this trace can be audited.")
    with transaction.atomic():
        if not move_audit(audit=audit, to=AuditStage.ROUTED):
            return False
        _write(audit, stored, audited)
    return True


def _write(audit: Audit, stored: StoredGraph, audited: list[tuple[Segment, StoredSegment]]) -> None:
    policy = load_policy(version=audit.policy, domain=audit.trace.domain)
    tiers = available_tiers(audit=audit)
    core_routes = route_all(
        segments=[segment for segment, _ in audited],
        policy=policy,
        available=tiers,
        # A crowded tier changes places with the other of models and people: without models there is none.
        load=tier_load() if Tier.LLM in tiers else Load(),
        domain=audit.trace.domain,
    )
    routes = list(zip([row for _, row in audited], core_routes, strict=True))
    routes = ask_people(audit=audit, routes=routes, policy=policy)
    stored_routes = insert(
        fresh(
            Route,
            audit=audit,
            segment=row,
            primary=route.primary,
            secondaries=[str(tier) for tier in route.secondaries],
            k=route.k,
            weight=route.weight,
            by_model=route.by_model,
            why=route.why[:300],
        )
        for row, route in routes
    )
    # Round 0 of every segment is the checker's, whatever the route: it costs nothing and decides what is certain.
    insert(
        fresh(
            Round, audit=audit, segment=row, number=0, tier=Tier.COMPUTER, k=1, why="the checkers look at every segment"
        )
        for row, _ in routes
    )
    seal_truth(audit=audit, segments=[row for row, _ in routes])
    # From here on the audit is bound to these segments, routes and auditors: the leaf commits to them.
    rosters.open_audit(audit=audit, policy=policy, graph=stored, routes=stored_routes, asks_models=Tier.LLM in tiers)
