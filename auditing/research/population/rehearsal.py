"""A simulated crowd over the pure cores: the decisions of a running system without its database, clock and network.

Passages come in nights of 250: the skills that weigh a night's votes were learned from the nights before it. Votes are
tallied, paid and judged by the functions that the services call; what is hung goes to an adjudicator.
"""

import random
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from hashlib import sha256
from uuid import UUID

from auditing.core.consensus.ballots import Ballots, ballots_from_votes
from auditing.core.consensus.rules import choose_rule
from auditing.core.consensus.skills import Skill, published_skill, shrunk_skill
from auditing.core.consensus.tally import tally_round
from auditing.core.consensus.two_coin import Priors, gold_initialised_em
from auditing.core.points import POOL, JudgedVote, settle_votes
from auditing.core.points.reputation import Reputation, ReputationValue, Standing, decide_standing, published
from auditing.core.policy import ConsensusRule
from auditing.core.values import Choice, Outcome, Tier, Vote
from auditing.research.conduct.core import JudgedPassage, suspicion
from auditing.research.population.accounts import Account, after, counted, slash_basis
from auditing.research.population.beliefs import believed_without, learned_skill
from auditing.research.population.conducts import (
    Conduct,
    Passage,
    draw_gold,
    draw_passage,
    make_crowd,
)
from auditing.research.population.runs import Decided, DecidedTrace, Rehearsal, Setting
from auditing.research.population.waves import ask_in_waves

NIGHT = 250  # passages between two nights of learning
NOT_YET = 0.5  # chance that a decoy that is due waits for another trace
NOW = datetime(2026, 1, 1, tzinfo=UTC)  # nobody's silence counts here: no clock is needed


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
        self.traces: list[DecidedTrace] = []
        self.seats: Counter[str] = Counter()  # votes so far: all, on gold, on gold that models fail on
        self.learned = 0
        self.seed = sha256(rng.randbytes(16)).digest()

    def finish(self) -> Rehearsal:
        nights = 0
        while len(self.truth) < self.setting.passages and self._active():
            skills, nights = self._learn(), nights + 1
            while len(self.truth) < min(nights * NIGHT, self.setting.passages):
                self._ask_trace(skills) if self.setting.waves else self._ask(skills)
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
            nights,
            tuple(self.traces),
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

    def _ask(self, skills: Sequence[Skill]) -> None:
        """One passage by itself, from the draw to the postings."""
        is_gold, passage = self._passage(len(self.truth))
        choices = self._vote(passage, self.setting.votes, {})
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
            outcome = Outcome.PASS if self._adjudicate(passage) else Outcome.FAIL
        decided = Decided(len(self.truth), passage.valid, float(tally.posterior), outcome, hung)
        self._book(passage, is_gold, choices, decided, skills)

    def _ask_trace(self, skills: Sequence[Skill]) -> None:
        """One trace in waves, or a decoy of one gold passage, which is asked about by the same plan."""
        is_gold, passages = self._trace()
        asked = ask_in_waves(
            passages=passages, policy=self.policy, skills=skills, ask=self._vote, adjudicate=self._adjudicate
        )
        hung = [heard.word is not None for heard in asked.passages]
        if not is_gold:
            valid = all(passage.valid for passage in passages)
            self.traces.append(DecidedTrace(valid, asked.outcome, asked.seats, asked.waves, any(hung)))
        for heard, by_word in zip(asked.passages, hung, strict=True):
            outcome, posterior = heard.outcome(policy=self.policy), float(heard.posterior)
            decided = Decided(len(self.truth), heard.passage.valid, posterior, outcome, by_word)
            if heard.choices:  # of what nobody was asked nothing is counted
                self._book(heard.passage, is_gold, heard.choices, decided, skills)

    def _adjudicate(self, passage: Passage) -> bool:
        """An adjudicator errs as often as the policy assumes: what is rehearsed is the rest."""
        return passage.valid != (self.rng.random() < float(self.policy.adjudicator_error))

    def _book(
        self, passage: Passage, is_gold: bool, choices: Mapping[int, bool], decided: Decided, skills: Sequence[Skill]
    ) -> None:
        number = decided.number
        self.truth.append(passage.valid)
        self.is_gold.append(is_gold)
        self.cast += [(number, auditor, choice) for auditor, choice in choices.items()]
        self.seats["all"] += len(choices)
        self.seats["gold"] += is_gold * len(choices)
        self.seats["misleading"] += passage.misleads_models * len(choices)
        # Gold is known beforehand, so that its outcome says nothing of the quality of the audit.
        if not is_gold:
            self.decided.append(decided)
        known = {Outcome.PASS: True, Outcome.FAIL: False}.get(decided.outcome)
        self._settle(number, choices, passage.valid if is_gold else known, is_gold)
        for auditor, passed in choices.items():
            belief = float(passage.valid) if is_gold else believed_without(auditor, choices, skills, self.policy)
            misleads = passage.misleads_models
            self.accounts[auditor].judged.append(
                JudgedPassage(passed=passed, valid=belief, is_gold=is_gold, misleads_models=misleads)
            )

    def _passage(self, number: int) -> tuple[bool, Passage]:
        accuracy, chance = self.setting.model_accuracy, self.rng.random()
        if chance < float(self.setting.gold):
            transfer = self.setting.transfer if chance < float(self.setting.misleading) else None
            return True, self._gold(transfer)
        return False, draw_passage(rng=self.rng, base_rate=float(self.policy.base_rate), model_accuracy=accuracy)

    def _gold(self, transfer: float | None) -> Passage:
        """Half of the gold is right: the rarer truth comes next."""
        valid = 2 * sum(truth for truth, gold in zip(self.truth, self.is_gold, strict=True) if gold) < sum(
            self.is_gold
        ) or (len(self.truth) % 2 == 0 and not any(self.is_gold))
        return draw_gold(valid=valid, rng=self.rng, model_accuracy=self.setting.model_accuracy, transfer=transfer)

    def _trace(self) -> tuple[bool, list[Passage]]:
        """The next trace, with one wrong passage or none, by the policy's base rate; or a decoy where one is due."""
        share, misleading = float(self.setting.gold), float(self.setting.misleading)
        if self.seats["gold"] < share * self.seats["all"] and self.rng.random() < NOT_YET:
            is_due = self.seats["misleading"] < misleading * self.seats["all"]
            return True, [self._gold(self.setting.transfer if is_due else None)]
        is_right, count = self.rng.random() < float(self.policy.trace_base_rate), self.setting.waves
        wrong = -1 if is_right else self.rng.randrange(count)
        accuracy = self.setting.model_accuracy
        return False, [
            draw_passage(rng=self.rng, base_rate=float(number != wrong), model_accuracy=accuracy)
            for number in range(count)
        ]

    def _active(self) -> list[int]:
        return [number for number, account in enumerate(self.accounts) if account.suspended_at is None]

    def _vote(self, passage: Passage, seats: int, heard: Mapping[int, bool]) -> dict[int, bool]:
        """Further votes by auditor, of none of those heard; a silent seat is drawn again."""
        active = [number for number in self._active() if number not in heard]
        order = self.rng.sample(active, len(active))
        # Copiers vote last: they need somebody to copy.
        seated = sorted(order[:seats], key=lambda number: self.crowd[number].conduct is Conduct.COPIER)
        spare = iter(order[seats:])
        choices: dict[int, bool] = {}
        for auditor in seated:
            seat: int | None = auditor
            while seat is not None:
                colleagues = [*heard.values(), *choices.values()]
                voted = self.crowd[seat].votes(passage=passage, colleagues=colleagues, rng=self.rng)
                if voted is not None:
                    choices[seat] = voted
                    break
                seat = next(spare, None)
        return choices

    def _settle(self, number: int, choices: Mapping[int, bool], truth: bool | None, is_gold: bool) -> None:
        judged = [
            JudgedVote(
                vote=f"{number}:{auditor}",
                round=str(number),
                auditor=str(auditor),
                seat=UUID(int=(number << 32) + auditor).bytes,
                correct=None if truth is None else passed == truth,
                gold=is_gold,
                reputation=published(reputation=slash_basis(self.accounts[auditor], self.policy)),
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
            if truth is None:
                account.unjudged += 1
            elif is_gold:
                account.gold = after(account.gold, correct, gamma)
                account.counts = counted(account.counts, truth, correct)
            else:
                account.outcome = after(account.outcome, correct, gamma)
                account.ordinary_right += correct

    def _suspend(self) -> None:
        for account in self.accounts:
            standing = decide_standing(
                reputation=Reputation(account.gold, account.outcome), no_shows=(), now=NOW, policy=self.policy
            )
            if standing is Standing.SUSPENDED and account.suspended_at is None:
                account.suspended_at = account.votes
