"""Skills of auditors, learned from a campaign's votes every night and published as a snapshot.

Under the rule `auto` they are learned from gold alone, or by EM while that predicts held-out gold better. An admin's
word that auditors collude bars EM: it would believe the majority that colludes.

Reads Vote, GoldTruth, Campaign; writes SkillSnapshot, CollusionFlag, AuditEvent.
"""

from decimal import Decimal
from typing import Any

import numpy as np
from django.db import transaction

from accounts.models import User
from auditing.core.consensus.ballots import UNKNOWN, Ballots, ballots_from_votes
from auditing.core.consensus.calibration import calibrate_thresholds
from auditing.core.consensus.rules import AutoChoice, choose_rule
from auditing.core.consensus.two_coin import Aggregate, Priors, dawid_skene, gold_initialised_em, gold_only
from auditing.core.events import EventKind
from auditing.core.policy import ConsensusRule, Policy
from auditing.core.values import Choice, Tier
from auditing.models import Auditor, Campaign, CollusionFlag, CollusionRing, SkillSnapshot, Vote
from auditing.selectors.consensus.skills import KNOWN_STAGES, collusion_is_flagged
from auditing.selectors.gold.repeats import first_votes
from auditing.selectors.gold.truths import standing_truth
from auditing.selectors.policy.versions import load_policy
from auditing.services.events import record_event

LEARNERS = {ConsensusRule.TWO_COIN_EM: gold_initialised_em, ConsensusRule.DAWID_SKENE: dawid_skene}


def learn_all() -> int:
    """A new snapshot for every campaign that is not closed and holds votes; returns how many."""
    campaigns = Campaign.objects.exclude(state=Campaign.State.CLOSED).select_related("policy")
    return sum(learn(campaign=campaign) is not None for campaign in campaigns)


def learn(*, campaign: Campaign) -> SkillSnapshot | None:
    """Compare the rules on held-out gold and publish what the better one believes; None without votes."""
    policy = load_policy(version=campaign.policy, domain=campaign.domain)
    rows = list(_votes(campaign))
    if not rows:
        return _learned_nothing(campaign)
    # Some votes may be on gold: their truth is what the rules are compared by.
    gold = {segment: truth == Choice.PASS for segment, _, _, truth, _ in rows if truth}
    ballots, _, auditors = ballots_from_votes(
        votes=[(segment, auditor, choice == Choice.PASS) for segment, auditor, choice, *_ in rows], gold=gold
    )
    priors = priors_of(policy=policy)
    choice = _choose(ballots, priors, policy, campaign)
    aggregate = LEARNERS.get(choice.rule, gold_only)(ballots=ballots, priors=priors)
    return SkillSnapshot.objects.create(
        campaign=campaign,
        rule=choice.rule,
        why=choice.why[:200],
        brier_gold_only=choice.brier_gold_only,
        brier_learned=choice.brier_em,
        gold=len(gold),
        skills=_skills(aggregate, ballots, [str(key) for key in auditors]),
        audits=sorted({str(audit) for *_, audit in rows}),
        thresholds=_thresholds(aggregate, ballots, policy),
    )


def _learned_nothing(campaign: Campaign) -> SkillSnapshot | None:
    """None without votes; where all votes are those of a flagged ring, a snapshot that no longer believes the last."""
    if not SkillSnapshot.objects.filter(campaign=campaign).exists():
        return None
    why = "every vote is of a flagged ring"
    return SkillSnapshot.objects.create(campaign=campaign, rule=ConsensusRule.TWO_COIN_GOLD, why=why)


def flag_collusion(*, campaign: Campaign, is_set: bool, why: str, author: User) -> CollusionFlag:
    """An admin says that auditors of a campaign collude, or takes it back; `auto` is gold-only from then on."""
    with transaction.atomic():
        flag = CollusionFlag.objects.create(campaign=campaign, is_set=is_set, why=why[:300], author=author)
        event = EventKind.COLLUSION_FLAGGED if is_set else EventKind.COLLUSION_CLEARED
        record_event(audit=None, kind=event, actor=author, campaign=str(campaign.pk), why=why[:300])
        learn(campaign=campaign)  # at once: the next tally believes the new snapshot
    return flag


def priors_of(*, policy: Policy) -> Priors:
    """What the policy believes of people before any gold."""
    rules = policy.tier(Tier.HUMAN)
    return Priors(float(rules.prior_right), float(rules.prior_wrong), float(policy.base_rate))


def _votes(campaign: Campaign) -> Any:
    """(segment, auditor, choice, truth or None, audit) of every vote of a person on something, in finished audits."""
    votes = Vote.objects.filter(seat__round__audit__campaign=campaign, seat__round__audit__stage__in=KNOWN_STAGES)
    # The newest vote of an auditor on a segment: an appeal may bring the same pair together again.
    by_people = first_votes(votes=votes).exclude(choice=Choice.ABSTAIN).filter(seat__round__tier=Tier.HUMAN)
    # Who votes together tells one thing twice: EM would believe it. Their own skills rest on gold alone.
    ringed = CollusionRing.objects.filter(cleared_at__isnull=True).values("members")
    by_people = by_people.exclude(seat__auditor__in=ringed).annotate(truth=standing_truth())
    fields = ("seat__round__segment", "seat__auditor", "choice", "truth", "seat__round__audit")
    return by_people.order_by(*fields[:2], "-revealed_at").distinct(*fields[:2]).values_list(*fields)


def _choose(ballots: Ballots, priors: Priors, policy: Policy, campaign: Campaign) -> AutoChoice:
    if policy.consensus is not ConsensusRule.AUTO:
        return AutoChoice(policy.consensus, None, None, "the policy names the rule")
    return choose_rule(ballots=ballots, priors=priors, collusion=collusion_is_flagged(campaign=campaign))


def _skills(aggregate: Aggregate, ballots: Ballots, auditors: list[str]) -> dict[str, Any]:
    """Means rounded to .01 within .01 to .99, with the number of votes they rest on."""
    votes = np.bincount(ballots.auditor, minlength=ballots.auditors)
    families = dict(Auditor.objects.filter(pk__in=auditors).values_list("pk", "endpoint__family"))
    # People and the checker have no family.
    by_name = {str(key): family or "" for key, family in families.items()}
    return {
        key: {
            "sensitivity": _cents(aggregate.sensitivity[number]),
            "specificity": _cents(aggregate.specificity[number]),
            "votes": int(votes[number]),
            "family": by_name.get(key, ""),
        }
        for number, key in enumerate(auditors)
    }


def _thresholds(aggregate: Aggregate, ballots: Ballots, policy: Policy) -> dict[str, float]:
    """The pair of thresholds with the least cost on the campaign's gold; empty without gold of both kinds."""
    is_known = ballots.gold != UNKNOWN
    if len(np.unique(ballots.gold[is_known])) < 2:
        return {}  # without both kinds there is nothing to weigh a miss against a false alarm
    upper, lower = calibrate_thresholds(
        posterior=aggregate.posterior[is_known],
        truth=ballots.gold[is_known],
        miss=float(policy.cost_miss),
        false_alarm=float(policy.cost_false_alarm),
        review=float(policy.cost_review),
    )
    return {name: value for name, value in (("theta_pass", upper), ("theta_fail", lower)) if np.isfinite(value)}


def _cents(value: float) -> str:
    """Two decimal places within .01 to .99: a published skill is exact, and never makes a vote certain."""
    return str(Decimal(round(min(max(float(value), 0.01), 0.99), 2)).quantize(Decimal("0.01")))
