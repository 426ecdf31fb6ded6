"""Registered experiments and the votes of their campaigns, as the tables of arms read them. Reads Leaf, AuditEvent."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet, Sum

from auditing.core.events import EventKind
from auditing.core.ledger import leaves as kinds
from auditing.core.stages import RoundStage
from auditing.core.values import Tier
from auditing.models import Audit, AuditEvent, Campaign, Leaf, Vote
from auditing.research.experiments.core import Design, campaigns_of, contents_of, digest_of, is_right

PER_HOUR = 3600  # seconds


class NotRegisteredError(ValueError):
    """The ledger holds no such design: it was never registered, or was changed since."""


@dataclass(frozen=True, slots=True)
class JoinedVotes:
    """rows: lines of table1 and table3; refused: votes that the design does not ask for; pairs: (voted on, asked)."""

    rows: list[dict[str, Any]]
    refused: list[str]
    pairs: tuple[int, int]


def find_registration(*, design: Design) -> Leaf | None:
    """The leaf that fixed this design; None where the ledger holds none, or of another one only."""
    leaf = kinds.ExperimentRegister(digest=kinds.Digest(bytes.fromhex(digest_of(design=design))))
    return Leaf.objects.filter(kind=kinds.ExperimentRegister.TYPE, body=kinds.encode(leaf=leaf)).first()


def registered_audits(*, design: Design) -> dict[str, dict[str, str]]:
    """Audit -> its arm and trace: beside the design, what `verify_audit.py ledger --design` reads."""
    return {
        str(audit.pk): {"arm": arm, "trace": audit.trace.external_id}
        for campaign, arm in _campaigns(design)
        for audit in _first_audits(campaign)
    }


def votes_of(*, design: Design, records: Mapping[str, Mapping[str, Any]], hourly: float = 0.0) -> JoinedVotes:
    """Every opened vote of the experiment's audits, people's under their place in the design.

    hourly: what an hour of a person's work costs, in the currency of the models' calls. Raises NotRegisteredError.
    """
    if sorted(records) != sorted(design.traces) or contents_of(traces=records) != design.contents:
        raise NotRegisteredError("the traces are not those of the design: one is missing or was changed")
    rows: list[dict[str, Any]] = []
    refused: list[str] = []
    pairs = set[tuple[str, str]]()
    for campaign, arm in _campaigns(design):
        for vote in _votes(campaign):
            audit, auditor = vote.seat.round.audit, vote.seat.auditor
            trace = audit.trace.external_id
            person = auditor.user.email if auditor.user else ""
            if trace not in records:  # erased: its name is gone with its text
                refused.append(f"a vote in arm {arm} on a trace that was erased since")
                continue
            if person and not _is_asked(design, person, trace, arm):
                refused.append(f"a vote in arm {arm} on trace {trace} by somebody whom the design does not ask there")
                continue
            pairs |= {(person, trace)} if person else set()
            rows.append(_row(vote, arm, _name(design, auditor), hourly, is_right(trace=trace, record=records[trace])))
    return JoinedVotes(_whole(rows), refused, (len(pairs), len(design.people) * len(design.traces)))


def _campaigns(design: Design) -> list[tuple[Campaign, str]]:
    """(campaign, its arm), as they were registered. Raises NotRegisteredError."""
    event = AuditEvent.objects.filter(
        kind=EventKind.EXPERIMENT_REGISTERED, body__digest=digest_of(design=design)
    ).first()
    if event is None or find_registration(design=design) is None:
        raise NotRegisteredError("the ledger holds no such design: it was not registered, or was changed since")
    campaigns = Campaign.objects.in_bulk(event.body["campaigns"], field_name="pk")
    known = {str(key): campaign for key, campaign in campaigns.items()}
    planned = zip(event.body["campaigns"], campaigns_of(design=design), strict=True)
    return [(known[key], plan.arm) for key, plan in planned]


def _first_audits(campaign: Campaign) -> QuerySet[Audit]:
    # A successor audit after an appeal judges with the first one's votes in sight.
    return Audit.objects.filter(campaign=campaign, follows__isnull=True).select_related("trace").order_by("created")


def _votes(campaign: Campaign) -> QuerySet[Vote]:
    votes = Vote.objects.filter(seat__round__audit__in=_first_audits(campaign), seat__round__stage=RoundStage.TALLIED)
    # An adjudicator reads the earlier votes: nobody's own judgement of the arm.
    return (
        votes.filter(seat__round__adjudicates=False)
        .select_related("seat__round__audit__trace", "seat__auditor__user", "seat__auditor__endpoint")
        .select_related("seat__commitment")
        .annotate(spent=Sum("seat__attempts_made__cost"))
        .order_by("seat__round__audit", "seat__round__segment", "seat__round__number", "seat__place", "pk")
    )


def _is_asked(design: Design, person: str, trace: str, arm: str) -> bool:
    by_mail = {name.lower(): name for name in design.people}
    return person in by_mail and design.arm_of(person=by_mail[person], trace=trace) == arm


def _name(design: Design, auditor: Any) -> str:
    """A person's place in the design: the file of votes carries no address."""
    if auditor.user:
        order = [person.lower() for person in design.people]
        return f"person {order.index(auditor.user.email) + 1}"
    return f"{auditor.endpoint.name} {auditor.sample}" if auditor.endpoint else str(auditor.checker)


def _row(vote: Any, arm: str, auditor: str, hourly: float, right: bool) -> dict[str, Any]:
    seat = vote.seat
    seconds = seat.commitment.active_ms / 1000
    cost = float(vote.spent or 0) + (seconds / PER_HOUR * hourly if seat.round.tier == Tier.HUMAN else 0.0)
    return {
        "arm": arm,
        "trace": seat.round.audit.trace.external_id,
        "right": right,
        "unit": str(seat.round.segment_id),
        "auditor": auditor,
        "tier": str(seat.round.tier),
        "choice": str(vote.choice),
        "seconds": round(seconds, 3),
        "cost": round(cost, 6),
    }


def _whole(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A trace that was judged in one piece in an arm has the unit "", as the tables know it."""
    units = {(row["arm"], row["trace"], row["unit"]) for row in rows}
    counts = Counter((arm, trace) for arm, trace, _ in units)
    return [{**row, "unit": "" if counts[row["arm"], row["trace"]] == 1 else row["unit"]} for row in rows]
