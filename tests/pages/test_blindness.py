"""As a peer of the same round, over every address, log line, mail and export: no bit of a vote that is not opened.

One world is branched: it differs only in what another reviewer of the same round has sealed. Whatever anybody receives
must be the same to the byte, form tokens and names of requests apart; in the public ledger the seal itself differs.
`make test` asks where votes are nearest, `make sweep` everywhere.
"""

import logging
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from django.test import override_settings

from auditing.models import Round, Vote
from auditing.research.exports import services
from auditing.research.news import services as digests
from auditing.views.voting import desk
from tests.factories.branches import VOTES, Branches, logged
from tests.tools.peeking import differences, routes
from tests.tools.silent import NOTHING_THERE
from tests.tools.sweeping import sampled, sweep_of
from trustweb.middleware import failures

pytestmark = pytest.mark.django_db
Seen = dict[str, dict[str, str]]
SEALS = re.compile(r"[0-9a-f]{64}|[A-Za-z0-9+/]{43}=|[A-Za-z0-9+/]{60,}=*")  # seals, hashes, signatures
CLOCK = re.compile(r"\d\d:\d\d(:\d\d(\.\d+)?)?")  # when a checkpoint was signed, an export finished
NEW = re.compile(r'(?<="run":\{"id":)"[0-9a-f-]{36}"')  # a POST that begins something names it
RESULTS = ("audits", "research", "adjudication", "campaigns", "ledger/audits")
DESK = ("desk", "record", "api/v1/", "verify", "scratchpad", "me")
IN_PUBLIC = ("/ledger", "/verify/place/vote.commit/")
NEAREST = {
    "peer": ("desk", "record"),
    "waiter": ("desk",),
    "everybody": ("desk", "audits/<uuid:audit_id>/report", "research/exports/<", "adjudication"),
}
of_the_nearest = sweep_of("test_where_votes_are_nearest_nobody_sees_one")


@pytest.fixture(scope="module")
def hall(built_once: None) -> Iterator[Branches]:
    with override_settings(ACCOUNT_RATE_LIMITS=False):
        yield Branches()


@pytest.fixture(scope="module")
def peers(hall: Branches, tmp_path_factory: pytest.TempPathFactory) -> Seen:
    """By vote of the other: what a peer reads, the desk of who waits, and every log line."""

    def look(**narrowed: Any) -> dict[str, str]:
        desk = hall.seen_by(hall.waiter, only=("desk", "record", "api/v1/desk"), **narrowed)
        return hall.seen_by(hall.peer, **narrowed) | {f"waiting {asked}": said for asked, said in desk.items()}

    return looked(hall, look, VOTES, tmp_path_factory)


@pytest.fixture(scope="module")
def everybodys(hall: Branches, tmp_path_factory: pytest.TempPathFactory) -> Seen:
    """The same for a person with every role, who may read every page and take out every export."""
    return looked(hall, partial(hall.seen_by, hall.everybody), ("fail", "pass"), tmp_path_factory)


def looked(
    hall: Branches,
    look: Callable[..., dict[str, str]],
    votes: Iterable[str],
    homes: pytest.TempPathFactory,
    then: Callable[[], None] = lambda: None,
    has_looked: bool = False,
) -> Seen:
    """By vote: what a look shows, and what the whole system wrote down meanwhile."""
    if not has_looked:
        look(briefly=True)  # what is remembered after a first request is remembered now
    found: Seen = {}
    for vote in votes:
        with logged() as lines, hall.branch(VOTES[vote], homes.mktemp(vote), then):
            found[vote] = look()
        found[vote]["LOG"] = "\n".join(line for line in lines if not ("django.request" in line and "/ledger" in line))
    return found


def told_apart(one: dict[str, str], other: dict[str, str], *, sees_seals: bool = False) -> dict[str, tuple[str, str]]:
    """What differs, seals and their hashes in the public ledger apart."""
    return differences(
        *({asked: blinded(asked, said, sees_seals) for asked, said in seen.items()} for seen in (one, other))
    )


def blinded(asked: str, said: str, sees_seals: bool) -> str:
    address = path_of(asked)
    if address.startswith("/ledger/v1/tile/0/"):
        return f"{len(said)} bytes of hashes"
    if address.startswith("/ledger/checkpoints"):
        return re.sub(r"(?s)<svg.*?</svg>|[0-9a-f]{8,}|[\d.]+", "0", said)  # a drawing of when each was signed
    if address.startswith("/ledger/audits/") and "moments" in said:
        return "\n".join(re.findall(r"/ledger/leaves/\d+.*?</li>", said))  # grouped by the minute
    if sees_seals and address.endswith(".pdf"):
        return ""  # compressed, so that no seal in it can be masked; it says what the report says, which is compared
    if sees_seals or address.startswith("/ledger"):
        return NEW.sub("…", CLOCK.sub("…", SEALS.sub("…", said)))
    return said


def path_of(asked: str) -> str:
    """The address in "GET /desk"; "" of a mail and of the log."""
    return next((word for word in asked.split() if word.startswith("/")), "")


def test_where_votes_are_nearest_nobody_sees_one(hall: Branches, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Sealed, and while one is opened and its round not yet counted: to a peer, to who waits, and with every role."""
    people = {"peer": hall.peer, "waiter": hall.waiter, "everybody": hall.everybody}

    def look(**narrowed: Any) -> dict[str, str]:
        seen = {name: hall.seen_by(person, only=NEAREST[name], **narrowed) for name, person in people.items()}
        return {f"{name} {asked}": said for name, answers in seen.items() for asked, said in answers.items()}

    for then in (lambda: None, partial(close_and_open_one, hall)):
        has_looked = isinstance(then, partial)
        seen = looked(hall, look, ("fail", "pass"), tmp_path_factory, then, has_looked=has_looked)
        for name in people:
            fail, other = (of(seen[vote], name) for vote in ("fail", "pass"))
            assert len(fail) > 12
            assert told_apart(fail, other, sees_seals=name == "everybody") == {}


def of(seen: dict[str, str], name: str) -> dict[str, str]:
    """What one of several has seen, and what was written down."""
    return {asked: said for asked, said in seen.items() if asked.startswith((name, "LOG"))}


def close_and_open_one(hall: Branches) -> None:
    hall.close_and_open_one()
    assert Round.objects.get(pk=hall.seat.round_id).stage == "revealing"
    assert Vote.objects.get(seat=hall.seat).choice in hall.sealed


@of_the_nearest
@pytest.mark.parametrize("vote", ["pass", "abstain"])
def test_a_peer_receives_the_same_whatever_another_has_sealed(peers: Seen, vote: str) -> None:
    assert len(peers["fail"]) > 250
    assert told_apart(peers["fail"], peers[vote]) == {}


@of_the_nearest
def test_only_the_public_ledger_says_that_another_has_sealed(peers: Seen) -> None:
    differs = differences(peers["nothing"], peers["fail"])
    told = [asked for asked in differs if not path_of(asked).startswith(IN_PUBLIC)]
    assert differs
    assert told == [], differs[told[0]]


@of_the_nearest
def test_a_person_with_every_role_learns_no_sealed_vote_either(everybodys: Seen) -> None:
    assert told_apart(everybodys["fail"], everybodys["pass"], sees_seals=True) == {}
    assert sum("/file" in asked or "/stream/" in asked for asked in everybodys["fail"]) > 20


@of_the_nearest
def test_no_answer_to_a_post_tells_anybody_either(hall: Branches, tmp_path_factory: pytest.TempPathFactory) -> None:
    def look(**narrowed: Any) -> dict[str, str]:
        posted = hall.seen_by(hall.everybody, posts=True, **narrowed)
        return posted | hall.seen_by(hall.peer, posts=True, only=DESK, **narrowed)

    posted = looked(hall, look, ("fail", "pass"), tmp_path_factory)
    assert told_apart(posted["fail"], posted["pass"], sees_seals=True) == {}


@of_the_nearest
def test_what_is_opened_stays_hidden_until_the_round_is_counted(
    hall: Branches, peers: Seen, everybodys: Seen, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The window is closed, one vote is opened, the others are not: nobody sees how it went."""

    def look() -> dict[str, str]:
        return hall.seen_by(hall.peer, only=DESK) | hall.seen_by(hall.everybody, only=(*DESK, *RESULTS))

    # Both have seen all of these pages by now.
    opened = looked(
        hall,
        look,
        ("fail", "pass"),
        tmp_path_factory,
        partial(close_and_open_one, hall),
        has_looked=bool(peers and everybodys),
    )
    assert told_apart(opened["fail"], opened["pass"], sees_seals=True) == {}


@of_the_nearest
def test_every_address_that_could_tell_something_was_reached(peers: Seen, everybodys: Seen, hall: Branches) -> None:
    """By the peer or by the person with every role; a new route is reached too, or it is said why it tells nothing."""
    reading = [peek for peek in hall.peeks if not peek.posts]
    reached = {name for peek in reading for name, statuses in peek.statuses.items() if statuses & {200, 302, 405}}
    silent = {name for names in NOTHING_THERE.values() for name in names}
    everything = {name for name, _ in routes()}
    assert everything - reached - silent == set()
    assert silent - everything == set()


# -- the sweep bites: `sealed` is what no program can know ------------------------------------------------------------

Plant = Callable[[pytest.MonkeyPatch, Branches], None]


def on_a_page(plant: pytest.MonkeyPatch, hall: Branches) -> None:
    honest = desk.why_empty
    plant.setattr(desk, "why_empty", lambda **said: replace(honest(**said), text=hall.sealed))


def in_a_header(plant: pytest.MonkeyPatch, hall: Branches) -> None:
    def after(self: Any, request: Any, response: Any) -> Any:
        response["X-Served"] = hall.sealed
        return response

    plant.setattr(failures.NoStore, "after", after)


def in_a_log_line(plant: pytest.MonkeyPatch, hall: Branches) -> None:
    honest = desk.last_votes
    plant.setattr(desk, "last_votes", lambda **said: logging.getLogger("x").info(hall.sealed) or honest(**said))


def in_a_mail(plant: pytest.MonkeyPatch, hall: Branches) -> None:
    honest = digests.write_mail

    def write(**said: Any) -> Any:
        mail = honest(**said)
        mail.extra_headers["X-About"] = hall.sealed
        return mail

    plant.setattr(digests, "write_mail", write)


def in_an_export(plant: pytest.MonkeyPatch, hall: Branches) -> None:
    honest = services.SOURCES["segments"]
    plant.setitem(services.SOURCES, "segments", lambda scope: (row | {"label": hall.sealed} for row in honest(scope)))


def in_the_number_of_queries(plant: pytest.MonkeyPatch, hall: Branches) -> None:
    honest = desk.last_votes
    plant.setattr(desk, "last_votes", lambda **said: ("fail" in hall.sealed and Vote.objects.first()) or honest(**said))


LEAKS = (on_a_page, in_a_header, in_a_log_line, in_a_mail, in_an_export, in_the_number_of_queries)


@pytest.mark.parametrize("leak", sampled(LEAKS, one_in=3, first=1))
def test_a_planted_leak_is_found(
    leak: Plant, hall: Branches, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    def look(**narrowed: Any) -> dict[str, str]:
        exported = leak is in_an_export
        exports = hall.seen_by(hall.everybody, only=("research/exports/",), **narrowed) if exported else {}
        return hall.seen_by(hall.waiter, only=("desk",), **narrowed) | exports

    leak(monkeypatch, hall)
    seen = looked(hall, look, ("fail", "pass"), tmp_path_factory)
    assert told_apart(seen["fail"], seen["pass"], sees_seals=True)


def test_without_a_leak_the_same_look_finds_nothing(hall: Branches, tmp_path_factory: pytest.TempPathFactory) -> None:
    look = partial(hall.seen_by, hall.waiter, only=("desk",))
    seen = looked(hall, look, ("fail", "pass"), tmp_path_factory)
    assert told_apart(seen["fail"], seen["pass"], sees_seals=True) == {}
