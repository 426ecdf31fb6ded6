"""The five presets: default, the paper's example, strict, private, fast. docs/guides/policy.md derives each value."""

from dataclasses import replace
from decimal import Decimal

from auditing.core.policy.parameters import (
    ConsensusRule,
    DomainOverride,
    Escalation,
    Followers,
    Grain,
    Order,
    Policy,
    RoutedBy,
    RouteRow,
    SlashBasis,
    TierRules,
    TraceRule,
)
from auditing.core.values import Tier

C, L, H = Tier.COMPUTER, Tier.LLM, Tier.HUMAN
HOUR, DAY = 3600, 86400
d = Decimal

_PEOPLE = (
    ("ethics", "ethical considerations go to people"),
    ("harmlessness", "ethical considerations go to people"),
    ("ambiguity", "ambiguous readings go to people"),
    ("novelty", "creative or novel reasoning goes to people"),
    ("high_stakes", "high-stakes decisions are validated by people"),
)
ROUTES = (
    *(RouteRow(kind=feature, primary=H, secondaries=(L,), why=why) for feature, why in _PEOPLE),
    RouteRow(level="goal", primary=H, secondaries=(L,), why="reading the problem takes judgement"),
    RouteRow(
        level="operation",
        complexity="high",
        primary=L,
        secondaries=(H,),
        why="a long computation: the checker looks first, a model judges what it abstains on",
    ),
    RouteRow(level="operation", primary=C, secondaries=(L, H), why="deterministic calculation"),
    RouteRow(kind="calculation", primary=C, secondaries=(L, H), why="deterministic calculation"),
    RouteRow(kind="algebraic_combination", primary=C, secondaries=(L, H), why="formal, mechanical step"),
    RouteRow(kind="format", primary=C, secondaries=(L,), why="syntax and format validation"),
    RouteRow(domain="medicine", complexity="high", primary=H, secondaries=(L,), why="domain expertise required"),
    RouteRow(domain="legal", complexity="high", primary=H, secondaries=(L,), why="domain expertise required"),
    RouteRow(level="strategy", complexity="high", primary=H, secondaries=(L,), why="a hard plan takes judgement"),
    RouteRow(level="strategy", primary=L, secondaries=(H,), why="strategy and approach assessment"),
    RouteRow(level="tactic", complexity="high", primary=H, secondaries=(L,), why="a hard method takes judgement"),
    RouteRow(level="tactic", primary=L, secondaries=(H,), why="conceptual understanding"),
    RouteRow(level="step", complexity="high", primary=H, secondaries=(L,), why="a hard inference takes judgement"),
    RouteRow(level="step", primary=L, secondaries=(H,), why="semantic coherence and factual accuracy"),
    RouteRow(primary=H, secondaries=(L,), why="no rule of the table matches: people"),
)

_COMPUTER = TierRules(
    k=1,
    tau=d("0.5"),
    tau_fail=d("0.5"),
    weight=d(3),
    turnout=d(1),
    commit_seconds=60,
    reveal_seconds=60,
    prior_right=d(999),
    prior_wrong=d(1),
    error=d(0),
    malicious=d(0),
)
_LLM = TierRules(
    k=3,
    tau=d("0.5"),
    tau_fail=d("0.5"),
    weight=d(2),
    turnout=d("0.6"),
    commit_seconds=15 * 60,
    reveal_seconds=5 * 60,
    prior_right=d("9.5"),
    prior_wrong=d("0.5"),
    error=d("0.05"),
    malicious=d(0),
    crowded_from=60,
)
_HUMAN = TierRules(
    k=5,
    tau=d("0.5"),
    tau_fail=d("0.5"),
    weight=d(1),
    turnout=d("0.6"),
    commit_seconds=2 * DAY,
    reveal_seconds=DAY,
    # Assumed of calibrated reviewers until the site's gold says otherwise.
    prior_right=d("3.4"),
    prior_wrong=d("0.6"),
    error=d("0.15"),
    malicious=d("0.02"),
    crowded_from=40,
)
# What the paper's example takes its people to be.
_PAPER_HUMAN = replace(
    _HUMAN, prior_right=d("1.4"), prior_wrong=d("0.6"), error=d("0.3"), malicious=d("0.1"), weight=d(3)
)

# Five seats a passage in one round, hung ones to an adjudicator: what the presets without waves have in common.
_ROUNDS = Policy(
    name="rounds",
    computer=_COMPUTER,
    llm=_LLM,
    human=_HUMAN,
    consensus=ConsensusRule.AUTO,
    base_rate=d("0.8"),
    theta_pass=d("0.9"),
    theta_fail=d("0.25"),
    family_correlation=d("0.42"),
    max_redraws=3,
    escalation=Escalation.HUNG,
    order=Order.PARALLEL,
    trace_rule=TraceRule.NOISY_AND,
    beta=d("0.7"),
    trace_base_rate=d("0.5"),
    cost_miss=d(10),
    cost_false_alarm=d(4),
    cost_review=d(1),
    reward=6,
    penalty=8,
    slash_min=d("0.34"),
    slash_max=d("0.6"),
    gamma=d("0.02"),
    honeypot_share=d("0.15"),
    model_fail_share=d("0.05"),
    honeypot_multiplier=3,
    gold_emphasis=4,
    agreement_bonus=0,
    stake=100,
    no_show_penalty=8,
    no_show_limit=2,
    no_show_days=30,
    suspend_below=d("0.5"),
    return_above=d("0.6"),
    initial_reputation=d("0.7"),
    delta=d("0.12"),
    epsilon_target=d("0.01"),
    segments_per_hour=60,
    traces_per_hour=2,
    horizon_hours=24,
    disclosure_share=d("0.6"),
    short_trace_characters=3000,
    batch_size=8,
    batch_providers=2,
    batch_minutes=30,
    appeal_seconds=7 * DAY,
    adjudication_seconds=3 * DAY,
    adjudicator_error=d("0.02"),
    grain=Grain.PASSAGE,
    neighbours=True,
    slashing=SlashBasis.GOLD_ELSE_OUTCOME,
    followers=Followers.ONE_VOICE,
    routes=ROUTES,
)

# People are asked in waves, as few as the trace needs. At the costs of one round (10 and 4) a planner stops too early.
# A miss at 27 looks or more: a trace of one unit passes at three passes more than fails, not at two (25 to 1 is .962).
DEFAULT = replace(
    _ROUNDS,
    name="default",
    planner=True,
    sample_share=d("0.05"),
    repeat_share=d("0.05"),
    trace_rule=TraceRule.FIRST_ERROR,
    cost_miss=d(30),
    cost_false_alarm=d(20),
    domains=(
        DomainOverride(
            domain="medicine",
            changes=(("theta_pass", "0.95"), ("theta_fail", "0.2"), ("cost_miss", "50")),
        ),
        DomainOverride(
            domain="tutoring",
            changes=(
                ("human.commit_seconds", 4 * HOUR),
                ("human.reveal_seconds", HOUR),
                ("cost_miss", "10"),
                ("appeal_seconds", DAY),
            ),
        ),
    ),
)

# The worked example of the paper (section 3.3) with k, tau, beta of its figure 4; weights grow towards people.
PAPER = replace(
    _ROUNDS,
    name="paper example",
    computer=replace(_COMPUTER, weight=d(1)),
    llm=replace(_LLM, weight=d(2)),
    human=_PAPER_HUMAN,
    consensus=ConsensusRule.QUORUM,
    trace_rule=TraceRule.WEIGHTED,
    beta=d("0.5"),
    slash_min=d("0.2"),
    slash_max=d("0.5"),
    honeypot_share=d(0),
    model_fail_share=d(0),
    gold_emphasis=0,
    honeypot_multiplier=1,
    slashing=SlashBasis.OUTCOME,
    followers=Followers.APART,
    delta=d("0.2"),
    disclosure_share=d("0.3"),
    short_trace_characters=600,
    grain=Grain.SEGMENT,
    neighbours=False,
    routed_by=RoutedBy.MODEL,  # its decomposer assigns the auditors
)

STRICT = replace(
    _ROUNDS,
    name="strict",
    llm=replace(_LLM, k=5),
    human=replace(_HUMAN, k=7),
    theta_pass=d("0.95"),
    theta_fail=d("0.2"),
    escalation=Escalation.CONFIRM,
    order=Order.PREMISES_FIRST,
    cost_miss=d(50),
    cost_false_alarm=d(5),
    disclosure_share=d("0.2"),
    short_trace_characters=0,
    neighbours=False,
)

# For texts whose provider must not be read whole by anybody: more reviewers, each of whom sees little.
PRIVATE = replace(
    DEFAULT, name="private", disclosure_share=d("0.3"), short_trace_characters=600, neighbours=False, repeat_share=d(0)
)

FAST = replace(
    _ROUNDS,
    name="fast",
    llm=replace(_LLM, k=1, turnout=d(1), commit_seconds=5 * 60, reveal_seconds=60, crowded_from=20),
    human=replace(_HUMAN, k=3, commit_seconds=4 * HOUR, reveal_seconds=HOUR),
    cost_miss=d(5),
    cost_false_alarm=d(3),
    appeal_seconds=DAY,
    batch_size=1,
    batch_providers=1,
    batch_minutes=0,
)

PRESETS = {policy.name: policy for policy in (DEFAULT, PAPER, STRICT, PRIVATE, FAST)}
