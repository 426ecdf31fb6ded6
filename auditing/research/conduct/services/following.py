"""Who follows a model is learned every night from finished audits; it counts from the next closing of a round on.

Reads Vote, GoldTruth, SegmentOutcome, FollowMeasure; writes FollowMeasure, Auditor.
"""

from collections import defaultdict
from decimal import Decimal
from fractions import Fraction
from uuid import UUID

from django.db import transaction

from auditing.core.consensus.followers import LEAST_SHARED, following
from auditing.core.consensus.skills import prior_skill, shrunk_skill
from auditing.core.policy import Policy
from auditing.core.values import Choice, Tier
from auditing.models import Auditor, FollowMeasure
from auditing.research.conduct.selectors.following import Beside, Ended, votes_beside_models
from auditing.selectors.consensus.skills import gold_counts
from auditing.selectors.policy.versions import latest_policy, load_policy

BELIEVED_SEGMENTS = 10


def learn_followers(*, least: int = LEAST_SHARED) -> int:
    """Measure everybody who voted beside a model, by the newest policy; returns how many follow one now."""
    version = latest_policy()
    if version is None:
        return 0
    policy = load_policy(version=version)
    beside: dict[UUID, dict[str, Beside]] = defaultdict(dict)
    votes = votes_beside_models()
    for (auditor, family), row in votes.beside.items():
        beside[auditor][family] = row
    valid = {family: _valid_in_the_end(counts, policy) for family, counts in votes.ended.items()}
    strongest = {}
    for person in Auditor.objects.filter(pk__in=list(beside)).order_by("pk"):
        shares = _shares(person, beside[person.pk], valid, policy, least)
        if shares:
            # Whoever seems to follow two is counted with the one that explains more; of equals, by name.
            strongest[person] = max(sorted(shares), key=lambda family: shares[family])
            _keep(person, strongest[person], shares[strongest[person]], beside[person.pk][strongest[person]])
    kept = [person.pk for person in strongest]
    Auditor.objects.filter(followed__isnull=False).exclude(pk__in=kept).update(followed=None)
    return len(kept)


def _shares(
    person: Auditor, beside: dict[str, Beside], valid: dict[str, dict[Choice, float]], policy: Policy, least: int
) -> dict[str, Decimal]:
    """Family -> how far the person follows it, where that is beyond chance."""
    counts = gold_counts(auditors=[person], cell=("", ""))[person.pk][:1]
    skill = shrunk_skill(counts=counts, policy=policy, tier=Tier.HUMAN)
    shares = {}
    for family, row in beside.items():
        share = following(shared=row.shared, skill=skill, valid=valid[family], families=len(beside), least=least)
        if share is not None:
            shares[family] = Decimal(share.numerator) / Decimal(share.denominator)
    return shares


def _valid_in_the_end(counts: Ended, policy: Policy) -> dict[Choice, float]:
    """Word of a family -> share of what it so judged that passed in the end, from the priors' as if of ten segments."""
    model, base = prior_skill(policy=policy, tier=Tier.LLM), Fraction(policy.base_rate)
    valid = {}
    for word, (passed, total) in counts.items():
        if_valid, if_wrong = model.likelihoods(choice=word)
        believed = base * if_valid / (base * if_valid + (1 - base) * if_wrong)
        valid[word] = float((passed + BELIEVED_SEGMENTS * believed) / (total + BELIEVED_SEGMENTS))
    return valid


def _keep(person: Auditor, family: str, share: Decimal, row: Beside) -> None:
    """A new row where something changed: what weighed last week is found again as it was."""
    shared = row.shared
    values = {
        "family": family,
        "following": share,
        "shared": shared.total,
        "alike": shared.passed_alike + shared.failed_alike,
        "audits": sorted(row.audits),
    }
    with transaction.atomic():
        now = person.followed_id
        if now is None or not FollowMeasure.objects.filter(pk=now, **values).exists():
            measure = FollowMeasure.objects.create(auditor=person, **values)
            Auditor.objects.filter(pk=person.pk).update(followed=measure)
