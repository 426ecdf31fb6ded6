"""One audit by its id, with what its pages read of it. Whether the visitor may see it is the caller's question."""

from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet

from accounts.prepared import PreparedQuery
from auditing.core.stages import AUDIT_STAGES, AuditStage
from auditing.models import Appeal, Audit


def find_audit(*, key: UUID) -> Audit | None:
    """The audit with its trace, policy, campaign, graph and its neighbours in a chain of appeals; None if unknown."""
    return _audits.first(key=key)


def get_audit(*, key: UUID) -> Audit:
    """The same for callers that know that it is there. Raises Audit.DoesNotExist."""
    audit = _audits.first(key=key)
    if audit is None:
        raise Audit.DoesNotExist(f"no audit {key}")
    return audit


@PreparedQuery
def _audits(key: UUID) -> QuerySet[Audit]:
    # Most texts are handed in once: their pages need no list of their other audits.
    same = Audit.objects.filter(trace__provider=OuterRef("trace__provider"), trace__digest=OuterRef("trace__digest"))
    audits = Audit.objects.filter(pk=key).annotate(has_others=Exists(same.exclude(pk=OuterRef("pk"))))
    # One join for what every page of an audit reads, instead of six queries; to plan it takes longer than to run it.
    return audits.select_related(
        "trace__payload",
        "trace__provider__profile",
        "trace__decoy",
        "policy",
        "campaign",
        "decomposition",
        "trace_outcome",
        "follows",
        "successor",
    )


def may_be_withdrawn(*, audit: Audit) -> bool:
    """Whether its provider may take it back: not once decided, nor to end the appeal of somebody else."""
    others = Appeal.objects.filter(successor=audit).exclude(by=audit.trace.provider_id)
    may_end = AuditStage.WITHDRAWN in AUDIT_STAGES[AuditStage(audit.stage)].next
    return may_end and not (audit.follows_id and others.exists())
