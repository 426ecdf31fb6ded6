"""Can gold be told from real work by anything that an auditor receives but the meaning?

python -m benchmarks.tell_gold [--set gsm8k|math|solutions] [--traces 60] [--reviewers 12] [--share 0.4] [--seed 1]
                               [--confirmed] [--keep FILE]
python -m benchmarks.tell_gold --pool FILE FILE ...   (what several runs kept, scored together)

Reviewers of one campaign work through ProcessBench's solutions, a few handed in at a time, with decoys placed between
them at the policy's share; all of them pass everything. Of every seat the answer of `POST /api/v1/desk/next` and the
desk's page are turned into numbers: lengths, lines, signs of formatting, counts, states, levels, tags and classes,
place in the sitting. A logistic regression and a forest learn on half of the reviewers and are scored on the others,
ten times; single features are scored the same way, so that what gives gold away has a name. Then once more with half
of the texts held out besides: what remains is told by looks, and not by knowing a text again that lent its passages
several times; of several runs also with one campaign and a fifth of the texts held out, beside as many rows drawn
alike, because runs of one set hand in the same texts. Asked (threats.md): at most .55.
"""

import argparse
import json
import os
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from decimal import Decimal
from hashlib import sha256
from html.parser import HTMLParser
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.campaign_texts import campaign_texts
from benchmarks.held_out import across, chance_error, fifths, scores
from tests.tools.services import own_services

AT_ONCE, SWEEPS, SHORT = 4, 3, 24
MOST_REVIEWERS = 1000  # of one run
SIGNS = re.compile(r"[=+*/^$\\%#<>|`:;()\[\]-]|\d+|\n")
LEFT_OUT = ("name", "content", "value", "href", "src", "action", "id", "title", "d", "points")


@dataclass
class Seats:
    """What each seat's holder received, who that was, and whether it was gold."""

    features: list[dict[str, float]] = field(default_factory=list)
    people: list[int] = field(default_factory=list)
    gold: list[bool] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)  # of the question: reading, plan, passage, answer
    texts: list[str] = field(default_factory=list)  # by their problems; of gold, what it was made of

    def only(self, rows: Iterable[int]) -> "Seats":
        """Those of some rows."""
        rows, columns = list(rows), (self.features, self.people, self.gold, self.kinds, self.texts)
        return Seats(*([column[row] for row in rows] for column in columns))

    def after_the_first_gold(self) -> "Seats":
        """The first texts of a campaign yield gold once they were judged: before that nothing can be told apart."""
        return self.only(range(self.gold.index(True) if True in self.gold else 0, len(self.gold)))


class Shape(HTMLParser):
    """Counts of the tags, classes and states of a page, and how long its texts are; never a word of them."""

    def __init__(self) -> None:
        super().__init__()
        self.counts: Counter[str] = Counter()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.counts[f"<{tag}>"] += 1
        for name, value in attrs:
            self.counts[f"<{tag} {name}>"] += 1
            if name == "class" or (name not in LEFT_OUT and len(value or "") <= SHORT and not _is_key(value)):
                for word in (value or "").split():
                    # A number as a number: where a passage begins, as a word, would be the name of its text.
                    self.counts[name if word.isdecimal() else f"{name}={word}"] += int(word) if word.isdecimal() else 1

    def handle_data(self, data: str) -> None:
        self.counts["page length"] += len(data)


def main() -> None:
    """Start PostgreSQL and Redis, let everybody work, learn, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--set", default="gsm8k")
    parser.add_argument("--traces", type=int, default=60)
    parser.add_argument("--reviewers", type=int, default=12)
    parser.add_argument("--share", default="0.4")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--confirmed", action="store_true", help="editors confirm drafts about readings, plans and answers"
    )
    parser.add_argument("--keep", type=Path, help="writes the seats as JSON, for --pool")
    parser.add_argument("--pool", type=Path, nargs="+", help="scores what several runs kept, and runs nothing")
    options = parser.parse_args()
    if options.pool:
        _report(_pooled(options.pool), options.seed)
        return
    with own_services():
        import django

        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "trustweb.settings_test")
        django.setup()
        from django.core.management import call_command
        from django.test.utils import setup_test_environment

        setup_test_environment()  # the client of Django's tests is let in
        call_command("migrate", verbosity=0)
        seats = _work(options).after_the_first_gold()
    if options.keep:
        options.keep.write_text(json.dumps(asdict(seats)))
    _report(seats, options.seed)


def _pooled(files: Iterable[Path]) -> Seats:
    """The seats of several runs as those of one: nobody of one run is a person of another."""
    pooled = Seats()
    for number, file in enumerate(files):
        seats = Seats(**json.loads(file.read_text()))
        pooled.features += seats.features
        pooled.people += [number * MOST_REVIEWERS + person for person in seats.people]
        pooled.gold += seats.gold
        pooled.kinds += seats.kinds
        pooled.texts += seats.texts
    return pooled


def _work(options: argparse.Namespace) -> Seats:
    from auditing.core.policy import Grain
    from tests.factories.worlds import ONE_SEAT, make_user, make_world

    dice = random.Random(options.seed)
    policy = replace(ONE_SEAT, honeypot_share=Decimal(options.share))
    world = make_world(reviewers=options.reviewers, policy=policy, grain=Grain.PASSAGE)
    make_user("editor@example.org", "admin")  # the second one
    clients, seats = [_client(user) for user in world.reviewers], Seats()
    traces = list(campaign_texts(name=options.set, count=options.traces, seed=options.seed, dice=dice))
    before = -1
    while traces or len(seats.gold) > before:
        before = len(seats.gold)
        _hand_in(world, traces, dice)
        if options.confirmed:
            _confirm_drafts(world, dice)
        # A few seats each, so that sittings overlap as those of people do.
        for number in dice.sample(range(len(clients)), len(clients)):
            for _ in range(dice.randint(1, 4)):
                if not _look_and_pass(world, number, clients[number], seats):
                    break
        print(f"{len(traces)} traces left, {len(seats.gold)} seats, {sum(seats.gold)} of gold", flush=True)
    return seats


def _hand_in(world: Any, traces: list[Any], dice: random.Random) -> None:
    """The next few traces, and sweeps that place gold between them; takes the traces from the list.

    In any order: were gold placed behind the traces, whoever has sat for a while would have met those before.
    """
    from auditing.services.gold import decoys

    for is_trace in dice.sample([True] * AT_ONCE + [False] * SWEEPS, AT_ONCE + SWEEPS):
        if not is_trace:
            decoys.place(campaign=world.campaign, seed=dice.randbytes(32))
        elif traces:
            world.submit(traces.pop(0))
        world.settle_machines()


def _confirm_drafts(world: Any, dice: random.Random) -> None:
    """What editors do: gold about wholes is drafted, and a second one says the same of every draft."""
    from accounts.models import User
    from auditing.models import GoldSegment
    from auditing.services.gold.reviews import review
    from auditing.services.gold.wholes import draft_wholes

    editors = User.objects.filter(grants__role="admin").order_by("pk")
    draft_wholes(campaign=world.campaign, by=editors[0], most=AT_ONCE, rng=dice)
    for draft in GoldSegment.objects.filter(review=GoldSegment.Review.WAITING):
        review(gold=draft, verdict=draft.truth, why="", by=editors[1])


def _client(user: Any) -> Any:
    from django.test import Client

    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def _look_and_pass(world: Any, number: int, client: Any, seats: Seats) -> bool:
    """One seat: what its holder receives is kept, and it is passed; False where nothing waits."""
    from auditing.core.values import Choice
    from auditing.models import Decoy, GoldTruth, Seat
    from auditing.services.seating.auditors import auditor_of

    answer = client.post("/api/v1/desk/next", {}, content_type="application/json")
    received = answer.json()
    if not received["seat"]:
        return False
    seat = Seat.objects.select_related("round__audit__trace", "round__segment").get(pk=received["seat"])
    shape = Shape()
    shape.feed(client.get("/desk").content.decode())
    features = {f"page {name}": float(count) for name, count in shape.counts.items()}
    features |= {f"json {name}": value for name, value in _numbers("", received)}
    features["how many before"] = float(seats.people.count(number))
    seats.features.append(features)
    seats.people.append(number)
    seats.kinds.append(seat.round.segment.unit)
    seats.gold.append(GoldTruth.objects.filter(segment=seat.round.segment_id).exists())
    decoy = Decoy.objects.filter(trace=seat.round.audit.trace_id).select_related("original").first()
    seats.texts.append(_problem(seat.round.audit.trace if decoy is None or not decoy.original else decoy.original))
    world.seal(seat, auditor_of(user=world.reviewers[number]), Choice.PASS)
    return True


def _problem(row: Any) -> str:
    """What tells a text again in another campaign, where its trace has another key: the digest of its problem."""
    from hdag.selectors import load_trace

    return sha256(load_trace(row).problem.encode()).hexdigest()[:16]


def _numbers(path: str, value: Any) -> Iterator[tuple[str, float]]:
    """Every leaf of a JSON value as numbers: its own, its length and signs, or which short word it is."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _numbers(f"{path}.{name}", inner)
    elif isinstance(value, list):
        yield f"{path} count", float(len(value))
        totals: dict[str, float] = defaultdict(float)
        for name, number in chain.from_iterable(_numbers(f"{path}[]", inner) for inner in value):
            totals[name] += number
        yield from totals.items()
    elif isinstance(value, bool | int | float):
        yield path, float(value)
    elif isinstance(value, str):
        yield from _signs(path, value)


def _signs(path: str, text: str) -> Iterator[tuple[str, float]]:
    """A text by its length and its signs of formatting; a short word, as a state or level is, by itself."""
    yield f"{path} length", float(len(text))
    if len(text) <= SHORT and not _is_key(text):
        yield f"{path} = {text}", 1.0
    elif not _is_key(text):
        signs = Counter(sign if not sign[0].isdigit() else "number" for sign in SIGNS.findall(text))
        yield from ((f"{path} {sign!r}", float(count)) for sign, count in signs.items())


def _is_key(text: str | None) -> bool:
    """Names of seats, digests, times: words that occur once tell nothing that could be learned."""
    return text is not None and sum(letter.isdigit() for letter in text) > 2


def _report(seats: Seats, seed: int) -> None:
    for kind in sorted(set(seats.kinds)):
        mine = [gold for gold, other in zip(seats.gold, seats.kinds, strict=True) if other == kind]
        print(f"{kind or 'segment'}: {len(mine) - sum(mine)} real seats, {sum(mine)} of gold")
    _tell("all questions", seats, seed)
    most = Counter(kind for kind, gold in zip(seats.kinds, seats.gold, strict=True) if gold).most_common(1)[0][0]
    _tell(f"{most} alone", seats.only(row for row, kind in enumerate(seats.kinds) if kind == most), seed)


def _tell(what: str, seats: Seats, seed: int) -> None:
    names = sorted({name for features in seats.features for name in features})
    table = np.array([[features.get(name, 0.0) for name in names] for features in seats.features])
    gold = np.array(seats.gold, dtype=bool)
    real, own = int((~gold).sum()), int(gold.sum())
    texts = len({text for text, is_gold in zip(seats.texts, seats.gold, strict=True) if is_gold})
    print(
        f"{what}: {real} real seats, {own} of gold made of {texts} texts, "
        f"{len(names)} features of {len(set(seats.people))} reviewers"
    )
    for held_out, keys in (("reviewers", [seats.people]), ("reviewers and texts", [seats.people, seats.texts])):
        areas, singles = scores(table, gold, [np.array(key) for key in keys], np.random.default_rng(seed))
        said = ", ".join(f"{name} {np.mean(values):.3f}" for name, values in areas.items())
        print(f"AUC on held-out {held_out}: {said}; one standard error of chance about {chance_error(real, own):.3f}")
        for number in np.argsort(-singles)[:10]:
            print(f"  {singles[number]:.3f}  {names[number]}")
    _tell_across(table, gold, seats, seed)


def _tell_across(table: Any, gold: Any, seats: Seats, seed: int) -> None:
    """Whether what was learned in other campaigns tells gold in one; where texts come again, by knowing them or not."""
    campaigns, rng = np.array(seats.people) // MOST_REVIEWERS, np.random.default_rng(seed)
    if len(set(campaigns)) == 1:
        return
    groups = fifths(np.array(seats.texts), rng)
    # As many rows are held out both times, so that only the texts are what differs.
    for held_out, held in (("campaigns and texts", groups), ("campaigns and as many rows", rng.permutation(groups))):
        areas = across(table, gold, campaigns, held)
        said = ", ".join(f"{name} {np.mean(each):.3f} {np.round(each, 2)}" for name, each in areas.items())
        print(f"AUC within a campaign, on held-out {held_out}: {said}")


if __name__ == "__main__":
    main()
