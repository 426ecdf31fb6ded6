"""One audit by its id, with what its pages read of it. Whether the visitor may see it is the caller's question."""

from uuid import UUID

from auditing.models import Audit


def find_audit(*, key: UUID) -> Audit | None:
    """The audit with its trace, policy, campaign, graph and its neighbours in a chain of appeals; None if unknown."""
    audits = Audit.objects.select_related(
        "trace__payload", "policy", "campaign", "decomposition", "follows", "successor"
    )
    return audits.filter(pk=key).first()
