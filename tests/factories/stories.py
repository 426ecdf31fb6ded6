"""Audits of every course that the ledger knows, walked through the real services: what a verifier must accept."""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

from accounts.models import Profile, User
from auditing.core.policy import DEFAULT, FAST, PAPER, STRICT, ConsensusRule, Escalation, Openings, Policy, TraceRule
from auditing.core.values import Choice
from auditing.models import Audit, GoldTruth, Round, Seat, SoundnessRun, SoundnessThreshold
from auditing.research.erasure import services as erasure
from auditing.research.reports.appeals import appeal
from auditing.selectors.clock import database_now
from auditing.selectors.consensus.adjudication import contested_rounds
from auditing.services import corridor
from auditing.services.consensus.adjudication import state_reason
from auditing.services.intake import decomposition
from auditing.services.intake.submission import withdraw
from auditing.services.points import settlement
from auditing.services.seating.assignment import claim_next, decline, lapse, recuse
from auditing.services.seating.auditors import auditor_of
from auditing.services.seating.claims import LEASE
from hdag.models import Segment
from tests.factories.worlds import World, make_user, make_world

TWO_SEATS = replace(FAST, human=replace(FAST.human, k=2))


def vote_apart(world: World, choices: tuple[Choice, ...]) -> None:
    """Each reviewer votes a way of one's own, until nothing moves."""
    for _ in range(80):
        world.settle_machines()
        if not world.vote_on_all_seats(dict(zip(world.reviewers, choices, strict=False))):
            return


def agreed(choice: Choice = Choice.PASS, policy: Policy = FAST, reviewers: int = 3) -> list[Audit]:
    """Everybody votes alike."""
    world = make_world(reviewers=reviewers, policy=policy)
    audit = world.submit()
    world.everybody_votes(audit, choice)
    return [audit]


def divided(policy: Policy = FAST) -> list[Audit]:
    """One of three fails what the others pass: slashes, and bonuses of either sign."""
    world = make_world(policy=policy)
    audit = world.submit()
    vote_apart(world, (Choice.PASS, Choice.PASS, Choice.FAIL))
    return [audit]


def released() -> list[Audit]:
    """The appeal window closes, and the points are released."""
    (audit,) = divided()
    audit.refresh_from_db()
    settlement.release(audit=audit, now=audit.appeals_until + timedelta(seconds=1))
    return [audit]


def overturned() -> list[Audit]:
    """An appeal finds otherwise: the first audit's postings are taken back, then both are released."""
    world = make_world()
    audit = world.submit()
    vote_apart(world, (Choice.PASS, Choice.PASS, Choice.FAIL))
    audit.refresh_from_db()
    world.reviewers = [make_user(f"second{number}@example.org", "reviewer") for number in range(3)]
    made = appeal(audit=audit, by=world.provider, reason="wrong_outcome", text="See step two.", now=database_now())
    world.everybody_votes(made.successor, Choice.FAIL)
    successor = Audit.objects.get(pk=made.successor_id)
    for _ in range(2):
        settlement.release_due(now=successor.appeals_until + timedelta(days=2))
    return [audit, successor]


def contested() -> tuple[World, Audit, User]:
    world = make_world()
    judge = make_user("judge@example.org", "adjudicator")
    audit = world.submit()
    world.everybody_votes(audit, Choice.ABSTAIN)
    world.settle_machines()
    return world, audit, judge


def adjudicated() -> list[Audit]:
    """All abstain; an adjudicator fails one segment, passes others, and abstains from the last."""
    world, audit, judge = contested()
    auditor = auditor_of(user=judge)
    words = [Choice.FAIL, Choice.PASS, Choice.ABSTAIN]
    for number, case in enumerate(contested_rounds(auditor=auditor)):
        state_reason(round=case.round, auditor=auditor, reason="ambiguous", now=database_now())
        seats = Seat.objects.select_related("round__audit", "round__segment__block")
        world.seal(seats.get(round=case.round, auditor=auditor), auditor, words[number % 3])
    world.settle_machines()
    return [audit]


def unjudged() -> list[Audit]:
    """All abstain, and no adjudicator comes."""
    world = make_world()
    audit = world.submit()
    world.everybody_votes(audit, Choice.ABSTAIN)
    late = database_now() + timedelta(days=400)
    for _ in range(3):
        for round in Round.objects.filter(audit=audit, adjudicates=True).exclude(stage="tallied"):
            corridor.advance_round(round=round, now=late)
    world.settle_machines()
    return [audit]


def left() -> list[Audit]:
    """Seats are declined, recused, lapsed and deserted; newcomers are added, and one is barred."""
    world = make_world(reviewers=5, policy=TWO_SEATS)
    audit = world.submit()
    world.settle_machines()
    leaves: tuple[Callable[[Seat], object], ...] = (
        lambda seat: decline(seat=seat, because="not my field"),
        lambda seat: recuse(seat=seat),
        lambda seat: lapse(seat=seat, now=database_now() + 2 * LEASE),
    )
    for user, leave in zip(world.reviewers, leaves, strict=False):
        seat = claim_next(auditor=auditor_of(user=user), now=database_now())
        if seat is not None:
            leave(seat)
    Profile.objects.update_or_create(user=world.provider, defaults={"conflicts": [world.reviewers[3].email]})
    deserted = Round.objects.filter(tier="human", stage="committing")[0]
    while (offer := Seat.objects.filter(round=deserted, stage="offered").first()) is not None:
        decline(seat=offer, because="unclear")
    for number in range(3):
        make_user(f"late{number}@example.org", "reviewer")
    world.reviewers = list(User.objects.filter(grants__role="reviewer"))
    corridor.advance_due(now=database_now() + timedelta(minutes=2))
    for _ in range(4):
        world.everybody_votes(audit)
    return [audit]


def silent() -> list[Audit]:
    """Windows end with too few votes: seats are drawn again until the policy allows no more, then by adjudication."""
    world = make_world(reviewers=14)
    audit = world.submit()
    world.settle_machines()
    world.vote(world.reviewers[0])
    end(world, audit, steps=60)
    return [audit]


def end(world: World, audit: Audit, steps: int = 8) -> None:
    """Nobody does anything more: months go by until every round is over."""
    for month in range(1, steps):
        world.settle_machines()
        advance(audit, month if month < 14 else 30)
    world.settle_machines()


def advance(audit: Audit, months: int) -> None:
    """Every open round as it will be looked at in so many months."""
    now = database_now() + timedelta(days=30 * months)
    for round in Round.objects.filter(audit=audit).exclude(stage="tallied"):
        corridor.advance_round(round=round, now=now)


def certified() -> list[Audit]:
    """A certificate calls the answer unsound."""
    world = make_world()
    audit = world.submit()
    world.settle_machines()
    label = Round.objects.filter(audit=audit).order_by("-segment__position")[0].segment.label
    claims = {label: {"tau": 0.15, "low": 0.1, "high": 0.2, "local": 0.9}}
    owner = audit.trace.provider
    SoundnessRun.objects.create(audit=audit, owner=owner, state="done", model="m", statement="s", claims=claims)
    measured = {"data": "here", "chains": 9, "macro_f1": 0.9, "deviation": 0.0, "body": {"false_alarms": 0.01}}
    SoundnessThreshold.objects.create(model="m", threshold=0.5, **measured)
    world.everybody_votes(audit)
    return [audit]


def golden() -> list[Audit]:
    """Two segments are gold, planted before the audit opens: one the people get right, one they get wrong."""
    world = make_world()
    audit = world.submit()
    decomposition.decompose(audit=audit)
    audit.refresh_from_db()
    segments = Segment.objects.filter(decomposition=audit.decomposition_id).exclude(source="problem")
    for segment, truth in zip(segments.order_by("-position"), (Choice.FAIL, Choice.PASS, Choice.PASS), strict=False):
        GoldTruth.objects.create(segment=segment, truth=truth, source="test")
    vote_apart(world, (Choice.PASS, Choice.PASS, Choice.FAIL))
    return [audit]


def withdrawn() -> list[Audit]:
    """The provider takes the trace back while people vote."""
    world = make_world()
    audit = world.submit()
    world.settle_machines()
    world.vote(world.reviewers[0])
    world.sequence()
    withdraw(audit=audit, actor=world.provider)
    return [audit]


def erased() -> list[Audit]:
    """A recorded audit whose text is erased."""
    (audit,) = agreed()
    asked = erasure.ask(trace=audit.trace, by=audit.trace.provider, because="")
    erasure.confirm(erasure=asked, by=audit.campaign.owner)
    return [audit]


def simulated() -> list[Audit]:
    """Simulated reviewers vote and are never paid."""
    world = make_world()
    User.objects.filter(pk__in=[user.pk for user in world.reviewers[:2]]).update(is_simulated=True)
    world = world.afresh()
    audit = world.submit()
    vote_apart(world, (Choice.PASS, Choice.PASS, Choice.FAIL))
    return [audit]


def under(policy: Policy) -> Callable[[], list[Audit]]:
    """Votes at odds, under a policy of its own."""
    return lambda: divided(policy)


def preset(policy: Policy) -> Callable[[], list[Audit]]:
    """Enough reviewers for a whole preset, who vote at odds."""

    def tell() -> list[Audit]:
        world = make_world(reviewers=12, policy=policy)
        audit, rng, months = world.submit(), random.Random(4), 0
        for _ in range(80):
            world.settle_machines()
            words = [Choice.PASS if rng.random() < 0.8 else Choice.FAIL for _ in world.reviewers]
            if any([world.vote(user, word) for user, word in zip(world.reviewers, words, strict=True)]):
                continue
            audit.refresh_from_db()
            if audit.stage == "recorded":
                break
            months += 1  # a step waits for an adjudicator who never comes, and others wait for that step
            advance(audit, months)
        end(world, audit, steps=18)
        return [audit]

    return tell


def rules() -> Iterator[tuple[str, Callable[[], list[Audit]]]]:
    for rule in ConsensusRule:
        yield f"consensus {rule}", under(replace(FAST, consensus=rule))
    for trace_rule in TraceRule:
        yield f"trace {trace_rule}", under(replace(FAST, trace_rule=trace_rule))
    for whole in (DEFAULT, PAPER, STRICT):
        # A short text that is shown whole, not mixed with those of others: the world has one provider.
        alone = replace(whole, llm=FAST.llm, short_trace_characters=9_000, batch_size=1, batch_providers=1)
        yield f"preset {whole.name}", preset(replace(alone, batch_minutes=0))


STORIES: dict[str, Callable[[], list[Audit]]] = {
    "passed": agreed,
    "failed": lambda: agreed(Choice.FAIL),
    "divided": divided,
    "released": released,
    "overturned": overturned,
    "adjudicated": adjudicated,
    "unjudged": unjudged,
    "left": left,
    "silent": silent,
    "certified": certified,
    "golden": golden,
    "withdrawn": withdrawn,
    "erased": erased,
    "simulated": simulated,
    "confirmed": lambda: agreed(policy=replace(FAST, escalation=Escalation.CONFIRM, domains=())),
    "escrow only": under(replace(FAST, openings=Openings.ESCROW)),
    "no bonus": under(replace(FAST, agreement_bonus=0, reward=0)),
    "small share": preset(replace(TWO_SEATS, short_trace_characters=0, disclosure_share=Decimal("0.4"))),
    **dict(rules()),
}
