"""Policies: every bad value is refused by name, every good one survives a round trip through JSON."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from auditing.core.errors import BadPolicyError
from auditing.core.policy import (
    DEFAULT,
    PRESETS,
    ConsensusRule,
    Grain,
    Order,
    Policy,
    TraceRule,
    changes,
    digest,
    for_domain,
    from_json,
    to_json,
)
from tests.factories.policies import ROUNDS

BAD = [
    ("cap", 0),
    ("model_fail_share", "0.2"),
    ("model_fail_share", "-0.1"),
    ("gold_emphasis", 9),
    ("trace_price", -1),
    ("ticket_stake", -1),
    ("notice_days", 366),
    ("notice_days", -1),
    ("repeat_share", "0.6"),
    ("repeat_after_hours", -1),
    ("followers", "half"),
    ("gold_emphasis", -1),
    ("newcomer_gold", 1001),
    ("cap", 102),
    ("first_seats", 0),
    ("wave_seats", "3"),
    ("passage_least", 0),
    ("passage_most", 99),
    ("passage_most", 10_001),
    ("one_unit_below", -1),
    ("human.tau", "0"),
    ("human.tau", "0.4"),
    ("human.tau_fail", "1.1"),
    ("human.k", 0),
    ("human.k", True),
    ("llm.turnout", "0"),
    ("beta", "1.5"),
    ("beta", "0"),
    ("slash_min", "0.7"),
    ("reward", -1),
    ("penalty", -8),
    ("gamma", "0"),
    ("base_rate", "1"),
    ("theta_pass", "0.4"),
    ("theta_fail", "0.6"),
    ("disclosure_share", "0"),
    ("no_show_penalty", 7),
    ("human.commit_seconds", 0),
    ("consensus", "dictator"),
    ("beta", "NaN"),
    ("beta", 0.5),
    ("beta", "much"),
    ("human.weight", "0"),
    ("cost_review", "20"),
    ("honeypot_multiplier", 0),
    ("name", ""),
    ("max_redraws", -1),
    ("suspend_below", "0.9"),
    ("computer", 3),
    ("adjudicator_error", "0"),
    ("adjudicator_error", "0.11"),
    ("adjudicator_error", "0.5"),
    ("racing", "yes"),
    ("beta", "0." + "1" * 13),
]


def changed(path: str, value: object) -> dict[str, object]:
    values = to_json(policy=DEFAULT)
    *parents, last = path.split(".")
    target = values
    for parent in parents:
        target = target[parent]
    target[last] = value
    return values


@pytest.mark.parametrize(("field", "value"), BAD)
def test_a_bad_value_is_refused_and_the_field_is_named(field: str, value: object) -> None:
    with pytest.raises(BadPolicyError) as caught:
        from_json(values=changed(field, value))
    assert caught.value.field == field


@pytest.mark.parametrize("policy", PRESETS.values(), ids=PRESETS)
def test_a_preset_is_valid_and_survives_json(policy: Policy) -> None:
    assert from_json(values=to_json(policy=policy)) == policy


def test_default_and_private_ask_in_waves_and_no_other_preset() -> None:
    assert [name for name, policy in PRESETS.items() if policy.planner] == ["default", "private"]


def test_every_preset_but_the_papers_judges_passages() -> None:
    assert {name: policy.grain for name, policy in PRESETS.items() if policy.grain is not Grain.PASSAGE} == {
        "paper example": Grain.SEGMENT
    }


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("planner", {"trace_rule": TraceRule.NOISY_AND}),
        ("planner", {"consensus": ConsensusRule.QUORUM}),
        ("planner", {"order": Order.PREMISES_FIRST}),
        ("first_seats", {"first_seats": 14}),
        ("human.error", {"human": replace(DEFAULT.human, error=Decimal("0.5"))}),
    ],
)
def test_a_planner_that_cannot_decide_is_refused(field: str, change: dict[str, Any]) -> None:
    DEFAULT.validate()
    with pytest.raises(BadPolicyError, match=field):
        replace(DEFAULT, **change).validate()


def test_a_passage_has_a_least_size_under_its_greatest() -> None:
    replace(DEFAULT, passage_least=900).validate()
    with pytest.raises(BadPolicyError, match="passage_least"):
        replace(DEFAULT, passage_least=901).validate()


def test_a_version_that_names_no_grain_keeps_segments_and_its_digest() -> None:
    older = replace(DEFAULT, grain=Grain.SEGMENT, neighbours=False, planner=False)
    values = to_json(policy=older)
    assert not {"grain", "neighbours", "planner", "first_seats", "wave_seats", "cap", "passage_most"} & values.keys()
    assert from_json(values=values) == older


@pytest.mark.parametrize(
    ("field", "what"), [("reward", "a whole number"), ("planner", "true or false"), ("name", "text")]
)
def test_what_a_field_takes_is_said_in_words(field: str, what: str) -> None:
    with pytest.raises(BadPolicyError, match=f"{field}: must be {what}$"):
        from_json(values=to_json(policy=DEFAULT) | {field: 1.5})


def test_an_unknown_and_a_missing_field_are_named() -> None:
    values = to_json(policy=DEFAULT)
    with pytest.raises(BadPolicyError, match="surprise"):
        from_json(values=values | {"surprise": 1})
    del values["beta"]
    with pytest.raises(BadPolicyError, match="beta: is missing"):
        from_json(values=values)


def test_a_version_from_before_a_parameter_existed_reads_as_its_default() -> None:
    values = to_json(policy=DEFAULT)
    del values["adjudicator_error"]
    assert from_json(values=values) == DEFAULT


def test_the_digest_follows_the_values_and_not_how_they_are_written() -> None:
    assert digest(policy=replace(DEFAULT, beta=Decimal("0.70"))) == digest(policy=DEFAULT)
    assert digest(policy=replace(DEFAULT, beta=Decimal("0.71"))) != digest(policy=DEFAULT)


def test_a_domain_changes_only_what_it_names() -> None:
    medicine = for_domain(policy=DEFAULT, domain="medicine")
    assert medicine.cost_miss == 50
    assert set(changes(before=replace(DEFAULT, domains=()), after=medicine)) == {
        "theta_pass",
        "theta_fail",
        "cost_miss",
    }
    assert for_domain(policy=DEFAULT, domain="poetry") is DEFAULT


def test_a_domain_that_names_no_field_is_refused() -> None:
    values = to_json(policy=DEFAULT)
    values["domains"] = [{"domain": "law", "changes": [["human.kay", 7]]}]
    with pytest.raises(BadPolicyError, match=r"domains.law.human.kay"):
        from_json(values=values)


def test_the_last_route_must_match_everything() -> None:
    with pytest.raises(BadPolicyError, match="routes"):
        replace(DEFAULT, routes=DEFAULT.routes[:3]).validate()


def test_trace_thresholds_follow_from_the_costs() -> None:
    thirtieth = Decimal("0." + "0" + 27 * "3")  # 28 digits, as every verifier computes it
    assert (DEFAULT.trace_theta_pass, DEFAULT.trace_theta_fail) == (1 - thirtieth, Decimal("0.05"))  # 1/30, 1/20
    assert (ROUNDS.trace_theta_pass, ROUNDS.trace_theta_fail) == (Decimal("0.9"), Decimal("0.25"))  # 1/10, 1/4
