"""Guides that promise a list or a limit: what they say is what the code says."""

import dataclasses
import re

from django.conf import settings

from auditing.checker.registry import CHECKERS
from auditing.core.ledger.leaves import TYPES
from auditing.core.policy.parameters import Policy, TierRules
from auditing.research.studies.instruments.runner import find_studies
from tests.house.test_documents import ROOT

IN_WORDS = {"name", "computer", "llm", "human", "routes", "domains"}  # what a policy consists of, told in sentences


def test_the_policy_guide_names_every_parameter_of_a_policy():
    guide = (ROOT / "docs" / "guides" / "policy.md").read_text(encoding="utf-8")
    names = {field.name for rules in (Policy, TierRules) for field in dataclasses.fields(rules)} - IN_WORDS
    assert {name for name in names if f"`{name}" not in guide and f"{name}`" not in guide} == set()


def test_the_api_guide_says_the_limits_in_effect():
    guide = (ROOT / "docs" / "guides" / "api.md").read_text(encoding="utf-8")
    line = next(line for line in guide.splitlines() if line.startswith("A person is answered"))
    rates = settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"]
    in_effect = [int(rates[name].removesuffix("/min")) for name in ("user", "commitments", "anon")]
    assert [int(number) for number in re.findall(r"\b\d+\b", line)] == in_effect


def test_the_guide_of_the_computer_tier_has_a_row_for_every_check():
    guide = (ROOT / "docs" / "guides" / "computer-tier.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([a-z ]+?)(?:, again| \(.*\))? \|", guide, re.MULTILINE)
    assert {checker.name for checker in CHECKERS} - set(rows) == set()


def test_the_guide_of_the_computer_tier_names_the_checks_that_decide_nothing():
    guide = (ROOT / "docs" / "guides" / "computer-tier.md").read_text(encoding="utf-8")
    told = re.search(r"These checks decide nothing yet: (.*?)\.$", guide, re.MULTILINE)
    assert told is not None
    assert sorted(told[1].split(", ")) == sorted(checker.name for checker in CHECKERS if not checker.decides)


def test_the_guide_for_researchers_names_every_study_with_its_options():
    guide = (ROOT / "docs" / "guides" / "research.md").read_text(encoding="utf-8")
    table = guide[guide.index("| study | question | options |") :].split("\n\n")[0]
    rows = [re.split(r" *\| *", row.strip("| ")) for row in table.splitlines()[2:]]
    told = {row[0]: set(re.findall(r"\w+", re.sub(r"\(.*?\)", "", "".join(row[2:])))) for row in rows}
    assert told == {study.name: set(study.options) for study in find_studies().values()}


def test_the_guide_of_the_ledger_says_of_every_leaf_when_it_is_written():
    guide = (ROOT / "docs" / "guides" / "ledger.md").read_text(encoding="utf-8")
    table = guide[guide.index("| leaf | when |") :].split("\n\n")[0]
    told = {name for row in table.splitlines()[2:] for name in re.findall(r"`([a-z.]+)`", row.split("|")[1])}
    assert told == set(TYPES)
