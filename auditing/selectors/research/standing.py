"""Points, reputation and the log as rows of the data sets; the whole table of sources."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby
from typing import Any

from django.db.models import OuterRef, Q, Subquery

from accounts.models import Role
from accounts.permissions import has_role
from auditing.core.merkle import leaf_hash
from auditing.core.reputation import Column, published
from auditing.core.values import Choice, Outcome
from auditing.models import Leaf, PolicyVersion, Posting, SegmentOutcome, Vote
from auditing.selectors.policies import load_policy
from auditing.selectors.research import rows
from auditing.selectors.research.rows import Row, stream, texted
from auditing.selectors.research.scope import Filters, Scope


def postings(scope: Scope) -> Iterator[Row]:
    """Lines of transfers of these audits; an admin's unfiltered export also has those that belong to no audit."""
    mine = Q(transfer__audit__in=scope.audits())
    if has_role(scope.user, Role.ADMIN) and scope.filters == Filters(imported=scope.filters.imported):
        mine |= Q(transfer__audit__isnull=True)
    named = {
        "transfer": "transfer_id", "kind": "transfer__kind", "audit": "transfer__audit_id",
        "auditor": "account__auditor_id", "account": "account__name", "amount": "amount",
        "is_held": "transfer__is_held", "reverses": "transfer__reverses_id", "policy": "transfer__policy__number",
        "created": "transfer__created",
    }  # fmt: skip
    for row in stream(Posting.objects.filter(mine).order_by("transfer__created", "pk"), **named):
        auditor = row.pop("auditor")
        row["account"] = row["account"] if auditor is None else scope.pseudonym(auditor)
        yield texted(row, "transfer", "audit", "reverses")


def reputation(scope: Scope) -> Iterator[Row]:
    """Each auditor's standing, walked vote by vote in the order of opening; abstentions are no votes."""
    said = Vote.objects.filter(seat__round__in=scope.rounds()).exclude(choice=Choice.ABSTAIN)
    newest = PolicyVersion.objects.order_by("-number").first()
    if newest is None:
        return
    policy = load_policy(version=newest, domain="")
    gamma, start = Fraction(policy.gamma), Fraction(policy.initial_reputation)
    named = {
        "auditor": "seat__auditor_id", "tier": "seat__auditor__tier", "is_simulated": "seat__auditor__is_simulated",
        "choice": "choice", "segment": "seat__round__segment_id", "audit": "seat__round__audit_id",
    }  # fmt: skip
    ordered = said.order_by("seat__auditor_id", "revealed_at", "pk")
    for auditor, cast in groupby(_with_outcomes(ordered, named), key=lambda row: row["auditor"]):
        column, first = Column(start), None
        for row in cast:
            first = first or row
            if row["outcome"] in (Outcome.PASS, Outcome.FAIL):
                after = column.after(correct=row["choice"] == row["outcome"], gamma=gamma)
                column = Column(published(reputation=after.value), after.votes)
        assert first is not None
        yield {
            "auditor": scope.pseudonym(auditor), "tier": first["tier"], "is_simulated": first["is_simulated"],
            "against_gold": None, "against_consensus": float(column.value) if column.votes else None,
            "sensitivity": None, "specificity": None, "gold_votes": 0,
        }  # fmt: skip


def _with_outcomes(found: Any, named: dict[str, str]) -> Iterator[dict[str, Any]]:
    final = SegmentOutcome.objects.filter(
        audit=OuterRef("seat__round__audit"), segment=OuterRef("seat__round__segment")
    )
    yield from stream(found.annotate(_outcome=Subquery(final.values("outcome")[:1])), **named, outcome="_outcome")


def ledger(scope: Scope) -> Iterator[Row]:
    """Leaves of these audits that the sequencer has given their place."""
    found = Leaf.objects.filter(audit__in=scope.audits(), index__isnull=False).order_by("index")
    named = {"audit": "audit_id", "index": "index", "kind": "kind", "body": "body", "created": "created"}
    for row in stream(found, **named):
        row["leaf_hash"] = leaf_hash(entry=bytes(row.pop("body"))).hex()
        yield texted(row, "audit")


def soundness(scope: Scope) -> Iterator[Row]:
    """Scores of claims: the system keeps none in tables yet, so there is nothing to give."""
    del scope
    yield from ()


SOURCES = rows.SOURCES | {
    "soundness": soundness,
    "postings": postings,
    "reputation": reputation,
    "ledger": ledger,
}
