"""Policies described for readers: labels of the parameters, and which rules are the paper's and which corrected."""

from dataclasses import dataclass

from auditing.core.policy import ConsensusRule, Policy, RoutedBy, SlashBasis, TraceRule
from auditing.selectors.consensus.skills import WORDS as RULES

WORDS = {
    "k": "seats k (of people: without waves)",
    "tau": "pass quorum τ",
    "tau_fail": "fail quorum τ",
    "weight": "weight in W",
    "turnout": "least turnout",
    "commit_seconds": "seconds to seal",
    "reveal_seconds": "seconds to open",
    "prior_right": "prior: right votes",
    "prior_wrong": "prior: wrong votes",
    "error": "planned error ε",
    "crowded_from": "crowded from open seats an auditor (0: never)",
    "routed_by": "order of a segment's tiers",
    "balance_up_to": "crowded people leave to models up to",
    "malicious": "planned malicious ρ",
    "price": "price of a seat",
    "beta": "β (paper's rule)",
    "reward": "reward R",
    "penalty": "penalty P",
    "slash_min": "least chance of a slash",
    "slash_max": "greatest chance of a slash",
    "gamma": "reputation step γ",
    "delta": "design constant δ",
    "epsilon_target": "target ε",
    "honeypot_multiplier": "gold multiplier M",
    "honeypot_share": "planned share of gold",
    "model_fail_share": "… that models fail on",
    "gold_emphasis": "tickets for gold of newcomers and after drift (0: by lot alone)",
    "repeat_share": "share of seats on passages that one has judged before",
    "repeat_after_hours": "… hours later, at least",
    "newcomer_gold": "… until this many votes on gold",
    "consensus": "segment rule",
    "theta_pass": "pass at posterior",
    "theta_fail": "fail at posterior",
    "openings": "who keeps openings",
    "base_rate": "share of valid segments",
    "family_correlation": "error correlation of a family",
    "followers": "a person who follows a model counts",
    "max_redraws": "redraws of silent seats",
    "escalation": "a second tier is asked",
    "order": "segments are seated",
    "adjudication_seconds": "seconds to find an adjudicator",
    "adjudicator_error": "error of an adjudicator",
    "trace_base_rate": "share of right traces",
    "cost_miss": "cost of a miss",
    "cost_false_alarm": "cost of a false alarm",
    "cost_review": "cost of one more look",
    "agreement_bonus": "bonus of agreement",
    "slashing": "chance of a slash follows reputation by",
    "stake": "stake of a newcomer",
    "trace_price": "price of a trace, points of its provider (0: none)",
    "ticket_stake": "points at stake for one more ticket (0: one each)",
    "notice_days": "days of notice of points at stake",
    "no_show_penalty": "penalty of silence",
    "appeal_seconds": "seconds to appeal",
    "initial_reputation": "reputation at first",
    "suspend_below": "suspend below",
    "return_above": "return above",
    "no_show_limit": "silences that suspend",
    "no_show_days": "… within days",
    "disclosure_share": "share of a trace one person sees",
    "short_trace_characters": "a short trace, characters",
    "neighbours": "one reviewer may sit on neighbours",
    "grain": "people and models judge",
    "passage_least": "characters of a passage, at least",
    "passage_most": "… at most",
    "one_unit_below": "a trace on one form, below characters",
    "planner": "seats in waves, as few as the question needs",
    "first_seats": "seats a passage in the first wave",
    "wave_seats": "seats of each later wave",
    "cap": "seats of people a passage at most",
    "sample_share": "share of what models settled that people are asked about",
    "batch_size": "traces in a batch",
    "batch_providers": "providers in a batch",
    "batch_minutes": "minutes a batch waits",
}
TRACE_RULES = {
    TraceRule.WEIGHTED: "W ≥ β Σw (paper)",
    TraceRule.NOISY_AND: "all segments together: the product of their probabilities",
    TraceRule.MINIMUM: "the weakest segment alone",
    TraceRule.ALL_PASS: "every segment passes",
    TraceRule.FIRST_ERROR: "one prior for the trace, spread over where its first error may be",
}
CHOICES = {
    "consensus": {str(rule): words for rule, words in RULES.items()},
    "trace_rule": {str(rule): words for rule, words in TRACE_RULES.items()},
    "escalation": {"hung": "when a round has no majority", "confirm": "always, to confirm"},
    "slashing": {
        "gold": "gold alone",
        "gold_else_outcome": "gold where there is any, else final outcomes",
        "outcome": "final outcomes (paper: the consensus)",
    },
    "routed_by": {
        "rules": "the table's",
        "model": "as the decomposing model suggests (paper)",
        "model_within_rules": "as the decomposing model suggests, among the tiers of the table's row",
    },
    "openings": {
        "escrow": "the revealer, for everybody",
        "choice": "the revealer, or the reviewer's own browser, as each likes",
        "browser": "every reviewer's own browser",
    },
    "followers": {"apart": "as a whole voice", "one_voice": "with that model as one voice"},
    "grain": {"passage": "passages and the plan", "segment": "every segment by itself"},
    "order": {"parallel": "all at once", "premises_first": "after their premises"},
}
HELP = {
    "escalation": "Without waves alone: in waves the planner says who is asked next.",
    "theta_pass": "In waves a word for a passage: by the costs below it is decided whether the trace passes.",
    "openings": "Until the window closes. What the revealer keeps, whoever holds its key could read earlier.",
    "commit_seconds": "Of people at least an hour: whoever is drawn and seals nothing in it is fined.",
    "reveal_seconds": "Of people at least an hour: whoever keeps openings in the own browser has to come back in it.",
    "routed_by": "A model that decomposes a trace is asked who should look at what; rules keep for people what is for "
    "people whatever their load. A graph that rules made has no such suggestion: the table's order stands.",
    "followers": "Learned every night from finished audits: who says what a model says more often than two independent "
    "voices would. It changes weights from the next closing on, never points, and is told to the person.",
    "honeypot_share": "Seats on gold, of all seats of people: decoys are planted up to it. The lab shows both.",
    "sample_share": "Each passage that models settled is drawn with this probability before the trace is decided: only "
    "so is it known how often models are wrong where nobody would have looked.",
    "model_fail_share": "Within the share of gold: passages that qualified models judge wrongly, so that nobody lives "
    "by handing in a model's answers.",
    "repeat_share": "Passages come again, unmarked, to those who judged them: does a person say the same twice? The "
    "second votes are paid as any, and count in no agreement between people, skill or sign of conduct.",
    "trace_price": "From the provider's credit into the pool when a trace is handed in; a trace beyond it is refused. "
    "Given back where the audit ends before anybody judged.",
    "ticket_stake": "One ticket more for each such sum at stake, times 2 r − 1 of the published reputation r, up to "
    "eight: neither points nor skill alone give any.",
    "gold_emphasis": "Who met less gold than the planned share has more tickets in the draws for gold, up to eight; a "
    "newcomer, or whoever has to calibrate again, this many times as many. The share of all seats stays as planned.",
}
CORRECTED_TRACE = (TraceRule.NOISY_AND, TraceRule.FIRST_ERROR)
CORRECTED = (ConsensusRule.AUTO, ConsensusRule.TWO_COIN_GOLD, ConsensusRule.TWO_COIN_EM)


@dataclass(frozen=True, slots=True)
class Mode:
    """One question that the paper and this project answer differently, and this policy's answer."""

    question: str
    answer: str
    mode: str  # paper, corrected, or "" for neither
    why: str


def modes_of(policy: Policy) -> tuple[Mode, ...]:
    """Which parts of a policy are in paper mode; docs/guides/policy.md has the reasons at length."""
    tiers = [policy.tier(tier).weight for tier in ("computer", "llm", "human")]  # type: ignore[arg-type]
    # The paper weighs people highest; the corrected policies weigh by how often a tier is right.
    grows = tiers[0] < tiers[2]
    weights = " / ".join(f"{weight.normalize():f}" for weight in tiers)
    gold = f"{100 * float(policy.honeypot_share):.0f} %, a wrong vote costs {policy.honeypot_multiplier} P"
    return (
        Mode(
            "From votes to a segment",
            RULES[policy.consensus],
            _mode(policy.consensus is ConsensusRule.QUORUM, policy.consensus in CORRECTED),
            "A quorum hears no difference between auditors; one number each cannot describe a rubber-stamper.",
        ),
        Mode(
            "From segments to a trace",
            TRACE_RULES[policy.trace_rule],
            _mode(policy.trace_rule is TraceRule.WEIGHTED, policy.trace_rule in CORRECTED_TRACE),
            "W hardly moves for one local error; a probability over all that the answer rests on finds it.",
        ),
        Mode(
            "Weights: computer / language models / people",
            weights,
            _mode(grows, not grows),
            "A wrong outcome from people is likelier than one from a checker.",
        ),
        Mode(
            "Planned gold",
            gold if policy.honeypot_share else "none",
            _mode(not policy.honeypot_share, bool(policy.honeypot_share)),
            "Without gold a rubber-stamper earns more than an honest seat.",
        ),
        Mode(
            "The chance of a slash follows reputation by",
            CHOICES["slashing"][policy.slashing],
            _mode(policy.slashing is SlashBasis.OUTCOME, policy.slashing is SlashBasis.GOLD_ELSE_OUTCOME),
            "Where the majority passes everything, outcomes call it right; gold does not.",
        ),
        Mode(
            "Order of a segment's tiers",
            CHOICES["routed_by"][policy.routed_by],
            _mode(policy.routed_by is RoutedBy.MODEL, policy.routed_by is not RoutedBy.MODEL),
            "A text that talks the decomposing model round would choose who looks at it.",
        ),
        Mode(
            "Bonus of agreement",
            f"{policy.agreement_bonus} points a vote at agreement 1, given the models' answers"
            if policy.agreement_bonus
            else "none",
            "",
            "Plain agreement pays whoever hands in a model's answer more than an honest reviewer. Given the models'"
            " answers it pays him nothing, but needs 20 shared segments an answer within 30 days.",
        ),
    )


def duration(seconds: int) -> str:
    """Seconds in the largest unit that divides them.

    >>> duration(172800), duration(900), duration(61)
    ('2 days', '15 minutes', '61 seconds')
    """
    for size, word in ((86400, "day"), (3600, "hour"), (60, "minute"), (1, "second")):
        # Only exact units: "2 hours" for 7,201 seconds would be a wrong promise of a deadline.
        if seconds and seconds % size == 0:
            return f"{seconds // size} {word}{'' if seconds == size else 's'}"
    return "no time"


def _mode(paper: bool, corrected: bool) -> str:
    return "paper" if paper else "corrected" if corrected else ""
