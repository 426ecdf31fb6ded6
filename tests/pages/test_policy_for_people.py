"""The policy lab for people: six questions, eight sliders, red dials, and two versions side by side."""

import itertools
import re
from dataclasses import replace
from decimal import Decimal
from enum import StrEnum
from typing import get_type_hints

import pytest
from django.test import Client

from auditing.core.policy import DEFAULT, FAST, PAPER, STRICT, Policy
from auditing.core.policy.checks import check_policy
from auditing.core.values import Complexity
from auditing.research.policy_lab.core.questions import QUESTIONS, propose
from auditing.research.policy_lab.selectors.lab import DEFAULT_MIX, examine
from auditing.research.policy_lab.selectors.words import CHOICES
from auditing.research.policy_lab.services import publish_policy
from auditing.research.policy_lab.views.sliders import SLIDERS, LabForm
from tests.factories.worlds import World
from tests.pages.test_corridor_pages import signed_in

ANSWERS = {name: [answer for answer, _ in answers] for name, _, answers in QUESTIONS}


def red(policy: Policy) -> list[str]:
    return [dial.says for dial in examine(policy=policy, counts=DEFAULT_MIX, wrong=1).red]


def test_every_answer_leads_to_a_policy_that_can_be_used() -> None:
    for combination in itertools.product(*ANSWERS.values()):
        proposal = propose(answers=dict(zip(ANSWERS, combination, strict=True)))
        check_policy(policy=proposal.policy)
        assert proposal.reasons


def test_answers_decide_what_they_are_about() -> None:
    assert propose(answers={"stakes": "high"}).policy.human.k == STRICT.human.k
    assert propose(answers={"people": "few", "stakes": "high"}).policy.human.k == 3
    assert propose(answers={"privacy": "little"}).policy.disclosure_share == Decimal("0.3")
    assert propose(answers={"speed": "hours"}).policy.human.commit_seconds == 4 * 3600
    assert propose(answers={"budget": "large", "stakes": "high"}).policy.human.k == STRICT.human.k + 2
    assert propose(answers={"stakes": "nonsense"}).policy.trace_rule == DEFAULT.trace_rule


@pytest.mark.parametrize(
    ("policy", "says"),
    [
        (PAPER, "Stamping pays more than honesty"),
        (PAPER, "A coin gains"),
        (replace(STRICT, human=replace(STRICT.human, k=6)), "Even seats of people"),
        (FAST, "A wrong passage passes too often before people"),
    ],
)
def test_what_goes_wrong_stands_in_the_red(policy: Policy, says: str) -> None:
    assert says in red(policy)


def test_the_presets_that_are_recommended_have_no_red_dial() -> None:
    assert red(DEFAULT) == red(STRICT) == red(propose(answers={}).policy) == []


def test_eight_sliders_and_no_parameter_stands_twice_or_is_missing() -> None:
    form = LabForm(base=DEFAULT)
    names = [bound.name for bound, _ in form.sliders]
    names += [bound.name for _, bounds in form.tier_rows for bound in bounds if bound]
    names += [bound.name for _, bounds in form.groups for bound in bounds]
    assert len(SLIDERS) == 8
    apart = {"name", "domains"} | {name for name in form.fields if name.startswith(("routes", "mix"))}
    assert sorted(names) == sorted(set(form.fields) - apart)


def test_a_value_between_two_steps_is_no_slider_for_a_browser_would_move_it() -> None:
    odd = LabForm(base=replace(DEFAULT, disclosure_share=Decimal("0.333")))
    assert 'type="range"' not in str(odd["disclosure_share"])
    assert 'type="range"' in str(LabForm(base=DEFAULT)["disclosure_share"])


@pytest.fixture
def admin(idle_hens: World) -> Client:
    return signed_in(idle_hens.campaign.owner)


@pytest.mark.django_db
def test_answers_are_proposed_then_edited_from(admin: Client) -> None:
    page = admin.get("/policies/questions", {"answered": "1", "stakes": "high"})
    assert "Strict, as answered" in page.content.decode()
    lab = admin.get("/policies/new", {"answered": "1", "stakes": "high"})
    assert lab.context["form"]["human.k"].value() == 7
    assert admin.get("/policies/questions").context["proposal"] is None


@pytest.mark.django_db
def test_two_versions_stand_side_by_side_with_what_they_do(admin: Client, idle_hens: World) -> None:
    second = publish_policy(policy=PAPER, author=idle_hens.campaign.owner)
    body = " ".join(admin.get(f"/policies/{second.number}", {"against": "1"}).content.decode().split())
    assert "Consequences side by side" in body
    assert "Stamping pays more than honesty" in body


@pytest.mark.django_db
def test_up_to_four_versions_stand_side_by_side(admin: Client, idle_hens: World) -> None:
    for policy in (PAPER, FAST, replace(PAPER, stake=PAPER.stake + 1), replace(PAPER, stake=PAPER.stake + 2)):
        publish_policy(policy=policy, author=idle_hens.campaign.owner)
    page = admin.get("/policies/2", {"against": ["5", "1", "3", "4", "x", "99"]})
    assert [one["version"].number for one in page.context["columns"]] == [2, 1, 3, 5]
    heads = re.findall(r'class="num">Policy (\d+)<', page.content.decode())
    assert heads == ["2", "1", "3", "5"]
    assert [one["changes"] == [] for one in page.context["others"]] == [False, False, False]
    assert page.content.decode().count("Difference to policy") == 3
    assert [one["version"].number for one in admin.get("/policies/2", {"against": "2"}).context["columns"]] == [2]


def test_every_choice_of_a_parameter_is_told_in_words() -> None:
    kinds = {name: kind for name, kind in get_type_hints(Policy).items() if isinstance(kind, type)}
    choices = {name: set(kind) for name, kind in kinds.items() if issubclass(kind, StrEnum) and kind is not Complexity}
    assert {name: set(CHOICES.get(name, {})) for name in choices} == choices
