"""A simulated crowd over the pure cores: the decisions of a running system without its database, clock and network.

Passages come in nights of 250: the skills that weigh a night's votes were learned from the nights before it. Votes are
tallied, paid and judged by the functions that the services call; what is hung goes to an adjudicator.
"""

import random
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction
from hashlib import sha256
from uuid import UUID

from auditing.core.consensus.ballots import Ballots, ballots_from_votes
from auditing.core.consensus.rules import choose_rule
from auditing.core.consensus.skills import GoldCounts, Skill, published_skill, shrunk_skill
from auditing.core.consensus.tally import tally_round
from auditing.core.consensus.two_coin import Priors, gold_initialised_em
from auditing.core.points import POOL, JudgedVote, settle_votes
from auditing.core.points.reputation import Reputation, ReputationValue, Standing, decide_standing, published
from auditing.core.policy import ConsensusRule, Policy, SlashBasis
from auditing.core.values import Choice, Outcome, Tier, Vote
from auditing.research.conduct.core import JudgedPassage, Suspicion, suspicion
from auditing.research.population.beliefs import believed_without, learned_skill
from auditing.research.population.conducts import (
    MODEL_ACCURACY,
    Auditor,
    Conduct,
    Passage,
    draw_gold,
    draw_passage,
    make_crowd,
)

NOTHING = GoldCounts(0, 0, 0, 0)
NIGHT = 250  # passages between two nights of learning
NOW = datetime(2026, 1, 1, tzinfo=UTC)  # nobody's silence counts here: no clock is needed


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What is simulated. suspends: whether low reputations leave the draw, as they do.

    gold: share of seats on gold; misleading: on gold that models fail on, within it; transfer: the chance that the
    pasters' model fails there too (1 when it is a model of the house).
    """

    mix: Mapping[Conduct, int]
    policy: Policy
    passages: int = 10_000
    votes: int = 3
    gold: Decimal = Decimal("0.1")
    misleading: Decimal = Decimal(0)
    transfer: float = 1.0
    model_accuracy: float = MODEL_ACCURACY
    suspends: bool = True


@dataclass(slots=True)
class Account:
    """What the system knows of one simulated auditor."""

    gold: ReputationValue
    outcome: ReputationValue
    counts: GoldCounts = NOTHING
    points: int = 0
    votes: int = 0
    suspended_at: int | None = None
    ordinary_right: int = 0
    judged: list[JudgedPassage] = field(default_factory=list)

    @property
    def gold_votes(self) -> int:
        """Votes on gold."""
        return self.counts.valid + self.counts.wrong

    @property
    def gold_right(self) -> int:
        """Right ones of them."""
        return self.counts.valid_passed + self.counts.wrong_failed


@dataclass(frozen=True, slots=True)
class Decided:
    """One ordinary passage: the truth, what was believed, what came out; hung: an adjudicator decided."""

    number: int
    valid: bool
    posterior: float
    outcome: Outcome
    hung: bool


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """A run with everything that the report counts."""

    setting: Setting
    crowd: tuple[Auditor, ...]
    accounts: tuple[Account, ...]
    decided: tuple[Decided, ...]
    ballots: Ballots
    truth: tuple[bool, ...]
    suspicions: tuple[Suspicion, ...]
    nights_learned: int  # nights on which EM was taken
    nights: int


def rehearse(*, setting: Setting, seed: int) -> Rehearsal:
    """One seeded run. The same seed and setting give the same votes, points and flags."""
    return _Run(setting, random.Random(seed)).finish()  # noqa: S311  a simulation, repeatable on purpose


class _Run:
    def __init__(self, setting: Setting, rng: random.Random) -> None:
        self.setting, self.rng = setting, rng
        self.policy = replace(setting.policy, human=replace(setting.policy.human, k=setting.votes))
        self.crowd = make_crowd(mix=setting.mix, rng=rng)
        start = ReputationValue(Fraction(self.policy.initial_reputation))
        self.accounts = [Account(start, start) for _ in self.crowd]
        self.cast: list[tuple[int, int, bool]] = []  # (passage, auditor, passed)
        self.truth: list[bool] = []
        self.is_gold: list[bool] = []
        self.decided: list[Decided] = []
        self.learned = 0
        self.seed = sha256(rng.randbytes(16)).digest()

    def finish(self) -> Rehearsal:
        for first in range(0, self.setting.passages, NIGHT):
            skills = self._learn()
            for number in range(first, min(first + NIGHT, self.setting.passages)):
                self._ask(number, skills)
            if self.setting.suspends:
                self._suspend()
        return Rehearsal(
            self.setting,
            tuple(self.crowd),
            tuple(self.accounts),
            tuple(self.decided),
            self._ballots(),
            tuple(self.truth),
            tuple(suspicion(votes=account.judged) for account in self.accounts),
            self.learned,
            -(-self.setting.passages // NIGHT),
        )

    def _ballots(self) -> Ballots:
        gold: dict[Hashable, bool] = {
            number: self.truth[number] for number, is_gold in enumerate(self.is_gold) if is_gold
        }
        ballots, segments, auditors = ballots_from_votes(votes=self.cast, gold=gold)
        assert segments == list(range(len(segments)))  # every passage has votes, in order
        # Back from order of appearance to the crowd's own numbers.
        names = {index: int(str(auditor)) for index, auditor in enumerate(auditors)}
        numbers = ballots.auditor.copy()
        for row, index in enumerate(ballots.auditor):
            numbers[row] = names[int(index)]
        return Ballots(ballots.segment, numbers, ballots.passed, ballots.gold, len(self.crowd))

    def _learn(self) -> list[Skill]:
        """What is believed of each auditor tonight: by EM where `auto` takes it, else from gold alone."""
        policy = self.policy
        rules = policy.human
        priors = Priors(float(rules.prior_right), float(rules.prior_wrong), float(policy.base_rate))
        if self.cast:
            ballots = self._ballots()
            if choose_rule(ballots=ballots, priors=priors).rule is ConsensusRule.TWO_COIN_EM:
                self.learned += 1
                aggregate = gold_initialised_em(ballots=ballots, priors=priors)
                pairs = zip(aggregate.sensitivity, aggregate.specificity, self.accounts, strict=True)
                return [learned_skill(float(s), float(t), account.votes) for s, t, account in pairs]
        return [
            published_skill(skill=shrunk_skill(counts=[account.counts], policy=policy, tier=Tier.HUMAN))
            for account in self.accounts
        ]

    def _ask(self, number: int, skills: Sequence[Skill]) -> None:
        """One passage from the draw to the postings."""
        is_gold, passage = self._passage(number)
        self.truth.append(passage.valid)
        self.is_gold.append(is_gold)
        choices = self._vote(passage)
        self.cast += [(number, auditor, choice) for auditor, choice in choices.items()]
        votes = [
            Vote(choice=Choice.PASS if passed else Choice.FAIL, auditor=str(auditor))
            for auditor, passed in choices.items()
        ]
        named = {str(auditor): skills[auditor] for auditor in choices}
        tally = tally_round(
            votes=votes, policy=self.policy, tier=Tier.HUMAN, skills=named, redraws=self.policy.max_redraws
        )
        outcome, hung = tally.outcome, tally.outcome is Outcome.HUNG
        if hung:
            # An adjudicator errs as often as the policy assumes: what is rehearsed is the rest.
            errs = self.rng.random() < float(self.policy.adjudicator_error)
            outcome = Outcome.PASS if passage.valid != errs else Outcome.FAIL
        # Gold is known beforehand, so that its outcome says nothing of the quality of the audit.
        if not is_gold:
            self.decided.append(Decided(number, passage.valid, float(tally.posterior), outcome, hung))
        truth = passage.valid if is_gold else outcome is Outcome.PASS
        self._settle(number, choices, truth, is_gold)
        for auditor, passed in choices.items():
            belief = float(passage.valid) if is_gold else believed_without(auditor, choices, skills, self.policy)
            misleads = passage.misleads_models
            self.accounts[auditor].judged.append(
                JudgedPassage(passed=passed, valid=belief, is_gold=is_gold, misleads_models=misleads)
            )

    def _passage(self, number: int) -> tuple[bool, Passage]:
        accuracy, chance = self.setting.model_accuracy, self.rng.random()
        if chance < float(self.setting.gold):
            # Half of the gold is right: the rarer truth comes next.
            valid = 2 * sum(truth for truth, gold in zip(self.truth, self.is_gold, strict=True) if gold) < sum(
                self.is_gold
            ) or (number % 2 == 0 and not any(self.is_gold))
            transfer = self.setting.transfer if chance < float(self.setting.misleading) else None
            return True, draw_gold(valid=valid, rng=self.rng, model_accuracy=accuracy, transfer=transfer)
        return False, draw_passage(rng=self.rng, base_rate=float(self.policy.base_rate), model_accuracy=accuracy)

    def _vote(self, passage: Passage) -> dict[int, bool]:
        """Votes by auditor; a silent seat is drawn again."""
        active = [number for number, account in enumerate(self.accounts) if account.suspended_at is None]
        order = self.rng.sample(active, len(active))
        # Copiers vote last: they need somebody to copy.
        seated = sorted(order[: self.setting.votes], key=lambda number: self.crowd[number].conduct is Conduct.COPIER)
        spare = iter(order[self.setting.votes :])
        choices: dict[int, bool] = {}
        for auditor in seated:
            seat: int | None = auditor
            while seat is not None:
                colleagues = list(choices.values())
                voted = self.crowd[seat].votes(passage=passage, colleagues=colleagues, rng=self.rng)
                if voted is not None:
                    choices[seat] = voted
                    break
                seat = next(spare, None)
        return choices

    def _settle(self, number: int, choices: Mapping[int, bool], truth: bool, is_gold: bool) -> None:
        judged = [
            JudgedVote(
                vote=f"{number}:{auditor}",
                round=str(number),
                auditor=str(auditor),
                seat=UUID(int=(number << 32) + auditor).bytes,
                correct=passed == truth,
                gold=is_gold,
                reputation=published(reputation=_basis(self.accounts[auditor], self.policy)),
            )
            for auditor, passed in choices.items()
        ]
        for line in settle_votes(votes=judged, policy=self.policy, policy_digest="", seed=self.seed):
            if line.account != POOL:
                self.accounts[int(line.account)].points += line.amount
        gamma = Fraction(self.policy.gamma)
        for auditor, passed in choices.items():
            account, correct = self.accounts[auditor], passed == truth
            account.votes += 1
            if is_gold:
                account.gold = _after(account.gold, correct, gamma)
                account.counts = _counted(account.counts, truth, correct)
            else:
                account.outcome = _after(account.outcome, correct, gamma)
                account.ordinary_right += correct

    def _suspend(self) -> None:
        for account in self.accounts:
            standing = decide_standing(
                reputation=Reputation(account.gold, account.outcome), no_shows=(), now=NOW, policy=self.policy
            )
            if standing is Standing.SUSPENDED and account.suspended_at is None:
                account.suspended_at = account.votes


def _after(value: ReputationValue, correct: bool, gamma: Fraction) -> ReputationValue:
    """The next step, kept to twelve decimals as the table of steps keeps it."""
    stepped = value.after(correct=correct, gamma=gamma)
    return ReputationValue(Fraction(round(stepped.value * 10**12), 10**12), stepped.votes)


def _basis(account: Account, policy: Policy) -> Fraction:
    """The reputation that sets the chance of a slash, as selectors.points.reputations takes it."""
    if policy.slashing is SlashBasis.OUTCOME or (
        policy.slashing is SlashBasis.GOLD_ELSE_OUTCOME and not account.gold.votes
    ):
        return account.outcome.value
    return account.gold.value


def _counted(counts: GoldCounts, valid: bool, correct: bool) -> GoldCounts:
    if valid:
        return replace(counts, valid=counts.valid + 1, valid_passed=counts.valid_passed + correct)
    return replace(counts, wrong=counts.wrong + 1, wrong_failed=counts.wrong_failed + correct)
