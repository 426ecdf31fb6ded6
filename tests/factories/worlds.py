"""Worlds built by walking the real services: people, a campaign, an audit at any stage."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings

from accounts.models import RoleGrant, User
from auditing.core.policy import FAST, PAPER, Grain, Policy
from auditing.core.values import Choice
from auditing.core.voting.commitment import Opening, commitment, rationale_digest
from auditing.core.voting.rationale import ErrorType, Rationale, write
from auditing.core.voting.seal import Unsealed, public_point, seal
from auditing.models import Audit, Auditor, Campaign, Commitment, Round, Seat
from auditing.research.campaigns.services.campaigns import open_campaign
from auditing.research.policy_lab.services import publish_policy
from auditing.selectors.clock import database_now
from auditing.selectors.voting.bindings import binding_of
from auditing.services import corridor
from auditing.services.intake.submission import submit
from auditing.services.ledger.announcing import LEDGER, REVEAL, announce
from auditing.services.ledger.sequencing import Sequencer
from auditing.services.seating import assignment
from auditing.services.seating.auditors import auditor_of
from auditing.services.voting import reveal
from auditing.services.voting.commitment import Sealed, accept
from auditing.translog.note import signing_key
from hdag.core.values import Trace
from tests.factories.consents import agree_to_all

PROBLEM = "A farmer has 12 hens. Each hen lays 5 eggs a week. How many eggs are laid in 3 weeks?"
THINKING = (
    "First find the eggs of one week.\n\nEach week the hens lay 12 * 5 = 60 eggs.\n\n"
    "Then multiply by the number of weeks.\n\nIn 3 weeks they lay 60 * 3 = 180 eggs."
)
ANSWER = "180 eggs"
ONE_SEAT = replace(FAST, human=replace(FAST.human, k=1))
TWO_SEATS = replace(FAST, human=replace(FAST.human, k=2))
REASON = "It does not follow."
TRACE = Trace(problem=PROBLEM, thinking=THINKING, answer=ANSWER, domain="school maths", title="Eggs")


def make_user(email: str, *roles: str) -> User:
    """A person with roles, as an admin would have made them."""
    user = User.objects.create_user(email=email, password="correct horse battery")
    RoleGrant.objects.bulk_create(
        RoleGrant(user=user, role=role, granted_by=user if role == "adjudicator" else None) for role in roles
    )
    return user


@dataclass
class World:
    """Provider, reviewers, one campaign, and the key that opens votes."""

    provider: Any
    reviewers: list[Any]
    campaign: Campaign
    reveal_key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))

    def afresh(self) -> "World":
        """The same world as its rows are now: for a test of a world that was built once for many."""
        people = {
            user.pk: user for user in User.objects.filter(pk__in=[self.provider.pk, *(u.pk for u in self.reviewers)])
        }
        reviewers = [people[user.pk] for user in self.reviewers]
        campaign = Campaign.objects.get(pk=self.campaign.pk)
        return World(people[self.provider.pk], reviewers, campaign, self.reveal_key)

    def submit(self, trace: Trace = TRACE, **options: Any) -> Audit:
        """Hand in a trace."""
        return submit(provider=self.provider, traces=[trace], campaign=self.campaign, **options)[0].audit

    def sequence(self) -> int:
        """What the sequencer does."""
        return sequencer().step()

    def walk(self) -> int:
        """What the walker does."""
        return corridor.advance_due(now=database_now())

    def settle_machines(self) -> None:
        """Let sequencer, walker and revealer work until nothing moves."""
        for _ in range(60):
            wake_rounds()
            if not self.sequence() + self.walk() + self.open_votes():
                return

    def open_votes(self) -> int:
        """What the revealer does."""
        rounds = Round.objects.filter(stage="revealing").select_related("closing_leaf", "audit")
        return reveal.open_votes(rounds=list(rounds), private_key=self.reveal_key)

    def vote(self, user: Any, choice: Choice = Choice.PASS, **said: Any) -> Commitment | None:
        """The next seat of a reviewer, sealed like a browser would."""
        auditor = auditor_of(user=user)
        seat = assignment.claim_next(auditor=auditor, now=database_now())
        return None if seat is None else self.seal(seat, auditor, choice, **said)

    def seal(
        self, seat: Seat, auditor: Auditor, choice: Choice, confidence: int = 9000, reason: str = REASON
    ) -> Commitment:
        """Commit one vote on one seat."""
        key = self.reveal_key.public_key()
        vote = sealed_vote(seat=seat, choice=choice, confidence=confidence, reveal_key=key, reason=reason)
        return accept(seat_id=seat.pk, auditor=auditor, vote=vote, now=database_now())

    def everybody_votes(self, audit: Audit, choice: Choice = Choice.PASS) -> None:
        """All reviewers vote on all their seats until the audit is recorded."""
        for _ in range(200):
            self.settle_machines()
            if not self.vote_on_all_seats(dict.fromkeys(self.reviewers, choice)):
                return

    def vote_on_all_seats(self, choices: Mapping[Any, Choice]) -> int:
        """Each in turn seals the vote of one's own, until nobody has a seat; returns how many votes.

        The machines work once for all of them, not after each: most of a test's time is theirs.
        """
        count = 0
        while sealed := sum(self.vote(user, choice) is not None for user, choice in choices.items()):
            count += sealed
        return count


def wake_rounds() -> None:
    """Seated rounds look again now instead of in five seconds."""
    Round.objects.filter(stage="seated").update(due_at=None)


def sealed_vote(
    *,
    seat: Seat,
    choice: Choice,
    confidence: int,
    reveal_key: ec.EllipticCurvePublicKey,
    reason: str = REASON,
) -> Sealed:
    """What a browser sends for a vote."""
    failing = choice is Choice.FAIL
    text = write(
        rationale=Rationale(
            reason=reason if failing else "",
            error_type=ErrorType.INVALID_DERIVATION if failing else None,
        )
    )
    rnonce = os.urandom(32)
    opening = Opening(
        choice=choice,
        confidence_bp=None if choice is Choice.ABSTAIN else confidence,
        rationale_digest=rationale_digest(rnonce=rnonce, text=text),
        nonce=os.urandom(32),
    )
    digest = commitment(binding=binding_of(seat=seat), opening=opening)
    sealed = seal(
        reveal_key=reveal_key,
        ephemeral=ec.generate_private_key(ec.SECP256R1()),
        seat_id=seat.pk,
        commitment=digest,
        unsealed=Unsealed(opening=opening, rnonce=rnonce, rationale=text),
    )
    return Sealed(digest=digest, rationale_digest=opening.rationale_digest, sealed=sealed)


def sequencer() -> Sequencer:
    """A sequencer with a key of its own, on the ledger's directory of this test."""
    return Sequencer.at(key=signing_key(name=settings.LEDGER_ORIGIN, seed=b"k" * 32), directory=settings.LEDGER_DIR)


def with_grain(policy: Policy, grain: Grain) -> Policy:
    """The policy for worlds of this grain: most tests are about segments, under the budget that went with them."""
    if grain is Grain.PASSAGE:
        return replace(policy, grain=grain)
    budget = {
        name: getattr(PAPER, name)
        for name in ("disclosure_share", "short_trace_characters", "neighbours")
        if getattr(policy, name) == getattr(FAST, name)
    }
    return replace(policy, grain=grain, **budget)


def make_world(reviewers: int = 3, policy: Policy = FAST, grain: Grain = Grain.SEGMENT) -> World:
    """Provider, reviewers, a fast policy, an open campaign; revealer and sequencer have announced their keys."""
    provider = make_user("provider@example.org", "provider")
    people = [make_user(f"reviewer{number}@example.org", "reviewer") for number in range(reviewers)]
    admin = make_user("admin@example.org", "admin")
    version = publish_policy(policy=with_grain(policy, grain), author=admin)
    campaign = open_campaign(title="Hens", owner=admin, policy=version, guidelines="Be fair.")
    agree_to_all()
    world = World(provider, people, campaign)
    announce(purpose=LEDGER, value=sequencer().key.verifier.vkey.encode())
    announce(purpose=REVEAL, value=public_point(key=world.reveal_key.public_key()))
    return world


def waiting_world(reviewers: int = 3, policy: Policy = FAST) -> World:
    """A world with one audit, whose segments wait for the reviewers."""
    world = make_world(reviewers, policy)
    world.submit()
    world.settle_machines()
    return world
