"""The parameters of a policy: what they are called, their units, and nothing else.

Shares, probabilities and weights are Decimals, so that the same text gives the same number to every reader;
points and seconds are integers. docs/guides/policy.md derives the values.
"""

from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from types import MappingProxyType

from auditing.core.values import Complexity, Tier
from hdag.core.passages import PassageLimits

UNSAID = MappingProxyType({"unsaid": True})  # of a field whose default no text of a policy states
NOT_IN_EFFECT = ("racing", "optimistic")  # stored and shown, but no room acts on them yet


class ConsensusRule(StrEnum):
    """How the votes of a round become an outcome."""

    QUORUM = "quorum"
    MAJORITY = "majority"
    REPUTATION = "reputation"
    TWO_COIN_GOLD = "two_coin_gold"
    TWO_COIN_EM = "two_coin_em"
    DAWID_SKENE = "dawid_skene"
    AUTO = "auto"


class TraceRule(StrEnum):
    """How the outcomes of segments become the outcome of a trace."""

    WEIGHTED = "weighted"
    NOISY_AND = "noisy_and"
    MINIMUM = "minimum"
    ALL_PASS = "all_pass"  # noqa: S105
    FIRST_ERROR = "first_error"  # one prior for the trace, spread over where its first error may be


class Order(StrEnum):
    """When a segment's first round may be seated."""

    PARALLEL = "parallel"
    PREMISES_FIRST = "premises_first"


class Escalation(StrEnum):
    """When a segment's secondary tier is asked."""

    HUNG = "hung"
    CONFIRM = "confirm"


class Openings(StrEnum):
    """Who keeps the openings of people's sealed votes until the window closes."""

    ESCROW = "escrow"  # the revealer, for everybody
    CHOICE = "choice"  # the revealer, unless a reviewer keeps them in the own browser (strict mode)
    BROWSER = "browser"  # every reviewer's own browser


class SlashBasis(StrEnum):
    """What the reputation that sets the chance of a slash was judged by."""

    GOLD = "gold"  # alone: who never met gold stands at the initial reputation
    GOLD_ELSE_OUTCOME = "gold_else_outcome"
    OUTCOME = "outcome"  # the final outcomes, as the paper's consensus


class Followers(StrEnum):
    """What the vote of a person who follows a model is worth beside that model's."""

    APART = "apart"  # a whole voice
    ONE_VOICE = "one_voice"  # with it one voice, as often as it was found to be followed


class Grain(StrEnum):
    """What one person or one model judges at once."""

    PASSAGE = "passage"  # runs of steps that belong together, and the plan
    SEGMENT = "segment"  # every segment by itself, as the paper has it


class RoutedBy(StrEnum):
    """Whose word orders the tiers of a segment, where the model that decomposed its trace suggested some."""

    RULES = "rules"  # the routing table's alone
    MODEL = "model"  # the model's, whatever the table says
    WITHIN_RULES = "model_within_rules"  # the model's, among the tiers of the table's row; what is for people stays so


@dataclass(frozen=True, slots=True, kw_only=True)
class TierRules:
    """One tier's seats, quorum, windows, and what is believed of its auditors before any gold."""

    k: int  # seats drawn for a round
    tau: Decimal  # pass when passes >= ceil(tau k)
    tau_fail: Decimal  # fail when fails >= ceil(tau_fail k)
    weight: Decimal  # of a segment in W, by reliability
    turnout: Decimal  # least share of the k seats that must be revealed, abstentions included
    commit_seconds: int
    reveal_seconds: int
    prior_right: Decimal  # Beta prior of sensitivity and of specificity: pseudo-counts of right votes
    prior_wrong: Decimal  # ... and of wrong votes
    error: Decimal  # planning value eps: share of wrong votes of an honest seat
    malicious: Decimal  # planning value rho: share of seats that vote wrong on purpose
    price: int = 0  # points a seat costs beyond its reward (tokens, machine time)
    crowded_from: int = 0  # open seats an auditor; from then on routing asks another tier; 0: never


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteRow:
    """One row of the routing table; "*" matches anything, the first row that matches wins."""

    primary: Tier
    secondaries: tuple[Tier, ...]
    why: str
    level: str = "*"
    kind: str = "*"
    complexity: str = "*"
    domain: str = "*"
    k: int | None = None  # None: the tier's own
    weight: Decimal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainOverride:
    """Fields that change for the traces of one domain, as (dotted field, value) pairs."""

    domain: str
    changes: tuple[tuple[str, str | int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Every parameter of an audit. Immutable: a change is a new policy."""

    name: str
    computer: TierRules
    llm: TierRules
    human: TierRules
    # consensus
    consensus: ConsensusRule
    base_rate: Decimal  # share of valid segments, pinned: never learned from votes
    theta_pass: Decimal  # a segment passes at this posterior or above
    theta_fail: Decimal  # ... and fails at this one or below
    family_correlation: Decimal  # of seats held by one family of models, until it is measured
    max_redraws: int
    escalation: Escalation
    order: Order
    # trace
    trace_rule: TraceRule
    beta: Decimal  # paper: pass when W >= beta * sum of weights
    trace_base_rate: Decimal  # share of traces without a wrong segment
    cost_miss: Decimal  # of passing a wrong trace, in units of one more human look
    cost_false_alarm: Decimal  # of failing a right trace
    cost_review: Decimal  # of leaving it undecided
    # economics, in points
    reward: int
    penalty: int
    slash_min: Decimal
    slash_max: Decimal
    gamma: Decimal  # step of the reputation average
    honeypot_share: Decimal
    honeypot_multiplier: int  # M: a wrong vote on gold costs M * penalty, for certain
    agreement_bonus: int  # points a vote at correlated agreement 1, given the model tier's vote; 0: none
    stake: int
    no_show_penalty: int
    no_show_limit: int  # this many within no_show_days suspends from drawing
    no_show_days: int
    suspend_below: Decimal  # reputation against gold, upper confidence limit
    return_above: Decimal
    initial_reputation: Decimal
    # guarantees
    delta: Decimal  # the theorem's design constant
    epsilon_target: Decimal
    segments_per_hour: int
    traces_per_hour: int
    horizon_hours: int
    # privacy and time
    disclosure_share: Decimal
    short_trace_characters: int  # below this length the disclosure budget is waived, logged
    batch_size: int
    batch_providers: int
    batch_minutes: int
    appeal_seconds: int
    adjudication_seconds: int
    # routing
    routes: tuple[RouteRow, ...]
    domains: tuple[DomainOverride, ...] = ()
    adjudicator_error: Decimal = Decimal("0.02")  # share of wrong words: what an adjudicated outcome stands for
    balance_up_to: Complexity = Complexity.MEDIUM  # the hardest segment that crowded people leave to models
    openings: Openings = Openings.CHOICE  # came after the first versions: those say it by leaving it out
    # These came later still: their defaults are what was in effect before, and no text of a policy states them.
    grain: Grain = field(default=Grain.SEGMENT, metadata=UNSAID)
    neighbours: bool = field(default=False, metadata=UNSAID)  # one reviewer may sit on units that stand side by side
    planner: bool = field(default=False, metadata=UNSAID)  # people are asked in waves, as few as the question needs
    first_seats: int = field(default=1, metadata=UNSAID)  # seats a passage in the first wave
    wave_seats: int = field(default=3, metadata=UNSAID)  # seats of each later wave, over all passages
    cap: int = field(default=13, metadata=UNSAID)  # seats of people a passage, over all waves
    sample_share: Decimal = field(default=Decimal(0), metadata=UNSAID)  # of what models settled, asked of people
    passage_least: int = field(default=200, metadata=UNSAID)  # characters of a passage
    passage_most: int = field(default=900, metadata=UNSAID)
    one_unit_below: int = field(default=1_500, metadata=UNSAID)  # characters; a shorter trace is one form
    slashing: SlashBasis = field(default=SlashBasis.GOLD, metadata=UNSAID)
    model_fail_share: Decimal = field(default=Decimal(0), metadata=UNSAID)  # of seats, within honeypot_share
    gold_emphasis: int = field(default=0, metadata=UNSAID)  # tickets of newcomers in draws for gold; 0: by lot alone
    newcomer_gold: int = field(default=10, metadata=UNSAID)  # votes on gold until a reviewer is no newcomer
    repeat_share: Decimal = field(default=Decimal(0), metadata=UNSAID)  # of seats: passages that one has judged before
    repeat_after_hours: int = field(default=168, metadata=UNSAID)  # least time between the two votes
    routed_by: RoutedBy = field(default=RoutedBy.RULES, metadata=UNSAID)
    trace_price: int = field(default=0, metadata=UNSAID)  # points that a provider pays for a trace; 0: none
    ticket_stake: int = field(default=0, metadata=UNSAID)  # points at stake for one more ticket; 0: one ticket each
    notice_days: int = field(default=7, metadata=UNSAID)  # from notice to the withdrawal of points at stake
    followers: Followers = field(default=Followers.APART, metadata=UNSAID)
    # stored, not in effect
    racing: bool = False
    optimistic: bool = False

    def tier(self, tier: Tier) -> TierRules:
        """The rules of one tier."""
        return {Tier.COMPUTER: self.computer, Tier.LLM: self.llm, Tier.HUMAN: self.human}[tier]

    @property
    def passage_limits(self) -> PassageLimits:
        """The sizes of passages; how many steps one vote can tell apart is no choice."""
        return PassageLimits(least=self.passage_least, most=self.passage_most, one_unit_below=self.one_unit_below)

    @property
    def trace_theta_pass(self) -> Decimal:
        """Pass a trace at this posterior: (1 - p) cost_miss <= cost_review."""
        return 1 - self.cost_review / self.cost_miss

    @property
    def trace_theta_fail(self) -> Decimal:
        """Fail a trace at this posterior: p cost_false_alarm <= cost_review."""
        return self.cost_review / self.cost_false_alarm

    def validate(self) -> None:
        """Raise BadPolicyError, naming the field, unless every parameter can be used."""
        from auditing.core.policy.checks import check_policy

        check_policy(policy=self)
