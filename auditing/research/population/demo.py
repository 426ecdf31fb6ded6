"""The demo: twenty traces of our own, two campaigns, simulated reviewers who go on voting. Never in production."""

import json
import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from django.db import transaction

from accounts.demo import ensure_demo_people
from accounts.models import User
from auditing.core.policy import FAST, Policy
from auditing.core.stages import RoundStage, SeatStage
from auditing.models import Auditor, Campaign, Seat
from auditing.research.campaigns.services.campaigns import open_campaign
from auditing.research.policy_lab.services import publish_policy
from auditing.research.population.reviewers import ensure_simulated_reviewers, truth_of, vote
from auditing.selectors.clock import database_now
from auditing.services.gold import import_jsonl
from auditing.services.intake.submission import submit
from auditing.services.voting.commitment import CommitmentRefusedError
from hdag.readers.records import read_record

FILE = Path(__file__).with_name("traces.jsonl")
GOLD = Path(__file__).with_name("gold.jsonl")  # honeypots: five reviewers see too much of each trace for others
FINISHED, OPEN = "Demo: audited by simulated reviewers", "Demo: open for you"
OPEN_EVERY = 4  # every fourth trace waits for people
GUIDELINES = (
    "Judge the current reasoning alone, taking what it rests on as given.\n\n"
    "**Pass** when it follows and is right. **Fail** when it does not, and say where. "
    "If it is wrong only because an earlier step is wrong, say so with the button."
)
ACCURACY = 0.9
VOTES_A_TICK = 100


def load(*, say: Callable[[str], object] = print) -> bool:
    """Load the demo once; False when it is there already."""
    if Campaign.objects.filter(title=FINISHED).exists():
        return False
    records = _records()
    with transaction.atomic():
        people = ensure_demo_people()
        # ensure_demo_people() gives them in the order of accounts/demo.py.
        admin, provider = people[0], people[1]
        simulated = ensure_simulated_reviewers()
        policy = publish_policy(policy=demo_policy(), author=admin)
        opened = partial(open_campaign, owner=admin, policy=policy, guidelines=GUIDELINES)
        finished = opened(title=FINISHED, reviewers=simulated)
        # One simulated reviewer sits in the open campaign: its rounds still need people.
        open_one = opened(title=OPEN, reviewers=[*_reviewers(people), *simulated[:1]])
        for number, record in enumerate(records):
            trace = read_record(record, where=record["id"])
            submit(provider=provider, traces=[trace], campaign=open_one if number % OPEN_EVERY == 3 else finished)
            say(f"  {number + 1} of {len(records)}: {trace.title}")
        with GOLD.open("rb") as lines:
            say(f"  {import_jsonl(lines=lines, actor=None)} gold segments")
    return True


def demo_policy() -> Policy:
    """The fast policy with three seats, a day to vote and no privacy budget: a demo has few reviewers."""
    # Simulated reviewers vote every ten seconds, but a person who tries the demo needs a day.
    human = replace(FAST.human, k=3, commit_seconds=86_400)
    return replace(FAST, name="demo", human=human, short_trace_characters=100_000)


def tick(*, seed: int) -> int:
    """Simulated reviewers vote on some of the seats they hold; returns how many votes were sealed."""
    now, rng = database_now(), random.Random(seed)  # noqa: S311  a simulation, no secret
    # Begins with the few simulated people, never with everybody's open seats.
    simulated = list(Auditor.objects.filter(is_simulated=True).values_list("pk", flat=True))
    seats = (
        Seat.objects.filter(
            auditor__in=simulated,
            stage__in=(SeatStage.OFFERED, SeatStage.HELD),
            round__stage=RoundStage.COMMITTING,
            round__due_at__gt=now,
        )
        .select_related("auditor", "round__segment__block", "round__audit__trace")
        .order_by("offered_at", "pk")[:VOTES_A_TICK]
    )
    return sum(_vote(seat, rng) for seat in seats)


def _vote(seat: Seat, rng: random.Random) -> bool:
    try:
        truth = truth_of(seat=seat, planted=_planted())
        return vote(seat=seat, truth=truth, accuracy=ACCURACY, rng=rng) is not None
    # The window closed between the query and the vote; the sweep deals with the seat.
    except CommitmentRefusedError:
        return False


def _records() -> list[dict[str, Any]]:
    return [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines() if line.strip()]


@cache
def _planted() -> dict[str, str]:
    return {record["title"]: (record["planted"] or {}).get("segment_text", "") for record in _records()}


def _reviewers(people: list[User]) -> list[User]:
    return [person for person in people if "reviewer" in person.roles]
