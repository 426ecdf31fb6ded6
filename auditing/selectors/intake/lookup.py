"""One audit by its id, with what its pages read of it. Whether the visitor may see it is the caller's question."""

from uuid import UUID

from django.db.models import QuerySet, UUIDField

from accounts.prepared import PreparedQuery, Slot
from auditing.models import Audit


def find_audit(*, key: UUID) -> Audit | None:
    """The audit with its trace, policy, campaign, graph and its neighbours in a chain of appeals; None if unknown."""
    return _AUDIT.first(key=key)


def get_audit(*, key: UUID) -> Audit:
    """The same for callers that know that it is there. Raises Audit.DoesNotExist."""
    audit = _AUDIT.first(key=key)
    if audit is None:
        raise Audit.DoesNotExist(f"no audit {key}")
    return audit


def _audits() -> QuerySet[Audit]:
    # One join for what every page of an audit reads, instead of six queries one after another.
    return Audit.objects.filter(pk=Slot("key", UUIDField())).select_related(
        "trace__payload",
        "trace__decoy",
        "policy",
        "campaign",
        "decomposition",
        "trace_outcome",
        "follows",
        "successor",
    )


_AUDIT = PreparedQuery(_audits)  # to plan ten joins takes longer than to follow them
