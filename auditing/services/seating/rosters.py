"""Rosters: the lists that an audit is committed to before anybody is drawn, and the leaf that commits it.

The audit.open leaf holds the Merkle roots of the lists of segments and of eligible auditors, the rules of the draw, and
the hash of the secret half of the seed. Who is not on the list cannot be drawn. When too few of it are left,
newcomers are added behind it by an eligible.extend leaf; the operator knows the secret by then and could choose whom to
add, so every verifier says how many were added.

Reads Route, Auditor, Seat, Policy; writes Roster, Auditor, Leaf.
"""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any
from uuid import UUID

from django.db.models import BooleanField, Count, QuerySet

from accounts.prepared import Mark, PreparedRows, Written
from auditing.core.consensus.trace import answer_basis
from auditing.core.ledger import leaves
from auditing.core.policy import Policy, to_json
from auditing.core.seating.rosters import EligibleLine, SegmentLine, roster_root
from auditing.core.seating.sortition import seed_commitment
from auditing.core.seating.tickets import joined
from auditing.core.stages import ACTIVE_SEATS
from auditing.core.values import Tier
from auditing.core.voting.commitment import segment_digest
from auditing.models import Audit, Auditor, Roster, Round, Route, Seat
from auditing.selectors.gold.rates import gold_tickets
from auditing.selectors.gold.truths import truths_of
from auditing.selectors.points.agreements import campaign_agreements
from auditing.selectors.points.reputations import published_reputations
from auditing.selectors.points.stakes import stake_tickets
from auditing.selectors.policy.versions import load_policy
from auditing.selectors.seating.disclosure import draw_rules
from auditing.selectors.seating.eligible import Eligible
from auditing.selectors.seating.rosters import as_json, eligible_lines
from auditing.selectors.voting.bindings import gold_salt, pseudonym, salt_of
from auditing.services.ledger import leaves as ledger
from auditing.services.seating.auditors import checker_auditor, seat_endpoints, seat_newcomers
from hdag.selectors import StoredGraph, load_trace
from hdag.store.rows import insert

REVISION = 3  # of the order in which leaves are written, and of what the lists state (docs/guides/ledger.md)
EVERYBODY = 10_000  # seats of a round that nobody is cut from


def open_audit(
    *, audit: Audit, policy: Policy, graph: StoredGraph, routes: Iterable[Route], asks_models: bool = True
) -> Roster:
    """Fix the segments, who may be drawn, the rules and the seed; call in the transaction that routes the audit.

    asks_models: False where the caller found that no model may be asked.
    """
    truths = truths_of(audit=audit)
    segments = _segment_lines(audit, graph, {route.segment_id: route for route in routes}, truths)
    eligible = _eligible_lines(audit, policy, holds_gold=bool(truths), asks_models=asks_models)
    (roster,) = insert(
        [Roster(audit=audit, number=0, segments=as_json(lines=segments), eligible=as_json(lines=eligible))]
    )
    ledger.write(
        audit=audit,
        leaves=[
            leaves.AuditOpen(
                audit=audit.pk,
                policy=audit.policy.number,
                params=leaves.Parameters(parameters_of(policy=policy)),
                segments=len(segments),
                segments_root=leaves.Digest(roster_root(lines=segments)),
                eligible=len(eligible),
                eligible_root=leaves.Digest(roster_root(lines=eligible)),
                draw=draw_rules(audit=audit, trace=load_trace(audit.trace)),
                seed_commit=leaves.Digest(seed_commitment(secret=bytes(audit.seed))),
                predecessor=audit.follows_id,
                revision=REVISION,
            )
        ],
    )
    return roster


def extend(*, audit: Audit) -> int:
    """Add who may be drawn now and is not on the list yet; returns how many. Call under the audit's lock."""
    policy = load_policy(version=audit.policy, domain=audit.trace.domain)
    listed = {line.auditor for line in eligible_lines(audit=audit)}
    lines = _eligible_lines(audit, policy, holds_gold=bool(truths_of(audit=audit)))
    new = [line for line in lines if line.auditor not in listed]
    if not new:
        return 0
    # 0 is the list of audit.open, so that the next number is the count.
    number = Roster.objects.filter(audit=audit).count()
    Roster.objects.create(audit=audit, number=number, eligible=as_json(lines=new))
    root = leaves.Digest(roster_root(lines=new))
    leaf = leaves.EligibleExtend(audit=audit.pk, number=number, eligible=len(new), eligible_root=root)
    ledger.write(audit=audit, leaves=[leaf])
    return len(new)


@lru_cache(maxsize=64)
def parameters_of(*, policy: Policy) -> dict[str, object]:
    """The policy's parameters as an audit is bound to them: routes are in the segments list already."""
    params = {name: value for name, value in to_json(policy=policy).items() if name not in ("routes", "domains")}
    # Seats that a route names for its first tier instead of the tier's own: a verifier compares every round with them.
    named = {(str(row.primary), row.k) for row in policy.routes if row.k is not None}
    seats = {tier: sorted(k for named_tier, k in named if named_tier == tier) for tier, _ in sorted(named)}
    return {**params, "route_seats": seats} if seats else params


def _segment_lines(
    audit: Audit, graph: StoredGraph, routes: Mapping[UUID, Route], truths: Mapping[UUID, str]
) -> list[SegmentLine]:
    """Each audited segment: a salted digest of its text, its route, and whether it is gold, hidden behind a salt."""
    basis = set(answer_basis(graph=graph.graph, plan=graph.plan_units))
    lines = []
    for segment in graph.graph.segments:
        row = graph.rows[segment.id]
        route = routes.get(row.pk)
        if route is None:
            continue
        digest = segment_digest(salt=salt_of(segment=row), text=graph.own[segment.id])
        gold = leaves.gold_digest(
            salt=gold_salt(audit=audit, segment=row.pk), segment=row.pk, truth=leaves.Truth(truths.get(row.pk, "none"))
        )
        lines.append(
            SegmentLine(
                segment=row.pk,
                digest=leaves.Digest(digest),
                tier=Tier(route.primary),
                k=route.k,
                secondaries=tuple(Tier(tier) for tier in route.secondaries),
                weight=route.weight,
                basis=segment.id in basis,
                gold=leaves.Digest(gold),
                by=leaves.Name("model") if route.by_model else None,
            )
        )
    return lines


def _eligible_lines(audit: Audit, policy: Policy, *, holds_gold: bool, asks_models: bool = True) -> list[EligibleLine]:
    """Everybody who could sit somewhere in the audit, under pseudonyms of this audit, with load and reputation.

    Everybody has one ticket in the draw, where the policy counts no stake. Where the audit holds gold have those more
    who met too little of it: the list is fixed before the seed is known, and nobody reads it before the truth is told.
    """
    eligible, models = Eligible(audit=audit), list[Auditor]()
    eligible.crowd.once(seat_newcomers)
    if asks_models:
        seat_endpoints(seats=policy.llm.k)
        models = list(_who(eligible, Tier.LLM))
    reviewers = _who(eligible, Tier.HUMAN)
    trusted = _who(eligible, Tier.HUMAN, adjudicates=True)
    # A person can be a reviewer and an adjudicator: eligible for rounds of both kinds.
    both = {auditor.pk for auditor in reviewers} & {auditor.pk for auditor in trusted}
    pools = {auditor.pk: "both" if auditor.pk in both else "trusted" for auditor in trusted}
    people = {auditor.pk: auditor for auditor in (*reviewers, *trusted)}
    everybody = [eligible.crowd.once(checker_auditor), *models, *people.values()]
    loads, reputations = _loads(everybody), published_reputations(auditors=everybody, policy=policy)
    agreements = campaign_agreements(campaign=audit.campaign, policy=policy)
    for_gold = gold_tickets(campaign=audit.campaign, policy=policy, auditors=reviewers) if holds_gold else {}
    by_stake = stake_tickets(policy=policy, auditors=reviewers, reputations=reputations)
    lines = [
        EligibleLine(
            auditor=leaves.Digest(pseudonym(audit=audit, auditor=auditor)),
            kind=Tier(auditor.tier),
            weight=joined(by_stake=by_stake.get(auditor.pk, 1), for_gold=for_gold.get(auditor.pk, 1)),
            load=loads.get(auditor.pk, 0),
            reputation=reputations[auditor.pk].value,
            pool=leaves.Name(pools[auditor.pk]) if auditor.pk in pools else None,
            simulated=auditor.is_simulated or None,
            against=leaves.Name(reputations[auditor.pk].against),
            agreement=_hundredths(agreements.get(auditor.pk)),
        )
        for auditor in everybody
    ]
    return sorted(lines, key=lambda line: line.auditor)  # by pseudonym: the order tells nothing about people


def _hundredths(value: Fraction | None) -> Decimal | None:
    return None if value is None else Decimal(round(value * 100)) / 100


def _who(eligible: Eligible, tier: Tier, *, adjudicates: bool = False) -> Sequence[Auditor]:
    """Who may sit somewhere in the audit: as for a round on a segment where nobody has sat yet."""
    audit = eligible.audit
    anywhere = Round(audit=audit, tier=tier, adjudicates=adjudicates, k=EVERYBODY, stage_since=audit.stage_since)
    return eligible.auditors(round=anywhere)


def _loads(auditors: Sequence[Auditor]) -> dict[object, int]:
    # Counted by PostgreSQL: a row for each open seat of everybody would be read with each trace.
    return dict(_held.rows(auditors=[auditor.pk for auditor in auditors]))


@PreparedRows
def _held() -> QuerySet[Seat, Any]:
    theirs = Written("auditing_seat.auditor_id = ANY(%s)", [Mark("auditors")], output_field=BooleanField())
    return Seat.objects.filter(theirs, stage__in=ACTIVE_SEATS[:2]).values_list("auditor").annotate(Count("pk"))
