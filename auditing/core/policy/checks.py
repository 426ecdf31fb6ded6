"""The ranges of a policy's parameters and the conditions between them, field by field.

The database repeats them (0002_guards, a_policy_is_usable).
"""

from decimal import Decimal
from typing import TYPE_CHECKING

from auditing.core.errors import BadPolicyError
from auditing.core.seating.sortition import LARGEST_WEIGHT
from auditing.core.values import Complexity, Level, Tier

if TYPE_CHECKING:
    from auditing.core.policy.parameters import Policy, RouteRow, TierRules

LARGEST = 10**9  # points and seconds stay exact in JSON and in a 64-bit column
MOST_SEATS = 101
MOST_NOTICE = 365  # days
HALF, ZERO, ONE = Decimal("0.5"), Decimal(0), Decimal(1)

# field, least, greatest, least allowed, greatest allowed
_SHARES: tuple[tuple[str, Decimal, Decimal, bool, bool], ...] = (
    ("base_rate", ZERO, ONE, False, False),
    ("theta_pass", HALF, ONE, True, False),
    ("theta_fail", ZERO, HALF, False, True),
    ("family_correlation", ZERO, ONE, True, True),
    ("beta", ZERO, ONE, False, True),
    ("trace_base_rate", ZERO, ONE, False, False),
    ("slash_min", ZERO, ONE, False, True),
    ("slash_max", ZERO, ONE, False, True),
    ("gamma", ZERO, ONE, False, True),
    ("honeypot_share", ZERO, HALF, True, True),
    ("model_fail_share", ZERO, HALF, True, True),
    ("sample_share", ZERO, ONE, True, True),
    ("repeat_share", ZERO, HALF, True, True),
    ("suspend_below", ZERO, ONE, True, True),
    ("return_above", ZERO, ONE, True, True),
    ("initial_reputation", ZERO, ONE, True, True),
    ("delta", ZERO, ONE, False, False),
    ("epsilon_target", ZERO, ONE, False, False),
    ("disclosure_share", ZERO, ONE, False, True),
    ("adjudicator_error", ZERO, HALF, False, False),
)
_TIER_SHARES: tuple[tuple[str, Decimal, Decimal, bool, bool], ...] = (
    ("tau", HALF, ONE, True, True),
    ("tau_fail", HALF, ONE, True, True),
    ("turnout", ZERO, ONE, False, True),
    ("error", ZERO, ONE, True, False),
    ("malicious", ZERO, ONE, True, False),
)
_COUNTS: tuple[tuple[str, int], ...] = (
    ("reward", 0),
    ("penalty", 0),
    ("stake", 0),
    ("trace_price", 0),
    ("ticket_stake", 0),
    ("no_show_penalty", 0),
    ("agreement_bonus", 0),
    ("honeypot_multiplier", 1),
    ("no_show_limit", 1),
    ("no_show_days", 1),
    ("max_redraws", 0),
    ("segments_per_hour", 1),
    ("traces_per_hour", 1),
    ("horizon_hours", 1),
    ("short_trace_characters", 0),
    ("batch_size", 1),
    ("batch_providers", 1),
    ("batch_minutes", 0),
    ("appeal_seconds", 0),
    ("adjudication_seconds", 1),
)


# Characters. A form longer than four pages is no single reading.
_SIZES = (("passage_least", 1, 10_000), ("passage_most", 100, 10_000), ("one_unit_below", 0, 10_000))


def check_policy(*, policy: "Policy") -> None:
    """Raise BadPolicyError, naming the field and its range, unless every parameter can be used."""
    if not policy.name.strip() or len(policy.name) > 100:
        raise BadPolicyError("name", "must have 1 to 100 characters")
    for tier in Tier:
        _check_tier(tier, policy.tier(tier))
    for name, least, greatest, closed, closed_above in _SHARES:
        _check_share(name, getattr(policy, name), (least, greatest), (closed, closed_above))
    for name, smallest in _COUNTS:
        _check_count(name, getattr(policy, name), smallest)
    _check_sizes(policy)
    _check_pairs(policy)
    _check_gold(policy)
    _check_stakes(policy)
    _check_planner(policy)
    _check_routes(policy.routes)
    _check_domains(policy)


def _check_tier(tier: Tier, rules: "TierRules") -> None:
    _check_count(f"{tier}.k", rules.k, 1, MOST_SEATS)
    for name in ("commit_seconds", "reveal_seconds"):
        _check_count(f"{tier}.{name}", getattr(rules, name), 1)
    _check_count(f"{tier}.price", rules.price, 0)
    _check_count(f"{tier}.crowded_from", rules.crowded_from, 0)
    for name, least, greatest, closed, closed_above in _TIER_SHARES:
        _check_share(f"{tier}.{name}", getattr(rules, name), (least, greatest), (closed, closed_above))
    for name in ("weight", "prior_right", "prior_wrong"):
        _check_positive(f"{tier}.{name}", getattr(rules, name))


def _check_share(field: str, value: object, span: tuple[Decimal, Decimal], closed: tuple[bool, bool]) -> None:
    """Open or closed interval, as `closed` says for each end; in words, for whoever reads no brackets."""
    if not isinstance(value, Decimal) or not value.is_finite():
        raise BadPolicyError(field, "must be a decimal number")
    above = value >= span[0] if closed[0] else value > span[0]
    below = value <= span[1] if closed[1] else value < span[1]
    if not (above and below):
        lowest, highest = "at least" if closed[0] else "more than", "at most" if closed[1] else "less than"
        raise BadPolicyError(field, f"must be {lowest} {span[0]} and {highest} {span[1]}, not {value}")


def _check_positive(field: str, value: object) -> None:
    if not isinstance(value, Decimal) or not value.is_finite() or not 0 < value <= LARGEST:
        raise BadPolicyError(field, f"must be a positive decimal number, not {value}")


def _check_count(field: str, value: object, smallest: int, greatest: int = LARGEST) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not smallest <= value <= greatest:
        raise BadPolicyError(field, f"must be a whole number from {smallest} to {greatest}, not {value}")


def _check_pairs(policy: "Policy") -> None:
    for field in ("cost_miss", "cost_false_alarm", "cost_review"):
        _check_positive(field, getattr(policy, field))
    if policy.slash_min > policy.slash_max:
        raise BadPolicyError("slash_min", f"must not exceed slash_max = {policy.slash_max}, not {policy.slash_min}")
    if policy.suspend_below > policy.return_above:
        raise BadPolicyError("suspend_below", f"must not exceed return_above = {policy.return_above}")
    # Dearer than an error, a review would never be asked for, and every trace would be decided by a coin.
    if policy.cost_review >= policy.cost_miss or policy.cost_review >= policy.cost_false_alarm:
        raise BadPolicyError("cost_review", "must be less than the cost of a miss and of a false alarm")
    if policy.trace_theta_fail >= policy.trace_theta_pass:
        raise BadPolicyError("cost_review", "is so high that no trace would be left undecided: thresholds cross")
    if policy.adjudicator_error > min(policy.trace_theta_fail, 1 - policy.trace_theta_pass):
        raise BadPolicyError("adjudicator_error", "is so high that an adjudicated segment could not decide its trace")
    if policy.no_show_penalty < policy.penalty:
        raise BadPolicyError("no_show_penalty", "must be at least the penalty of a wrong vote, or silence pays")


def _check_sizes(policy: "Policy") -> None:
    for name, smallest, largest in _SIZES:
        _check_count(name, getattr(policy, name), smallest, largest)
    if policy.passage_least > policy.passage_most:
        raise BadPolicyError("passage_least", f"must not exceed passage_most = {policy.passage_most}")


def _check_gold(policy: "Policy") -> None:
    if policy.model_fail_share > policy.honeypot_share:
        raise BadPolicyError(
            "model_fail_share", f"must not exceed honeypot_share = {policy.honeypot_share}: it is gold"
        )
    # Tickets are what the draw counts in, and nobody has more of them than the draw knows.
    _check_count("gold_emphasis", policy.gold_emphasis, 0, LARGEST_WEIGHT)
    _check_count("newcomer_gold", policy.newcomer_gold, 0, 1000)
    _check_count("repeat_after_hours", policy.repeat_after_hours, 0, 10_000)


def _check_stakes(policy: "Policy") -> None:
    _check_count("notice_days", policy.notice_days, 0, MOST_NOTICE)


def _check_planner(policy: "Policy") -> None:
    """Waves rest on posteriors and on the rule that plans them, and read all passages together."""
    for name in ("first_seats", "wave_seats", "cap"):
        _check_count(name, getattr(policy, name), 1, MOST_SEATS)
    if not policy.planner:
        return
    if policy.first_seats > policy.cap:
        raise BadPolicyError("first_seats", f"must not exceed cap = {policy.cap}, not {policy.first_seats}")
    # Another rule would decide by what no wave was planned for, and seats would be bought in vain.
    if policy.trace_rule != "first_error":
        raise BadPolicyError("planner", "needs the trace rule first_error: what is planned by is what decides")
    if policy.consensus in ("quorum", "majority"):
        raise BadPolicyError("planner", f"needs a posterior, and the rule {policy.consensus} has none")
    if policy.order != "parallel":
        raise BadPolicyError("planner", "decides passages together: the order must be parallel")
    if (1 - policy.human.error) * (1 - policy.human.malicious) <= HALF:
        raise BadPolicyError("human.error", "leaves reviewers no better than chance: no wave could decide anything")


def _check_routes(routes: "tuple[RouteRow, ...]") -> None:
    if not routes:
        raise BadPolicyError("routes", "must have at least one row")
    for number, row in enumerate(routes):
        _check_route(f"routes[{number}]", row)
    last = routes[-1]
    if (last.level, last.kind, last.complexity, last.domain) != ("*", "*", "*", "*"):
        raise BadPolicyError(f"routes[{len(routes) - 1}]", "the last row must match every segment")


def _check_route(field: str, row: "RouteRow") -> None:
    if row.level not in ("*", *Level):
        raise BadPolicyError(f"{field}.level", f"is no level: {row.level}")
    if row.complexity not in ("*", *Complexity):
        raise BadPolicyError(f"{field}.complexity", f"is no complexity: {row.complexity}")
    if row.primary in row.secondaries or len(set(row.secondaries)) < len(row.secondaries):
        raise BadPolicyError(f"{field}.secondaries", "must name each tier once and not the primary one")
    if row.k is not None:
        _check_count(f"{field}.k", row.k, 1, MOST_SEATS)
    if row.weight is not None:
        _check_positive(f"{field}.weight", row.weight)


def _check_domains(policy: "Policy") -> None:
    from auditing.core.policy.text import for_domain  # the overridden policy is checked as a policy

    domains = [override.domain for override in policy.domains]
    if len(set(domains)) < len(domains):
        raise BadPolicyError("domains", "must name each domain once")
    for name in domains:
        for_domain(policy=policy, domain=name)
