"""What is in effect is what is shown: the policy page pays with the gold there is, and reddens the rest."""

import pytest
from django.test import Client

from auditing.core.policy import FAST
from auditing.models import GoldTruth, PolicyVersion, Round
from auditing.research.policy_lab.selectors.gold import gold_in_effect
from tests.factories.worlds import World, make_user

pytestmark = pytest.mark.django_db
WARNING = "assumes gold that does not exist"


def page_of(number: int) -> str:
    client = Client()
    client.force_login(make_user("boss@example.org", "admin"), backend="django.contrib.auth.backends.ModelBackend")
    return client.get(f"/policies/{number}").content.decode()


def test_without_gold_the_plan_is_red_and_a_weak_reviewer_is_seen_to_earn_less_than_a_stamper(
    waiting_hens: World,
) -> None:
    number = PolicyVersion.objects.get().number
    gold = gold_in_effect(policy=FAST, number=number)
    pay = {row.name: row for row in gold.payoffs}
    assert gold.is_short
    assert pay["rubber-stamper"].in_effect > pay["guesser"].in_effect > 0
    assert gold.overtakes == pytest.approx(0.8)  # as often as what he passes is right
    assert pay["honest"].in_effect - pay["rubber-stamper"].in_effect < 1 < pay["honest"].planned - 2
    assert pay["honest"].planned > pay["rubber-stamper"].planned > 0 > pay["guesser"].planned
    page = page_of(number)
    assert WARNING in page
    assert "0.0 % gold" in page


def test_with_the_gold_that_the_policy_plans_both_columns_are_one(waiting_hens: World) -> None:
    rounds = list(Round.objects.filter(tier="human"))
    for round in rounds:
        GoldTruth.objects.create(segment_id=round.segment_id, truth="pass", source="test")
    gold = gold_in_effect(policy=FAST, number=PolicyVersion.objects.get().number)
    assert (gold.placed.ordinary, gold.placed.gold) == (0, sum(round.k for round in rounds))
    assert not gold.is_short
    assert WARNING not in page_of(PolicyVersion.objects.get().number)
