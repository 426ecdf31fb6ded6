"""Policies of tests that no preset is: what the default was before it planned waves."""

from dataclasses import replace
from decimal import Decimal

from auditing.core.policy import DEFAULT, TraceRule

# A fixed round of five, hung ones to an adjudicator, at the costs that went with it: strict and fast still work so.
ROUNDS = replace(
    DEFAULT,
    name="rounds",
    planner=False,
    trace_rule=TraceRule.NOISY_AND,
    cost_miss=Decimal(10),
    cost_false_alarm=Decimal(4),
    domains=(),
)
