"""Default deny: every address of the URLconf, for a stranger and for every role."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from accounts.models import Role
from tests.factories.worlds import make_user
from tests.tools.sweeping import shares

pytestmark = pytest.mark.django_db
OPEN_TO_ALL = (
    "/healthz",
    "/api/docs",
    "/api/schema",
    "/accounts/",
    "/ledger",
    "/verify",
    "/ipfs",
    "/static/",
    "/theme",
    "/join",
    "/mail/stop/",
    "/shared/",
)
FRONT = "/"
SAMPLES = {"uuid": "00000000-0000-4000-8000-00000000cafe", "int": "1", "str": "x", "slug": "x", "path": "x"}


def addresses(patterns: list[Any], prefix: str = "/") -> Iterator[str]:
    """Every address of the URLconf with a made-up value for each argument, the admin site by its door alone."""
    for pattern in patterns:
        route = str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            if route == "admin/":
                yield "/admin/"
                continue
            yield from addresses(pattern.url_patterns, prefix + route)
        elif isinstance(pattern, URLPattern) and "(?P" not in route:
            yield prefix + _filled(pattern, route)


def _filled(pattern: URLPattern, route: str) -> str:
    for name, converter in pattern.pattern.converters.items():
        kind = type(converter).__name__.removesuffix("Converter").lower()
        kind = {"string": "str"}.get(kind, kind)
        value = SAMPLES.get(kind, "x")
        route = route.replace(f"<{kind}:{name}>", value).replace(f"<{name}>", value)
    return route


ALL = sorted(set(addresses(get_resolver().url_patterns)))
ROLES = [None, *Role.values]
CLOSED = [url for url in ALL if url != FRONT and not url.startswith(OPEN_TO_ALL)]


@pytest.mark.parametrize("url", CLOSED)
def test_a_stranger_gets_through_no_closed_door(url: str) -> None:
    for method in ("get", "post"):
        answer = getattr(Client(), method)(url)
        assert answer.status_code in (301, 302, 401, 403, 404, 405), (method, url, answer.status_code)
        assert answer.status_code not in (301, 302) or "login" in answer.headers["Location"], answer.headers


@pytest.mark.parametrize("one_in", shares(len(ROLES)))
@pytest.mark.parametrize("role", ROLES)
def test_no_role_makes_any_address_fail(role: str | None, one_in: int) -> None:
    """In `make test` each address for another role than the one before."""
    client = Client()
    client.force_login(
        make_user("x@example.org", *filter(None, [role])), backend="django.contrib.auth.backends.ModelBackend"
    )
    for url in ALL[ROLES.index(role) % one_in :: one_in]:
        if not url.startswith("/accounts/"):
            assert client.get(url).status_code < 500, url


def test_a_person_without_a_role_sees_nothing_of_the_corridor() -> None:
    client = Client()
    client.force_login(make_user("x@example.org"), backend="django.contrib.auth.backends.ModelBackend")
    own = ("/me", "/notices", "/people/invite", "/profile")
    for url in CLOSED:
        if not url.startswith(own):
            assert client.get(url).status_code in (302, 403, 404, 405), url
