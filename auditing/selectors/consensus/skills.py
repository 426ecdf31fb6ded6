"""Auditors' skills when their votes are counted: from gold alone, or as learned from a campaign's votes.

Reads Vote, GoldTruth, GoldAnswer, SkillSnapshot, CollusionFlag, ReputationStep, FamilyMeasure, FollowMeasure.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import BooleanField, CharField, Count, F, QuerySet, Value

from accounts.prepared import Mark, PreparedQuery, PreparedRows, Written
from auditing.core.consensus.skills import Beta, GoldCounts, Skill, prior_skill, published_skill, shrunk_skill
from auditing.core.policy import ConsensusRule, Policy
from auditing.core.values import Choice, Tier
from auditing.models import Auditor, Campaign, CollusionFlag, GoldAnswer, Round, SkillSnapshot, Vote
from auditing.selectors.consensus.following import followed_by
from auditing.selectors.gold.truths import on_gold
from auditing.selectors.model_tier.endpoints import family_name
from auditing.selectors.model_tier.families import correlations_for
from auditing.selectors.points.reputations import published_reputations
from auditing.selectors.policy.versions import load_policy

LEARNED = (ConsensusRule.TWO_COIN_EM, ConsensusRule.DAWID_SKENE)
KNOWN_STAGES = ("settled", "recorded")  # gold speaks once its audit is over
WORDS = {
    ConsensusRule.QUORUM: "quorum (paper)",
    ConsensusRule.MAJORITY: "majority",
    ConsensusRule.REPUTATION: "reputation-weighted log-odds",
    ConsensusRule.TWO_COIN_GOLD: "two-coin log-odds, skills from gold alone",
    ConsensusRule.TWO_COIN_EM: "two-coin log-odds, skills by gold-initialised EM",
    ConsensusRule.DAWID_SKENE: "Dawid-Skene",
    ConsensusRule.AUTO: "auto",
}
NO_VOTES = GoldCounts(0, 0, 0, 0)


def skills_for(*, auditors: Iterable[Auditor], policy: Policy, round: Round | None = None) -> dict[str, Skill]:
    """Skill of each auditor by id, rounded as the ledger publishes it.

    Under the reputation rule a person's one number, as the eligible list states it, stands for both skills.
    From gold, shrunk cell (domain and level) -> domain -> auditor -> tier; where the campaign's newest snapshot took a
    rule that learns from all votes, its skills stand in place of those.
    """
    people = list(auditors)
    # 1. The paper's one number, for a policy that wants it.
    if policy.consensus is ConsensusRule.REPUTATION:
        believed = _from_reputation(people, policy)
    else:
        believed = _from_votes(people, policy, round)
    # 2. A person who follows a model carries how far, so that its answer does not count twice.
    for key, measure in followed_by(auditors=people, policy=policy).items():
        skill, share = believed[str(key)], Fraction(measure.following)
        believed[str(key)] = replace(skill, follows=measure.family, following=share)
    return believed


def _from_votes(people: list[Auditor], policy: Policy, round: Round | None) -> dict[str, Skill]:
    """Two skills: learned from all votes where a snapshot took such a rule, else from gold alone."""
    cell = (round.audit.trace.domain, round.segment.level) if round is not None else ("", "")
    counts = gold_counts(auditors=people, cell=cell)
    learned = learned_skills(campaign=round.audit.campaign_id, policy=policy) if round is not None else {}
    believed = {
        auditor: learned.get(str(auditor.pk)) or _from_gold(auditor, counts[auditor.pk], policy) for auditor in people
    }
    # Models carry how far errors of their family correlate, so that their votes do not count as independent.
    measured = correlations_for(auditors=people, policy=policy)
    return {
        str(auditor.pk): replace(skill, correlation=measured.get(skill.family)) if skill.family else skill
        for auditor, skill in believed.items()
    }


def gold_counts(*, auditors: Iterable[Auditor], cell: tuple[str, str]) -> dict[UUID, list[GoldCounts]]:
    """Votes on gold of each auditor: all, those of the domain, those of the domain and level."""
    keys = [auditor.pk for auditor in auditors]
    counts: dict[UUID, list[GoldCounts]] = {key: [NO_VOTES, NO_VOTES, NO_VOTES] for key in keys}
    for row in (_GoldVotes(*row) for row in _gold_votes.rows(auditors=keys)):
        belongs = (True, row.domain == cell[0], (row.domain, row.level) == cell)
        counts[row.auditor] = [
            _more(total, row) if is_inside else total
            for total, is_inside in zip(counts[row.auditor], belongs, strict=True)
        ]
    return counts


def learned_skills(*, campaign: UUID, policy: Policy) -> dict[str, Skill]:
    """The published skills of the campaign's newest snapshot, when its rule learns and the policy lets it."""
    if policy.consensus not in (*LEARNED, ConsensusRule.AUTO):
        return {}
    newest = newest_snapshot(campaign=campaign)
    if newest is None or newest.rule not in LEARNED:
        return {}
    return {key: _published(pair) for key, pair in newest.skills.items()}


def newest_snapshot(*, campaign: UUID) -> SkillSnapshot | None:
    """What was learned last for a campaign."""
    return _newest_snapshot.first(campaign=campaign)


@PreparedQuery
def _newest_snapshot(campaign: UUID) -> QuerySet[SkillSnapshot]:
    return SkillSnapshot.objects.filter(campaign=campaign).order_by("-id")[:1]


def collusion_is_flagged(*, campaign: Campaign) -> bool:
    """Whether an admin's last word is that auditors of the campaign collude."""
    newest = CollusionFlag.objects.filter(campaign=campaign).order_by("-id").first()
    return newest is not None and newest.is_set


@dataclass(frozen=True, slots=True)
class RuleInForce:
    """The rule that a policy names for a campaign, the one that it comes to now, and why."""

    named: str
    in_force: str
    why: str

    @property
    def is_auto(self) -> bool:
        """Whether the policy leaves the choice to the votes."""
        return self.named == WORDS[ConsensusRule.AUTO]


def rule_of(*, campaign: Campaign) -> RuleInForce:
    """The rule in force in a campaign, in the words of its page."""
    named = load_policy(version=campaign.policy, domain=campaign.domain).consensus
    newest = newest_snapshot(campaign=campaign.pk)
    if named is not ConsensusRule.AUTO:
        return RuleInForce(WORDS[named], WORDS[named], "The policy names it; nothing is compared.")
    if newest is None:
        why = "The rules were not compared for this campaign yet: that takes finished audits with votes of people."
        return RuleInForce(WORDS[named], WORDS[ConsensusRule.TWO_COIN_GOLD], why)
    return RuleInForce(WORDS[named], WORDS[ConsensusRule(newest.rule)], f"{newest.why[:1].upper()}{newest.why[1:]}.")


def snapshots(*, campaign: Campaign, limit: int = 50) -> list[SkillSnapshot]:
    """The newest comparisons of the rules, newest first, without the skills they published."""
    return list(SkillSnapshot.objects.filter(campaign=campaign).defer("skills").order_by("-id")[:limit])


def collusion_flags(*, campaign: Campaign, limit: int = 50) -> list[CollusionFlag]:
    """What admins said about collusion, newest first."""
    return list(CollusionFlag.objects.filter(campaign=campaign).select_related("author").order_by("-id")[:limit])


class _GoldVotes(NamedTuple):
    """How many votes of one auditor fell alike on gold of one sort."""

    choice: str
    auditor: UUID
    domain: str
    level: str
    truth: str
    votes: int


@PreparedRows
def _gold_votes() -> QuerySet[Any, Any]:
    """Counts of votes on gold in finished audits, and of first answers in calibration, which have no level."""
    # Asked at the closing and at the tally of every round: a join of eight tables takes longer to plan than to run.
    theirs, answered = (
        Written(f"{table}.auditor_id = ANY(%s)", [Mark("auditors")], output_field=BooleanField())
        for table in ("auditing_seat", "auditing_goldanswer")
    )
    votes = Vote.objects.filter(on_gold(), theirs, seat__round__audit__stage__in=KNOWN_STAGES).exclude(
        choice=Choice.ABSTAIN
    )
    named = votes.values(
        "choice",
        auditor=F("seat__auditor"),
        domain=F("seat__round__audit__trace__domain"),
        level=F("seat__round__segment__level"),
        truth=F("seat__round__segment__gold_truth__truth"),
    )
    # After the first attempt the truths were shown: later answers measure memory.
    answers = GoldAnswer.objects.filter(answered, attempt=1, gold__is_overturned=False).exclude(choice=Choice.ABSTAIN)
    calibration = answers.values(
        "choice", "auditor", domain=F("gold__domain"), level=Value("", CharField()), truth=F("gold__truth")
    )
    counted = [rows.annotate(votes=Count("pk")).order_by() for rows in (named, calibration)]
    return counted[0].union(counted[1], all=True).values_list(*_GoldVotes._fields)


def _more(counts: GoldCounts, row: _GoldVotes) -> GoldCounts:
    """`counts` with one more row of votes on gold."""
    number, right = row.votes, row.votes if row.choice == row.truth else 0
    if row.truth == Choice.PASS:
        return GoldCounts(counts.valid + number, counts.valid_passed + right, counts.wrong, counts.wrong_failed)
    return GoldCounts(counts.valid, counts.valid_passed, counts.wrong + number, counts.wrong_failed + right)


def _from_gold(auditor: Auditor, counts: list[GoldCounts], policy: Policy) -> Skill:
    skill = shrunk_skill(counts=counts, policy=policy, tier=Tier(auditor.tier), family=_family(auditor))
    return published_skill(skill=skill)


def _from_reputation(people: list[Auditor], policy: Policy) -> dict[str, Skill]:
    """One number for both skills, as the paper has it; models and checkers have none and stand at their prior."""
    reputations = published_reputations(auditors=people, policy=policy)
    skills = {}
    for auditor in people:
        skill = prior_skill(policy=policy, tier=Tier(auditor.tier), family=_family(auditor))
        if Tier(auditor.tier) is Tier.HUMAN:
            right, strength = Fraction(reputations[auditor.pk].value), skill.sensitivity.strength
            both = Beta(right * strength, (1 - right) * strength)
            skill = Skill(both, both)
        skills[str(auditor.pk)] = published_skill(skill=skill)
    return skills


def _published(pair: dict[str, Any]) -> Skill:
    """A learned skill: means as published, as sure as the votes behind them."""
    strength = Fraction(max(2, int(pair["votes"])))
    betas = [
        Beta(Fraction(pair[name]) * strength, (1 - Fraction(pair[name])) * strength)
        for name in ("sensitivity", "specificity")
    ]
    return Skill(betas[0], betas[1], str(pair.get("family", "")))


def _family(auditor: Auditor) -> str:
    return family_name(auditor.endpoint) if auditor.endpoint is not None else ""
