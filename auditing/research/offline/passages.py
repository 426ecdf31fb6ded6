"""The passages of an offline audit as records: what people would be asked, what nobody is, and why.

Reads a graph, the computer's votes and the tier that each segment waits for; writes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from auditing.checker.findings import Verdict
from auditing.core.values import Choice, Tier, Vote
from hdag.core.passages import Passage, PassagePlan, PlanSeat, plan_passages
from hdag.core.passages.asking import claims_nothing
from hdag.core.values import Graph, Trace

REFUTED = "refuted"  # the reason of a passage that the computer fails by a step of it


def passage_records(
    *, trace: Trace, graph: Graph, votes: Mapping[str, Vote], waiting: Mapping[str, Tier]
) -> dict[str, list[dict[str, Any]]]:
    """`passages` and `plan_seats` of the output record.

    votes: the computer's, by segment; waiting: the tier that would look next. A passage with a refuted step fails by
    it; people are asked about the steps before it, for the error may begin earlier, unless each is verified or claims
    nothing.
    """
    verified = {label for label, vote in votes.items() if vote.choice is Choice.PASS}
    plan = plan_passages(trace=trace, graph=graph, verified=verified)
    children = graph.children()
    refuted = {label for label, vote in votes.items() if vote.choice is Choice.FAIL}
    # An operation fails the step that holds it.
    refuted |= {step for step, parts in children.items() if refuted.intersection(parts)}
    # asked for only before a refuted step
    settled = _settled(graph, votes) if refuted else set()
    return {
        "passages": [_passage(passage, plan, (refuted, settled), waiting) for passage in plan.passages],
        "plan_seats": [_seat(seat, plan) for seat in plan.plan_seats],
    }


def _settled(graph: Graph, votes: Mapping[str, Vote]) -> set[str]:
    """The segments that a computer verified in part, and those that claim nothing."""
    verified = {label for label, vote in votes.items() if any(f.verdict is Verdict.VERIFIED for f in vote.evidence)}
    return verified | {segment.id for segment in graph.segments if claims_nothing(text=segment.content)}


def _passage(
    passage: Passage, plan: PassagePlan, seen: tuple[set[str], set[str]], waiting: Mapping[str, Tier]
) -> dict[str, Any]:
    named = [label for mark in passage.marks for label in mark]
    segments, text = passage.segments, passage.text
    if plan.is_one_unit and passage.asked:
        # One form: whatever else the trace holds is read and judged with it.
        carried = [carrier for carrier in plan.passages if carrier.id in passage.carries]
        segments = (*segments, *(label for carrier in carried for label in carrier.segments))
        text = "\n\n".join([text, *(carrier.text for carrier in carried)])
        named += [label for carrier in carried for mark in carrier.marks for label in mark]
    refuted, settled = seen
    fails = [label for label in named if label in refuted]
    before = named[: named.index(fails[0])] if fails else named
    asked = passage.asked and not (fails and settled.issuperset(before))
    return {
        "id": passage.id,
        "segments": list(segments),
        "text": text,
        "asked": asked,
        "why": REFUTED if fails and not asked else passage.why.value,
        "tier": Tier.COMPUTER.value if passage.asked and not asked else _tier(passage, waiting),
        "source": passage.source.value,
        "start": passage.start,
        "end": passage.end,
        "fails_at": fails[:1],
        "carries": list(passage.carries),
    }


def _tier(passage: Passage, waiting: Mapping[str, Tier]) -> str | None:
    """Who judges it: the computer where it decided, nobody where there is nothing to judge."""
    if passage.tier.value == Tier.COMPUTER.value:
        return Tier.COMPUTER.value
    if not passage.asked:
        return None
    tiers = [waiting[label] for label in passage.segments if waiting[label] is not Tier.COMPUTER]
    return (Tier.HUMAN if Tier.HUMAN in tiers or not tiers else tiers[0]).value


def _seat(seat: PlanSeat, plan: PassagePlan) -> dict[str, Any]:
    by_id = {passage.id: passage for passage in plan.passages}
    segments = [label for key in seat.segments for label in by_id[key].segments]
    return {
        "id": seat.id,
        "kind": seat.kind.value,
        "question": seat.question,
        "passages": list(seat.segments),
        "segments": list(dict.fromkeys(segments)),
        "text": seat.text,
        "asked": True,
        "tier": Tier.HUMAN.value,
    }
