"""Policy: a numbered, immutable set of parameters under which a trace is audited."""

from auditing.core.policy.checks import check_policy
from auditing.core.policy.parameters import (
    NOT_IN_EFFECT,
    ConsensusRule,
    DomainOverride,
    Escalation,
    Followers,
    Grain,
    Openings,
    Order,
    Policy,
    RoutedBy,
    RouteRow,
    SlashBasis,
    TierRules,
    TraceRule,
)
from auditing.core.policy.presets import DEFAULT, FAST, PAPER, PRESETS, PRIVATE, STRICT
from auditing.core.policy.text import changes, digest, for_domain, from_json, to_json, to_plain

__all__ = [
    "DEFAULT",
    "FAST",
    "NOT_IN_EFFECT",
    "PAPER",
    "PRESETS",
    "PRIVATE",
    "STRICT",
    "ConsensusRule",
    "DomainOverride",
    "Escalation",
    "Followers",
    "Grain",
    "Openings",
    "Order",
    "Policy",
    "RouteRow",
    "RoutedBy",
    "SlashBasis",
    "TierRules",
    "TraceRule",
    "changes",
    "check_policy",
    "digest",
    "for_domain",
    "from_json",
    "to_json",
    "to_plain",
]
