"""Points and reputation as rows of their data sets."""

from collections.abc import Iterator

from django.db.models import Q

from accounts.permissions import Role, has_role
from auditing.core.ledger.leaves import Column
from auditing.models import Auditor, Posting, ReputationStep, SkillSnapshot, Vote
from auditing.research.exports.selectors.scope import Filters, Scope
from auditing.research.exports.selectors.streams import CHUNK, Row, stream, texted


def postings(scope: Scope) -> Iterator[Row]:
    """Lines of transfers of these audits; an admin's unfiltered export also has those that belong to no audit."""
    in_scope = Q(transfer__audit__in=scope.wholes())
    if has_role(scope.user, Role.ADMIN) and scope.filters == Filters(imported=scope.filters.imported):
        # Grants, for example, belong to no audit: they leave only where nothing was narrowed, and only to an admin.
        in_scope |= Q(transfer__audit__isnull=True)
    named = {
        "transfer": "transfer_id",
        "kind": "transfer__kind",
        "audit": "transfer__audit_id",
        "auditor": "account__auditor_id",
        "account": "account__name",
        "amount": "amount",
        "is_held": "transfer__is_held",
        "reverses": "transfer__reverses_id",
        "policy": "transfer__policy__number",
        "created": "transfer__created",
    }
    for row in stream(Posting.objects.filter(in_scope).order_by("transfer__created", "pk"), **named):
        auditor = row.pop("auditor")
        row["account"] = row["account"] if auditor is None else scope.pseudonym(auditor)
        yield texted(row, "transfer", "audit", "reverses")


def reputation(scope: Scope) -> Iterator[Row]:
    """Each auditor of these rounds as it stands now: both columns of reputation, and the newest published skill."""
    voters = Vote.objects.filter(seat__round__in=scope.rounds()).values("seat__auditor")
    steps = ReputationStep.objects.filter(auditor__in=voters).order_by("auditor", "column", "-votes")
    newest = {(step.auditor_id, step.column): step for step in steps.distinct("auditor", "column").iterator(CHUNK)}
    skills = _skills()
    named = {"auditor": "pk", "tier": "tier", "is_simulated": "is_simulated"}
    for row in stream(Auditor.objects.filter(pk__in=voters).order_by("pk"), **named):
        auditor = row["auditor"]
        gold, consensus = (newest.get((auditor, str(column))) for column in (Column.GOLD, Column.CONSENSUS))
        sensitivity, specificity = skills.get(str(auditor), (None, None))
        yield row | {
            "auditor": scope.pseudonym(auditor),
            "against_gold": _published(gold),
            "against_consensus": _published(consensus),
            "sensitivity": sensitivity,
            "specificity": specificity,
            "gold_votes": gold.votes if gold else 0,
        }


def _published(step: ReputationStep | None) -> float | None:
    """Two places, as in the ledger: the exact value would link an auditor across exports."""
    return None if step is None else round(float(step.value), 2)


def _skills() -> dict[str, tuple[float, float]]:
    """Auditor -> (sensitivity, specificity) of the newest snapshot that names it."""
    newest: dict[str, tuple[float, float]] = {}
    for skills in SkillSnapshot.objects.order_by("pk").values_list("skills", flat=True).iterator(CHUNK):
        newest |= {name: (float(pair[0]), float(pair[1])) for name, pair in skills.items()}
    return newest
