"""The computer tier examines every segment. Reads Trace, Segment; writes round 0 of each and opens the next rounds."""

from django.db import transaction

from auditing.auditors.checker.tier import examine_graph, vote_on
from auditing.core.stages import AuditStage
from auditing.core.values import Tier, Vote
from auditing.models import Audit, Auditor, Round
from auditing.services import consensus, machine
from auditing.services.doors import advance_audit
from hdag.core.values import Graph, Trace
from hdag.selectors import load_graph, load_trace

CHECKER = "checker"


def checker_auditor() -> Auditor:
    """The computer tier's one auditor."""
    return Auditor.objects.get_or_create(checker=CHECKER, defaults={"tier": Tier.COMPUTER})[0]


def examine(*, audit: Audit) -> bool:
    """Examine all segments, cast the checker's votes, tally round 0 everywhere and open what comes next."""
    trace, stored = load_trace(audit.trace), load_graph(audit.job)
    votes = votes_of(trace=trace, graph=stored.graph)
    with transaction.atomic():
        if not advance_audit(audit=audit, to=AuditStage.AUDITING):
            return False
        rounds = list(
            Round.objects.filter(audit=audit, number=0).select_related("segment").order_by("segment__position")
        )
        for round in rounds:
            round.audit = audit
        cast = [(round, votes[round.segment.label], stored.own[round.segment.label]) for round in rounds]
        rows = machine.cast(audit=audit, auditor=checker_auditor(), votes=cast)
        consensus.tally_checked(audit=audit, rounds=rounds, votes=rows)
    return True


def votes_of(*, trace: Trace, graph: Graph) -> dict[str, Vote]:
    """The checker's vote on every segment of a graph, by id."""
    findings = examine_graph(trace=trace, graph=graph)
    return {
        segment.id: vote_on(segment=segment, findings=findings.get(segment.id, ()), graph=graph)
        for segment in graph.segments
    }
