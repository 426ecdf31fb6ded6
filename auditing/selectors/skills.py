"""What is believed of auditors when their votes are counted: from gold alone, or as learned for the campaign."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any
from uuid import UUID

from django.db.models import Count, F

from auditing.core.policy import ConsensusRule, Policy
from auditing.core.skills import Beta, GoldCounts, Skill, published_skill, shrunk_skill
from auditing.core.values import Choice, Tier
from auditing.models import Auditor, Campaign, CollusionFlag, GoldAnswer, Round, SkillSnapshot, Vote
from auditing.selectors.endpoints import family_name
from auditing.selectors.families import correlations_for

LEARNED = (ConsensusRule.TWO_COIN_EM, ConsensusRule.DAWID_SKENE)
KNOWN_STAGES = ("settled", "recorded")  # gold speaks once its audit is over
NONE = GoldCounts(0, 0, 0, 0)


def skills_for(*, auditors: Iterable[Auditor], policy: Policy, round: Round | None = None) -> dict[str, Skill]:
    """Skill of each auditor by id, rounded as the ledger publishes it.

    From gold, shrunk cell (domain and level) -> domain -> auditor -> tier; where the campaign's newest snapshot took a
    rule that learns from all votes, its skills stand in place of those.
    """
    people = list(auditors)
    place = (round.audit.trace.domain, round.segment.level) if round is not None else ("", "")
    counts = gold_counts(auditors=people, place=place)
    learned = learned_skills(campaign=round.audit.campaign_id, policy=policy) if round is not None else {}
    believed = {one: learned.get(str(one.pk)) or _from_gold(one, counts[one.pk], policy) for one in people}
    measured = correlations_for(auditors=people, policy=policy)
    return {
        str(one.pk): replace(skill, correlation=measured.get(skill.family)) if skill.family else skill
        for one, skill in believed.items()
    }


def gold_counts(*, auditors: Iterable[Auditor], place: tuple[str, str]) -> dict[UUID, list[GoldCounts]]:
    """Votes on gold of each auditor: all, those of the domain, those of the domain and level."""
    keys = [one.pk for one in auditors]
    found: dict[UUID, list[GoldCounts]] = {key: [NONE, NONE, NONE] for key in keys}
    for row in _gold_votes(keys):
        inside = (True, row["domain"] == place[0], (row["domain"], row["level"]) == place)
        found[row["auditor"]] = [
            _more(count, row) if part else count for count, part in zip(found[row["auditor"]], inside, strict=True)
        ]
    return found


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
    return SkillSnapshot.objects.filter(campaign=campaign).order_by("-id").first()


def collusion_is_flagged(*, campaign: Campaign) -> bool:
    """Whether an admin's last word is that auditors of the campaign collude."""
    newest = CollusionFlag.objects.filter(campaign=campaign).order_by("-id").first()
    return newest is not None and newest.is_set


def _gold_votes(keys: list[UUID]) -> Iterator[Any]:
    """Counts of votes on gold in finished audits, and of first answers in calibration, which have no level."""
    votes = Vote.objects.filter(
        seat__auditor__in=keys, seat__round__segment__gold_truth__isnull=False,
        seat__round__audit__stage__in=KNOWN_STAGES,
    ).exclude(choice=Choice.ABSTAIN)  # fmt: skip
    named = votes.values(
        "choice", auditor=F("seat__auditor"), domain=F("seat__round__audit__trace__domain"),
        level=F("seat__round__segment__level"), truth=F("seat__round__segment__gold_truth__truth"),
    )  # fmt: skip
    yield from named.annotate(count=Count("pk")).order_by()
    answers = GoldAnswer.objects.filter(auditor__in=keys, attempt=1).exclude(choice=Choice.ABSTAIN)
    calibration = answers.values("choice", "auditor", domain=F("gold__domain"), truth=F("gold__truth"))
    for row in calibration.annotate(count=Count("pk")).order_by():
        yield {**row, "level": ""}


def _more(counts: GoldCounts, row: dict[str, Any]) -> GoldCounts:
    """`counts` with one more row of votes on gold."""
    number, right = row["count"], row["count"] if row["choice"] == row["truth"] else 0
    if row["truth"] == Choice.PASS:
        return GoldCounts(counts.valid + number, counts.valid_passed + right, counts.wrong, counts.wrong_failed)
    return GoldCounts(counts.valid, counts.valid_passed, counts.wrong + number, counts.wrong_failed + right)


def _from_gold(auditor: Auditor, counts: list[GoldCounts], policy: Policy) -> Skill:
    skill = shrunk_skill(counts=counts, policy=policy, tier=Tier(auditor.tier), family=_family(auditor))
    return published_skill(skill=skill)


def _published(pair: dict[str, Any]) -> Skill:
    """A learned skill: means as published, as sure as the votes behind them."""
    strength = Fraction(max(2, int(pair["votes"])))
    betas = [Beta(Fraction(pair[name]) * strength, (1 - Fraction(pair[name])) * strength)
             for name in ("sensitivity", "specificity")]  # fmt: skip
    return Skill(betas[0], betas[1], str(pair.get("family", "")))


def _family(auditor: Auditor) -> str:
    return family_name(auditor.endpoint) if auditor.endpoint is not None else ""
