"""Every address times every parameter times hostile values: no 500, no cut stream (docs/threats.md 54, 56).

`make test` asks a share of the addresses, `make sweep` all of them with a few values, `make fuzz` with all values.
"""

import json
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from django.db import transaction
from django.test import Client

from accounts.models import Role, User
from tests.factories.worlds import World, make_user
from tests.house.test_house import APPS, ROOT, name_of
from tests.tools.peeking import UndoError, addresses, routes, views
from tests.tools.sweeping import shares

HOSTILE = (
    "\x00",
    "a\x00b",
    "\ud800",
    "99999999",
    "999999999999",
    "9" * 25,
    "9" * 5_000,
    "-1",
    "1e999",
    "NaN",
    "²",
    "٣",
    "9999-99-99",
    "0000-00-00",
    "' OR 1=1; --",
    "user__password",
    "%s%n{0}{{7*7}}${7*7}",
    "../../etc/passwd",
    "\u202e\u200b" * 40,
    "[" * 3_000,
    "x" * 20_000,
    "AAAA",
    "9999-12-31T23:59:59+00:00 00000000-0000-4000-8000-000000000000",
    "OTk5OS0xMi0zMVQyMzo1OTo1OS0xNDowMCAwMDAwMDAwMC0wMDAwLTQwMDAtODAwMC0wMDAwMDAwMDAwMDA=",
)
READ = re.compile(r"(?:read_\w+\([\w.]+, |\.get\(|\.pop\(|in request\.(?:GET|POST)\b)\"([\w-]{1,40})\"")
FIELD = re.compile(r"^\s+(\w+)(?:: [^=\n]+)? = (?:forms|serializers)\.\w+", re.MULTILINE)
FILTER = re.compile(r"^    (\w+): str = ", re.MULTILINE)
SHARED = re.compile(r"filters|csv|domain|\btable|download", re.IGNORECASE)
WHOLE = os.environ.get("TRUST_FUZZ") == "whole"
BODIES = ("application/x-www-form-urlencoded", "application/json")
of_addresses = pytest.mark.parametrize("one_in", shares(5))


def sources() -> Iterator[Path]:
    for app in APPS:
        yield from (path for path in (ROOT / app).rglob("*.py") if "migrations" not in path.parts)


def parameters() -> list[str]:
    """Every name that some view, form, filter or serializer of ours reads."""
    names = {"between", "csv", "after", "before", "page", "format", "next", "formulas", "q", "o", "dag-scope"}
    for path in sources():
        text = path.read_text()
        names |= {*FIELD.findall(text), *FILTER.findall(text)}
        if "views" in name_of(path) or "api" in name_of(path) or "read_" in text:
            names |= set(READ.findall(text))
    return sorted(names)


NAMES = parameters()
ROUTES = sorted(set(routes()))


@pytest.fixture
def everybody(recorded_hens: World, settings: Any) -> Client:
    settings.ACCOUNT_RATE_LIMITS = False
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_CLASSES": []}
    user = make_user("fuzz@example.org", *Role.values)
    User.objects.filter(pk=user.pk).update(is_demo=True)
    client = Client(raise_request_exception=False)
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def fault_of(client: Client, method: str, address: str, body: str = "", media_type: str = BODIES[0]) -> str:
    """What is wrong with the answer, if anything; whatever the request did is taken back."""
    trouble, cookies = "", client.cookies.copy()
    with suppress(UndoError), transaction.atomic():
        answer = client.generic(method, address, body, media_type)
        try:
            b"".join(answer.streaming_content) if answer.streaming else answer.content  # type: ignore[attr-defined]
        except Exception as error:
            trouble = f"the stream broke off: {error!r}"
        if answer.status_code >= 500:
            trouble = f"{answer.status_code}: {getattr(answer, 'exc_info', ('', ''))[1]!r}"
        raise UndoError
    client.cookies = cookies
    return trouble and f"{method} {address[:150]} {body[:60]!r} {trouble}"


def query(value: str, names: list[str] = NAMES) -> str:
    return urlencode(dict.fromkeys(names, value.encode("utf-8", "surrogatepass")))


def all_addresses(one_in: int) -> list[tuple[str, str]]:
    return [(name, address) for name, route in ROUTES for address in addresses(route, most=1)][::one_in]


def is_swept(address: str) -> bool:
    return not address.startswith("/accounts/logout")


def test_the_parameters_are_found() -> None:
    assert {"csv", "upto", "domain", "after", "leaf", "turn", "stage", "split", "against", "theme"} <= set(NAMES)


def some(place: int, most: int) -> list[str]:
    """A few of the values, others for each place; all of them in `make fuzz`."""
    return list(HOSTILE) if WHOLE else [HOSTILE[(place * 7 + turn * 5) % len(HOSTILE)] for turn in range(most)]


def text_of(name: str) -> str:
    """The file of a view of ours."""
    view = getattr(views().get(name), "__module__", "")
    path = ROOT / (view.replace(".", "/") + ".py")
    return path.read_text() if view.startswith(APPS) and path.is_file() else ""


def read_by(name: str) -> list[str]:
    """The parameters that stand in the file of a view, and those that many share where it shows tables or filters."""
    if WHOLE:
        return NAMES
    text = text_of(name)
    shared = {"csv", "domain"} if SHARED.search(text) else set()
    return sorted({*READ.findall(text), *shared} & set(NAMES))


def reads_json(name: str, address: str) -> bool:
    """A page reads none: whatever is sent so is a form without a field."""
    return WHOLE or address.startswith("/api/") or "request.body" in text_of(name)


@of_addresses
def test_no_address_fails_by_a_hostile_value_of_all_parameters(everybody: Client, one_in: int) -> None:
    faults = [
        fault_of(everybody, "GET", f"{address}?{query(value)}")
        for place, (_, address) in enumerate(all_addresses(one_in))
        if is_swept(address)
        for value in some(place, 1)
    ]
    assert [fault for fault in faults if fault] == []


@of_addresses
def test_no_address_fails_by_one_parameter_alone(everybody: Client, one_in: int) -> None:
    """One hides another: whoever redirects by `leaf` reads no `after`."""
    faults = [
        fault_of(everybody, "GET", f"{address}?{query(value, [parameter])}")
        for place, (name, address) in enumerate(all_addresses(one_in))
        if is_swept(address)
        for turn, parameter in enumerate(read_by(name))
        for value in some(place + turn, 1)
    ]
    assert [fault for fault in faults if fault] == []


@pytest.mark.parametrize(
    ("address", "parameter"),
    [
        ("/research/outcomes", "domain"),
        ("/research/agreement", "domain"),
        ("/research/quality", "domain"),
        ("/research/outcomes", "csv"),
        ("/exports/votes.jsonl", "domain"),
        ("/audits", "after"),
        ("/ledger", "leaf"),
        ("/notices", "after"),
    ],
)
@pytest.mark.parametrize("value", ["\x00", "a\x00b", "9" * 12, "9" * 5_000, HOSTILE[-1]])
def test_what_once_failed_fails_no_more(everybody: Client, address: str, parameter: str, value: str) -> None:
    assert fault_of(everybody, "GET", f"{address}?{query(value, [parameter])}") == ""


@of_addresses
@pytest.mark.parametrize("media_type", BODIES)
def test_no_form_fails_by_a_hostile_value(everybody: Client, media_type: str, one_in: int) -> None:
    faults = []
    for place, (name, address) in enumerate(all_addresses(one_in)):
        if not is_swept(address) or (media_type == BODIES[1] and not reads_json(name, address)):
            continue
        for value in {*some(place, 1), "\x00"}:
            body = json.dumps(dict.fromkeys(NAMES, value)) if media_type == BODIES[1] else query(value)
            faults.append(fault_of(everybody, "POST", address, body, media_type))
    assert [fault for fault in faults if fault] == []


@of_addresses
def test_no_address_fails_by_a_hostile_part_of_its_path(everybody: Client, one_in: int) -> None:
    faults = []
    for _, route in ROUTES[::one_in]:
        if "<" in route:
            for value in some(len(route), 4):
                piece = quote(value.encode("utf-8", "surrogatepass"), safe="")
                address = "/" + re.sub(r"<[^>]+>", lambda _, piece=piece: piece, route)
                faults.append(fault_of(everybody, "GET", address))
    assert [fault for fault in faults if fault] == []


def test_pages_read_parameters_through_the_typed_reader_alone() -> None:
    """Found in the sources: whatever takes a value out of an address or a form by hand."""
    by_hand = re.compile(r"(?:\.GET|\.POST|query_params)(?:\.get|\.getlist|\[)")
    compared = {
        "hdag/views.py",
        "hdag/templatetags/trust.py",
        "accounts/templatetags/lists.py",
    }  # compared with fixed words, never used otherwise
    found = [name_of(path) for path in sources() if by_hand.search(path.read_text())]
    assert set(found) - compared == set()
