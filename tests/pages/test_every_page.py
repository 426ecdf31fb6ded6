"""Every page as every role: no word of the code on it, and how many statements it takes.

In `make test` each page as two or three of the roles, in `make sweep` as all of them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import Role, User
from auditing.models import Seat
from auditing.research.comments.services import comment
from tests.factories.worlds import World, make_user
from tests.tools.peeking import addresses, routes
from tests.tools.sweeping import shares

pytestmark = pytest.mark.django_db
KEY = re.compile(r"\b[a-z]+(?:_[a-z0-9]+)+\b|\b(?:hung|llm|null|True|False)\b")
NOT_OURS = ("admin/", "api/", "static/", "accounts/", "ledger/v1")
NO_WORDS = {"script", "style", "code", "pre", "kbd", "math", "textarea"}
"""Code that stands there as code, and what somebody typed."""
VOID = {"input", "meta", "link", "br", "hr", "img", "path", "rect", "wbr", "col"}
THEIRS = {"max_tokens", "max_completion_tokens", "max_output_tokens"}
"""Fields of model servers, of which an admin chooses one by the name that their documents give it."""
SPOKEN = ("title", "aria-label", "placeholder", "alt")
MOST = 12
STRANGER = "stranger"


class Words(HTMLParser):
    """What a person reads or hears on a page; texts of traces and code left out."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[tuple[str, bool]] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self.words += [attributes[name] or "" for name in SPOKEN if name in attributes]
        if tag not in VOID:
            self.open.append((tag, tag in NO_WORDS or "data-trace" in attributes))

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not any(is_silent for _, is_silent in self.open):
            self.words.append(data)


@dataclass(frozen=True)
class Visit:
    """One page as one role sees it."""

    role: str
    name: str
    address: str
    keys: frozenset[str]
    statements: int


def keys_in(page: str) -> frozenset[str]:
    words = Words()
    words.feed(page)
    return frozenset(KEY.findall(" ".join(words.words))) - THEIRS


def visits_of(role: str, client: Client, routes: list[tuple[str, str]]) -> Iterator[Visit]:
    for name, route in routes:
        if route.startswith(NOT_OURS):
            continue
        for address in addresses(route, most=1):
            answer, count = counted(client, address)
            for _ in range(2):
                if count > MOST:  # what is kept for all pages is kept by then, unless a slow machine passed its seconds
                    answer, again = counted(client, address)
                    count = min(count, again)
            if answer.status_code == 200 and answer["Content-Type"].startswith("text/html") and not answer.streaming:
                yield Visit(role, name, address, keys_in(answer.content.decode()), count)


def counted(client: Client, address: str) -> tuple[Any, int]:
    """The answer, and how many statements it took."""
    with CaptureQueriesContext(connection) as statements:
        answer = client.get(address)
    return answer, len(statements)


@pytest.fixture(scope="module")
def people(_recorded_hens: Any, django_db_blocker: Any) -> dict[str, Any]:
    """By role a person, in a world where somebody has commented on a segment."""
    with django_db_blocker.unblock():
        world: World = _recorded_hens.afresh()
        # The reader beside a comment takes statements of its own.
        seat = Seat.objects.filter(round__tier="human", vote__isnull=False).select_related("round__audit")[0]
        round, author = seat.round, User.objects.get(auditor=seat.auditor_id)
        comment(audit=round.audit, segment=round.segment, by=author, text="So it is.", words="", place=None)
        others = ("admin", "researcher", "consumer", "adjudicator")
        people = {role: make_user(f"{role}@pages.example", role) for role in others}
        return {Role.REVIEWER: world.reviewers[0], Role.PROVIDER: world.provider, **people}


@pytest.fixture(scope="module", params=shares(3))
def visits(request: pytest.FixtureRequest, people: dict[str, Any], django_db_blocker: Any) -> list[Visit]:
    """Every page that each role is let into, or of each role one in some, other ones for the next role."""
    with django_db_blocker.unblock():
        found = list(visits_of(STRANGER, Client(), list(routes())[:: request.param]))
        for place, (role, person) in enumerate(people.items()):
            client = Client()
            client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
            found += visits_of(str(role), client, list(routes())[place % request.param :: request.param])
    return found


def test_no_page_says_a_key_of_the_code(visits: list[Visit]) -> None:
    assert {visit.role for visit in visits} == {STRANGER, *Role.values}
    assert {f"{visit.role} {visit.address}": set(visit.keys) for visit in visits if visit.keys} == {}


def test_each_page_takes_at_most_twelve_statements(visits: list[Visit]) -> None:
    worst: dict[str, int] = {}
    for visit in visits:
        worst[visit.name] = max(worst.get(visit.name, 0), visit.statements)
    print("\n".join(f"{count:3} {name}" for name, count in sorted(worst.items(), key=lambda pair: -pair[1])))
    assert {name: count for name, count in worst.items() if count > MOST} == {}


@pytest.mark.parametrize("page", ["<p>by noisy_and</p>", '<b title="hung">x</b>', "<td>llm</td>", "<option>theta_pass"])
def test_a_key_is_seen(page: str) -> None:
    assert keys_in(page)


@pytest.mark.parametrize("page", ["<code>noisy_and</code>", "<p data-trace><b>a_b</b></p>"])
def test_code_and_the_texts_of_traces_are_not_ours(page: str) -> None:
    assert not keys_in(page)
