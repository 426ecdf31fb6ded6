"""Simulated auditors at a running server: they hold tokens and use its public API, as anybody may.

What an honest one knows is what the simulation handed in: a passage is wrong where it holds a planted sentence, or an
equation that stands in none of the traces (so an error planted in a decoy). Reads and writes nothing but the API.
"""

import random
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from auditing.client import ApiError, Desk, TrustClient
from auditing.research.population.conducts import MODEL_ACCURACY, Auditor, Conduct, Passage

READING = 25  # characters a second
HASTE_MS = 1500  # what a rubber-stamper takes for anything
SLOWNESS = 3  # turns that a slow auditor lets pass at each seat
LONGEST_TRIES = 3  # turns without a seat anywhere after which a visit ends


@dataclass(frozen=True, slots=True)
class Member:
    """A simulated person with a token."""

    name: str
    conduct: Conduct
    token: str
    factor: float = 1.0


@dataclass(frozen=True, slots=True)
class Corpus:
    """What was handed in, as the simulation knows it: every text, and the sentences planted in them."""

    texts: tuple[str, ...]
    planted: tuple[str, ...]

    def is_valid(self, *, text: str) -> bool:
        """Whether nothing planted and no foreign equation stands in the text."""
        flat = _flat(text)
        if any(_flat(sentence) in flat for sentence in self.planted):
            return False
        flat_texts = [_flat(whole) for whole in self.texts]
        lines = [_flat(line) for line in text.splitlines() if "=" in line]
        return all(any(line in whole for whole in flat_texts) for line in lines)


@dataclass(slots=True)
class Visit:
    """What happened: votes by conduct, refusals, and seconds by kind of request."""

    votes: Counter[Conduct] = field(default_factory=Counter)
    right: Counter[Conduct] = field(default_factory=Counter)
    silent: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    seconds: dict[str, list[float]] = field(default_factory=dict)
    audits: list[str] = field(default_factory=list)


class Crowd:
    """Members who take turns at their desks, one request at a time."""

    def __init__(self, *, base: str, members: Sequence[Member], corpus: Corpus, seed: int) -> None:
        self.rng = random.Random(seed)  # noqa: S311  a simulation, repeatable on purpose
        self.corpus, self.members = corpus, list(members)
        self.clients = {member.name: TrustClient(base=base, token=member.token) for member in members}
        self.told: dict[str, list[bool]] = defaultdict(list)  # by text: votes that copiers hear of
        self.facts: dict[str, Passage] = {}
        self.waiting: Counter[str] = Counter()
        self.visit = Visit()

    def hand_in(self, *, provider: str, traces: Sequence[Mapping[str, object]]) -> None:
        """Submit traces under the provider's token."""
        with TrustClient(base=str(self._base()), token=provider) as client:
            for trace in traces:
                self.visit.audits.append(client.submit(trace=trace))
            self._keep(client)

    def vote_until_idle(self, *, seconds: float, pause: float = 0.5, say: Callable[[str], None] = print) -> Visit:
        """Take turns until nobody is offered a seat for a while, or the time is up."""
        ends, idle = time.monotonic() + seconds, 0
        while idle < LONGEST_TRIES and time.monotonic() < ends:
            order = self.rng.sample(self.members, len(self.members))
            cast = sum(self._turn(member) for member in order)
            idle = 0 if cast or any(self.waiting.values()) else idle + 1
            say(f"simulated: {self.visit.votes.total()} votes")
            if not cast:
                time.sleep(pause)  # the machines of the server work meanwhile
        for client in self.clients.values():
            self._keep(client)
            client.close()
        return self.visit

    def _base(self) -> object:
        return str(next(iter(self.clients.values())).http.base_url).removesuffix("/api/v1/")

    def _turn(self, member: Member) -> bool:
        """One look at a desk; True when a vote was sealed."""
        client = self.clients[member.name]
        try:
            desk = client.next_seat()
            return desk.seat is not None and self._judge(member, client, desk)
        except ApiError as error:
            # A window may close between two requests; that is no failure of either side.
            self.visit.refused[f"{error.status} {error.code}"] += 1
            return False

    def _judge(self, member: Member, client: TrustClient, desk: Desk) -> bool:
        assert desk.seat is not None
        if member.conduct is Conduct.SLOW and self.waiting[desk.seat] < SLOWNESS:
            self.waiting[desk.seat] += 1
            return False
        self.waiting.pop(desk.seat, None)
        passage = self._fact(desk)
        auditor = Auditor(member.name, member.conduct, member.factor)
        passed = auditor.votes(passage=passage, colleagues=self.told[desk.text], rng=self.rng)
        if passed is None:
            self.visit.silent += 1
            return False
        client.vote(
            desk=desk,
            vote="pass" if passed else "fail",
            confidence=self.rng.randrange(70, 99) / 100,
            rationale=_rationale(passed, desk),
            active_ms=_active(member.conduct, desk.text),
        )
        self.told[desk.text].append(passed)
        self.visit.votes[member.conduct] += 1
        self.visit.right[member.conduct] += passed == passage.valid
        return True

    def _fact(self, desk: Desk) -> Passage:
        """What is true of a text; drawn once for all who are asked about it."""
        if desk.text not in self.facts:
            rng = random.Random(desk.text)  # noqa: S311  the same for everybody who sees this text
            self.facts[desk.text] = Passage(
                valid=self.corpus.is_valid(text=desk.text),
                level=str(desk.body.get("level", "step")),
                model_is_right=rng.random() < MODEL_ACCURACY,
                targeted=rng.random() < 0.2,
                bribes=rng.random() < 0.25,
            )
        return self.facts[desk.text]

    def _keep(self, client: TrustClient) -> None:
        for kind, values in client.seconds.items():
            self.visit.seconds.setdefault(kind, []).extend(values)


def _flat(text: str) -> str:
    return " ".join(text.split())


def _active(conduct: Conduct, text: str) -> int:
    if conduct in (Conduct.STAMPER, Conduct.GUESSER, Conduct.COPIER, Conduct.PASTER):
        return HASTE_MS
    return 1000 * len(text) // READING


def _rationale(passed: bool, desk: Desk) -> dict[str, object]:
    """Marked as simulated in the reason; a failing vote on a passage names its first step."""
    rationale: dict[str, object] = {
        "reason": "Simulated auditor." if passed else "Simulated auditor: this does not follow.",
        "criteria": {},
    }
    if not passed:
        rationale["error_type"] = "invalid_derivation"
        if desk.steps:
            rationale["start"], rationale["end"] = desk.steps[0]
    return rationale
