"""The computer tier's votes: what the checker library decides about a segment becomes a vote like any other."""

from auditing.checker.decision import Grounds, decide
from auditing.checker.examination import decide_all
from auditing.checker.findings import Decision, Finding, Verdict
from auditing.core.values import Choice, Tier, Vote
from hdag.core.values import Graph, Segment, Trace

AUDITOR = "computer"
_CHOICES = {
    Verdict.VERIFIED: Choice.PASS,
    Verdict.REFUTED: Choice.FAIL,
    Verdict.NOT_APPLICABLE: Choice.ABSTAIN,
}


def vote_of(*, decision: Decision) -> Vote:
    """The vote of the computer tier: certain where it decides, an abstention with evidence elsewhere."""
    choice = _CHOICES[decision.verdict]
    return Vote(
        choice=choice,
        auditor=AUDITOR,
        tier=Tier.COMPUTER,
        confidence=None if choice is Choice.ABSTAIN else 1.0,
        reason=decision.reason,
        evidence=decision.findings,
    )


def vote_on(*, segment: Segment, findings: tuple[Finding, ...], graph: Graph) -> Vote:
    """The vote on one segment from the findings that stand at it."""
    return vote_of(decision=decide(segment=segment, findings=findings, grounds=Grounds(graph)))


def votes_on(*, trace: Trace, graph: Graph) -> dict[str, Vote]:
    """Examines a whole trace: the vote on every segment, by id; its evidence is what the checks saw there."""
    return {label: vote_of(decision=decision) for label, decision in decide_all(trace=trace, graph=graph).items()}
