"""docs/guides/policy.md promises every parameter: each stands there by its name."""

import dataclasses

from auditing.core.policy.parameters import Policy, TierRules
from tests.house.test_documents import ROOT

IN_WORDS = {"name", "computer", "llm", "human", "routes", "domains"}  # what a policy consists of, told in sentences


def test_the_guide_names_every_parameter_of_a_policy():
    guide = (ROOT / "docs" / "guides" / "policy.md").read_text(encoding="utf-8")
    names = {field.name for rules in (Policy, TierRules) for field in dataclasses.fields(rules)} - IN_WORDS
    assert {name for name in names if f"`{name}" not in guide and f"{name}`" not in guide} == set()
