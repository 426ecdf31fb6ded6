"""Can gold be told from real work by anything that an auditor receives but the meaning?

python -m benchmarks.tell_gold [--set gsm8k] [--traces 60] [--reviewers 12] [--share 0.4] [--seed 1]

Reviewers of one campaign work through ProcessBench's solutions, a few handed in at a time, with decoys placed between
them at the policy's share; all of them pass everything. Of every seat the answer of `POST /api/v1/desk/next` and the
desk's page are turned into numbers: lengths, lines, signs of formatting, counts, states, levels, tags and classes,
place in the sitting. A logistic regression learns on half of the reviewers and is scored on the others, ten times;
single features are scored the same way, so that what gives gold away has a name. Asked (threats.md): at most .55.
"""

import argparse
import json
import os
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from decimal import Decimal
from html.parser import HTMLParser
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from tests.tools.services import own_services

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "processbench"
HALVES, AT_ONCE, SHORT = 10, 4, 24
SIGNS = re.compile(r"[=+*/^$\\%#<>|`:;()\[\]-]|\d+|\n")
LEFT_OUT = ("name", "content", "value", "href", "src", "action", "id", "title", "d", "points")


@dataclass
class Seats:
    """What each seat's holder received, who that was, and whether it was gold."""

    features: list[dict[str, float]] = field(default_factory=list)
    people: list[int] = field(default_factory=list)
    gold: list[bool] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)  # of the question: reading, plan, passage, answer

    def only(self, rows: Iterable[int]) -> "Seats":
        """Those of some rows."""
        columns = (self.features, self.people, self.gold, self.kinds)
        return Seats(*([column[row] for row in rows] for column in columns))


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
                    self.counts[f"{name}={word}"] += 1

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
    options = parser.parse_args()
    with own_services():
        import django

        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "trustweb.settings_test")
        django.setup()
        from django.core.management import call_command
        from django.test.utils import setup_test_environment

        setup_test_environment()  # the client of Django's tests is let in
        call_command("migrate", verbosity=0)
        seats = _work(options)
    _report(seats, options.seed)


def _work(options: argparse.Namespace) -> Seats:
    from auditing.core.policy import Grain
    from auditing.services.gold import decoys
    from tests.factories.worlds import ONE_SEAT, make_world

    dice = random.Random(options.seed)
    policy = replace(ONE_SEAT, honeypot_share=Decimal(options.share))
    world = make_world(reviewers=options.reviewers, policy=policy, grain=Grain.PASSAGE)
    clients, seats = [_client(user) for user in world.reviewers], Seats()
    traces = list(_traces(options.set, options.traces, dice))
    before = -1
    while traces or len(seats.gold) > before:
        before = len(seats.gold)
        for trace in traces[:AT_ONCE]:
            world.submit(trace)
        del traces[:AT_ONCE]
        world.settle_machines()
        for _ in range(3):
            decoys.place(campaign=world.campaign, seed=dice.randbytes(32))
        world.settle_machines()
        # A few seats each, so that sittings overlap as those of people do.
        for number in dice.sample(range(len(clients)), len(clients)):
            for _ in range(dice.randint(1, 4)):
                if not _look_and_pass(world, number, clients[number], seats):
                    break
        print(f"{len(traces)} traces left, {len(seats.gold)} seats, {sum(seats.gold)} of gold", flush=True)
    return seats


def _client(user: Any) -> Any:
    from django.test import Client

    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def _traces(name: str, count: int, dice: random.Random) -> Iterator[Any]:
    from hdag.core.values import Trace

    rows = [json.loads(line) for path in sorted(DATA.glob(f"*{name}*.jsonl")) for line in path.read_text().splitlines()]
    for row in dice.sample(rows, min(count, len(rows))):
        yield Trace(problem=row["problem"], thinking="\n\n".join(row["steps"]), answer="", domain="mathematics")


def _look_and_pass(world: Any, number: int, client: Any, seats: Seats) -> bool:
    """One seat: what its holder receives is kept, and it is passed; False where nothing waits."""
    from auditing.core.values import Choice
    from auditing.models import GoldTruth, Seat
    from auditing.services.seating.auditors import auditor_of

    answer = client.post("/api/v1/desk/next", {}, content_type="application/json")
    received = answer.json()
    if not received["seat"]:
        return False
    seat = Seat.objects.select_related("round__audit", "round__segment").get(pk=received["seat"])
    shape = Shape()
    shape.feed(client.get("/desk").content.decode())
    features = {f"page {name}": float(count) for name, count in shape.counts.items()}
    features |= {f"json {name}": value for name, value in _numbers("", received)}
    features["how many before"] = float(seats.people.count(number))
    seats.features.append(features)
    seats.people.append(number)
    seats.kinds.append(seat.round.segment.unit)
    seats.gold.append(GoldTruth.objects.filter(segment=seat.round.segment_id).exists())
    world.seal(seat, auditor_of(user=world.reviewers[number]), Choice.PASS)
    return True


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
    # The first texts of a campaign yield gold only once they were judged: before that there is nothing to tell apart.
    first = seats.gold.index(True) if True in seats.gold else 0
    seats = seats.only(range(first, len(seats.gold)))
    for kind in sorted(set(seats.kinds)):
        mine = [gold for gold, other in zip(seats.gold, seats.kinds, strict=True) if other == kind]
        print(f"{kind or 'segment'}: {len(mine) - sum(mine)} real seats, {sum(mine)} of gold")
    _tell("all questions", seats, seed)
    most = Counter(kind for kind, gold in zip(seats.kinds, seats.gold, strict=True) if gold).most_common(1)[0][0]
    _tell(f"{most} alone", seats.only(row for row, kind in enumerate(seats.kinds) if kind == most), seed)


def _tell(what: str, seats: Seats, seed: int) -> None:
    names = sorted({name for features in seats.features for name in features})
    table = np.array([[features.get(name, 0.0) for name in names] for features in seats.features])
    gold, people = np.array(seats.gold), np.array(seats.people)
    areas, singles = _scores(table, gold, people, np.random.default_rng(seed))
    real, own = int((~gold).sum()), int(gold.sum())
    print(f"{what}: {real} real seats, {own} of gold, {len(names)} features of {len(set(seats.people))} reviewers")
    print(
        f"AUC on held-out reviewers: {np.mean(areas):.3f}, one standard error of chance about {_error(real, own):.3f}"
    )
    for number in np.argsort(-singles)[:10]:
        print(f"  {singles[number]:.3f}  {names[number]}")


def _error(real: int, own: int) -> float:
    """Of an AUC near .5 (Hanley and McNeil 1982): that of the rank sum of two samples of one distribution."""
    return float(np.sqrt((real + own + 1) / (12 * real * own)))


def _scores(table: Any, gold: Any, people: Any, rng: np.random.Generator) -> tuple[list[float], Any]:
    """AUC of the regression for each half, and the mean AUC of every feature alone, its direction learned too."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import roc_auc_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    areas, singles = [], []
    while len(areas) < HALVES:
        learners = rng.permutation(np.unique(people))[: len(np.unique(people)) // 2]
        learns = np.isin(people, learners)
        if len(set(gold[learns])) < 2 or len(set(gold[~learns])) < 2:
            continue
        model = make_pipeline(StandardScaler(), LogisticRegression(C=0.05, max_iter=2000))
        model.fit(table[learns], gold[learns])
        areas.append(roc_auc_score(gold[~learns], model.decision_function(table[~learns])))
        singles.append([_alone(column, gold, learns, roc_auc_score) for column in table.T])
    return areas, np.mean(singles, axis=0)


def _alone(column: Any, gold: Any, learns: Any, area: Any) -> float:
    value = area(gold[~learns], column[~learns])
    return float(value if area(gold[learns], column[learns]) >= 0.5 else 1 - value)


if __name__ == "__main__":
    main()
