"""Correlated agreement given the models' answers, of each reviewer of a campaign over the last thirty days.

It is computed when an audit opens, over finished audits, and stated in its list of the eligible: what a vote will be
paid is fixed before it is cast. Reads Vote.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import timedelta
from fractions import Fraction
from uuid import UUID

from django.db.models.functions import Now

from auditing.core.points import SharedVote, agreement_given_model
from auditing.core.policy import Policy
from auditing.core.values import Choice, Tier
from auditing.models import Campaign, Vote

WINDOW = timedelta(days=30)
KNOWN_STAGES = ("settled", "recorded")
Answers = dict[UUID, Choice]  # by auditor


def campaign_agreements(*, campaign: Campaign, policy: Policy) -> dict[UUID, Fraction]:
    """The value of each reviewer who shares enough segments; empty where the policy pays no bonus."""
    if not policy.agreement_bonus:
        return {}
    shared: dict[UUID, list[SharedVote]] = defaultdict(list)
    for people, models in _answered(campaign):
        model = _answer_of_models(models)
        # Where models differ or said nothing there is no answer to be copied: such a segment tells nobody apart.
        if model is None:
            continue
        for auditor, mine in people.items():
            others = [word for peer, word in people.items() if peer != auditor]
            if others:
                shared[auditor].append(SharedVote(mine=mine, others=others, model=model))
    values = {auditor: agreement_given_model(votes=votes) for auditor, votes in shared.items()}
    return {auditor: value for auditor, value in values.items() if value is not None}


def _answered(campaign: Campaign) -> Iterator[tuple[Answers, Answers]]:
    """(votes of people, votes of models) of each segment, the newest vote of each auditor."""
    votes = Vote.objects.filter(
        seat__round__audit__campaign=campaign,
        seat__round__audit__stage__in=KNOWN_STAGES,
        seat__round__tier__in=(Tier.HUMAN, Tier.LLM),
        # An adjudicator has read the others' votes: agreeing with them afterwards says nothing.
        seat__round__adjudicates=False,
        revealed_at__gt=Now() - WINDOW,
    ).exclude(choice=Choice.ABSTAIN)
    answers: dict[UUID, dict[str, Answers]] = defaultdict(lambda: {Tier.HUMAN: {}, Tier.LLM: {}})
    fields = ("seat__round__segment", "seat__round__tier", "seat__auditor", "choice")
    for segment, tier, auditor, choice in votes.order_by("revealed_at", "pk").values_list(*fields):
        answers[segment][tier][auditor] = Choice(choice)
    for by_tier in answers.values():
        yield by_tier[Tier.HUMAN], by_tier[Tier.LLM]


def _answer_of_models(models: Mapping[UUID, Choice]) -> Choice | None:
    """What most models said; None where they are even, or none was asked."""
    passes = sum(word is Choice.PASS for word in models.values())
    fails = len(models) - passes
    if passes == fails:
        return None
    return Choice.PASS if passes > fails else Choice.FAIL
