"""One audit by its id, with what its pages read of it. Whether the visitor may see it is the caller's question."""

from uuid import UUID

from django.db.models import QuerySet

from auditing.models import Audit


def find_audit(*, key: UUID) -> Audit | None:
    """The audit with its trace, policy, campaign, graph and its neighbours in a chain of appeals; None if unknown."""
    return _audits().filter(pk=key).first()


def get_audit(*, key: UUID) -> Audit:
    """The same for callers that know that it is there. Raises Audit.DoesNotExist."""
    return _audits().get(pk=key)


def _audits() -> QuerySet[Audit]:
    # One join for what every page of an audit reads, instead of six queries one after another.
    return Audit.objects.select_related(
        "trace__payload",
        "trace__decoy",
        "policy",
        "campaign",
        "decomposition",
        "trace_outcome",
        "follows",
        "successor",
    )
