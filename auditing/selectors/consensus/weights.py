"""What weights come from, before a closing and afterwards, for their auditors.

Reads Vote, GoldAnswer, SkillSnapshot, ReputationStep, FollowMeasure, WeightSource.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import BooleanField, Count, QuerySet

from accounts.prepared import Mark, PreparedRows, Written
from auditing.core.consensus.weight_sources import (
    CalibrationCount,
    GoldVote,
    Record,
    gold_record,
    learned_record,
    reputation_record,
)
from auditing.core.ledger.leaves.fields import decimal_text
from auditing.core.policy import ConsensusRule, Policy
from auditing.core.values import Choice
from auditing.models import Auditor, GoldAnswer, Round, Seat, Vote, WeightSource
from auditing.selectors.consensus.following import follow_record, followed_by
from auditing.selectors.consensus.skills import KNOWN_STAGES, LEARNED, newest_snapshot
from auditing.selectors.gold.truths import on_gold
from auditing.selectors.points.reputations import published_reputations
from auditing.selectors.voting.bindings import weight_salt


def sources_for(*, auditors: Sequence[Auditor], policy: Policy, round: Round) -> dict[UUID, Record]:
    """The record of each auditor's weight by id, in the very order in which skills_for takes its skills."""
    records = _sources_of_skills(auditors, policy, round)
    for key, measure in followed_by(auditors=auditors, policy=policy).items():
        records[key] |= {"follows": follow_record(measure=measure)}
    return records


def _sources_of_skills(auditors: Sequence[Auditor], policy: Policy, round: Round) -> dict[UUID, Record]:
    if policy.consensus is ConsensusRule.REPUTATION:
        reputations = published_reputations(auditors=auditors, policy=policy)
        return {key: reputation_record(reputation=decimal_text(value.value)) for key, value in reputations.items()}
    newest = newest_snapshot(campaign=round.audit.campaign_id)
    lets_learn = policy.consensus in (*LEARNED, ConsensusRule.AUTO)
    # A snapshot by a rule that this policy does not read weighs nobody, however new it is.
    learned = newest if lets_learn and newest is not None and newest.rule in LEARNED else None
    measured = learned.skills.keys() if learned is not None else set()
    unlearned = [auditor.pk for auditor in auditors if str(auditor.pk) not in measured]
    cell = (round.audit.trace.domain, round.segment.level)
    votes, answers = _gold_votes(unlearned), _calibration(unlearned)
    records = {key: gold_record(cell=cell, votes=votes[key], calibration=answers[key]) for key in unlearned}
    if learned is not None:
        whole = learned_record(learner=learned.rule, audits=learned.audits)
        records |= {auditor.pk: dict(whole) for auditor in auditors if str(auditor.pk) in measured}
    return records


def own_weights(*, auditor: Auditor) -> dict[str, Any]:
    """The weights of one auditor with their records and salts, as a file that the verifier reads."""
    rows = WeightSource.objects.filter(seat__auditor=auditor).select_related("seat__round").order_by("created", "pk")
    return {
        "format": "trust-weights/v1",
        "ledger": settings.LEDGER_ORIGIN,
        "weights": [_own(row.seat, row.record) for row in rows],
    }


def _own(seat: Seat, record: Record) -> dict[str, Any]:
    return {
        "audit": str(seat.round.audit_id),
        "segment": str(seat.round.segment_id),
        "round": seat.round.number,
        "seat": str(seat.pk),
        "salt": weight_salt(seat=seat.pk).hex(),
        "sources": record,
    }


@PreparedRows
def _votes_on_gold() -> QuerySet[Any, Any]:
    """Votes on gold in finished audits, one by one: selectors.consensus.skills counts the same ones."""
    theirs = Written("auditing_seat.auditor_id = ANY(%s)", [Mark("auditors")], output_field=BooleanField())
    votes = Vote.objects.filter(on_gold(), theirs, seat__round__audit__stage__in=KNOWN_STAGES).exclude(
        choice=Choice.ABSTAIN
    )
    return votes.values_list(
        "seat__auditor",
        "seat__round__audit",
        "seat__round__segment",
        "seat",
        "seat__round__audit__trace__domain",
        "seat__round__segment__level",
        "seat__round__segment__gold_truth__truth",
        "choice",
    )


def _gold_votes(keys: Sequence[UUID]) -> dict[UUID, list[GoldVote]]:
    by_auditor: dict[UUID, list[GoldVote]] = defaultdict(list)
    for auditor, *values in _votes_on_gold.rows(auditors=list(keys)):
        audit, segment, seat, domain, level, truth, vote = map(str, values)
        row = GoldVote(audit=audit, segment=segment, seat=seat, domain=domain, level=level, truth=truth, vote=vote)
        by_auditor[auditor].append(row)
    return by_auditor


def _calibration(keys: Sequence[UUID]) -> dict[UUID, list[CalibrationCount]]:
    by_auditor: dict[UUID, list[CalibrationCount]] = defaultdict(list)
    for auditor, domain, truth, vote, count in _calibration_answers.rows(auditors=list(keys)):
        by_auditor[auditor].append(CalibrationCount(domain=domain, truth=truth, vote=vote, count=count))
    return by_auditor


@PreparedRows
def _calibration_answers() -> QuerySet[Any, Any]:
    theirs = Written("auditing_goldanswer.auditor_id = ANY(%s)", [Mark("auditors")], output_field=BooleanField())
    answers = GoldAnswer.objects.filter(theirs, attempt=1, gold__is_overturned=False).exclude(choice=Choice.ABSTAIN)
    counted = answers.values("auditor", "gold__domain", "gold__truth", "choice").annotate(count=Count("pk"))
    return counted.order_by().values_list("auditor", "gold__domain", "gold__truth", "choice", "count")
