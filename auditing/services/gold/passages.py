"""What differs in a decoy on its way through the corridor: what is asked, what the computer says, what is sealed.

Whoever votes sees none of it. People are asked about the gold passage alone; the computer abstains on it, because it
could tell many planted errors at once and people are what is measured; its truth is sealed in audit.open. Reads Decoy;
writes GoldTruth.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from accounts.prepared import PreparedRows
from auditing.checker.planting import GoldSpan, Origin, proved_outside
from auditing.core.policy import Policy
from auditing.core.routing.computer_tier import NO_CHECK
from auditing.core.routing.table import Route, past_models
from auditing.core.values import Choice, Vote
from auditing.models import Audit, Decoy, GoldTruth
from auditing.selectors.gold.decoys import find_decoy, find_gold_segment
from hdag.core.units import UnitKind
from hdag.core.values import Graph, Source
from hdag.models import Segment, Trace

SOURCE = "decoy: "  # how the source of a decoy's truth begins


def span_of(*, decoy: Decoy) -> GoldSpan:
    """Where the gold of a decoy stands in its text."""
    is_plan = decoy.gold is not None and decoy.gold.unit == UnitKind.STRATEGY
    return GoldSpan(Source(decoy.source), decoy.start, decoy.end, decoy.at, is_plan)


def open_to_people(*, trace: Trace, graph: Graph, verified: set[str]) -> set[str]:
    """What counts as proved when the passages of a trace are cut: in a decoy nothing of its gold."""
    decoy = find_decoy(trace=trace)
    # What comes again is cut as it was: other passages would be other questions.
    if decoy is None or decoy.origin == Origin.REPEATED:
        return verified
    return proved_outside(span=span_of(decoy=decoy), graph=graph, verified=verified)


def asked_of(*, trace: Trace, segments: Sequence[Segment], votes: Callable[[], Mapping[str, Vote]]) -> set[str]:
    """Labels of the segments that are routed: all, but of a decoy the gold one and what the computer alone decides.

    The latter so that the neighbours of gold are in the states that neighbours are in. votes: the computer's.
    """
    labels = {row.label for row in segments}
    decoy = find_decoy(trace=trace)
    if decoy is None:
        return labels
    gold = find_gold_segment(decoy=decoy, segments=segments)
    decided = {label for label, vote in votes().items() if vote.choice is not Choice.ABSTAIN}
    return set() if gold is None else (decided & labels) | {gold.label}


def ask_people(*, audit: Audit, routes: Sequence[tuple[Segment, Route]], policy: Policy) -> list[tuple[Segment, Route]]:
    """The routes of an audit; the gold of a decoy goes to people past the models, who would decide most of it.

    One decoy in four that does not mislead models keeps its route, so that models are watched on gold as well.
    """
    decoy = find_decoy(trace=audit.trace)
    gold = None if decoy is None else find_gold_segment(decoy=decoy, segments=[row for row, _ in routes])
    # By the decoy's own key, so that a routing that is repeated decides the same.
    if decoy is None or gold is None or _keeps_route(decoy):
        return list(routes)
    return [(row, past_models(route=route, policy=policy) if row == gold else route) for row, route in routes]


def _keeps_route(decoy: Decoy) -> bool:
    return decoy.origin != Origin.REPEATED and not decoy.misleads_models and decoy.pk.int % 4 == 0


def seal_truth(*, audit: Audit, segments: Sequence[Segment]) -> None:
    """Note the truth of a decoy's gold, before audit.open commits to it; call in the transaction that routes."""
    decoy = find_decoy(trace=audit.trace)
    gold = None if decoy is None else find_gold_segment(decoy=decoy, segments=segments)
    if decoy is not None and gold is not None and decoy.truth:
        GoldTruth.objects.get_or_create(
            segment=gold, defaults={"truth": decoy.truth, "source": f"{SOURCE}{decoy.origin}", "grade": decoy.grade}
        )


def without_own_word(*, audit: Audit, votes: Mapping[str, Vote]) -> dict[str, Vote]:
    """The computer's votes; on gold it abstains: it could tell many errors at once, and people are what is measured."""
    if find_decoy(trace=audit.trace) is None:  # no other trace holds gold
        return dict(votes)
    labels = {label for (label,) in _labels_of_gold.rows(graph=audit.decomposition_id)}
    return {label: _abstaining(vote) if label in labels else vote for label, vote in votes.items()}


@PreparedRows
def _labels_of_gold(graph: UUID) -> QuerySet[GoldTruth, Any]:
    gold = GoldTruth.objects.filter(segment__decomposition=graph, source__startswith=SOURCE)
    return gold.values_list("segment__label")


def _abstaining(vote: Vote) -> Vote:
    """Nothing but what it accuses is withheld: passages that people judge show what the computer verified in them.

    Gold without any of that would be known at a glance, whoever reads it or not.
    """
    evidence = tuple(finding for finding in vote.evidence if not finding.accuses)
    return replace(vote, choice=Choice.ABSTAIN, confidence=None, reason=NO_CHECK, evidence=evidence)
