"""The API against its own description, by schemathesis: no 500, and no answer that the description does not foresee.

`make fuzz` asks each operation many more questions. Half of the ids are true ones, so that questions come past the 404.
"""

import os
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from typing import Any

import hypothesis
import pytest
import schemathesis
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck
from schemathesis import checks
from schemathesis.specs.openapi import checks as described

from accounts.models import Role, User
from accounts.services.tokens import make_token
from auditing.models import Audit, Seat
from tests.factories.worlds import World, make_user
from tests.tools.peeking import UndoError, routes
from tests.tools.sweeping import sampled

EXAMPLES = 2_000 if os.environ.get("TRUST_FUZZ") == "whole" else 12
PATHS = sorted({re.sub(r"<\w+:(\w+)>", r"{\1}", f"/{route}") for _, route in routes() if route.startswith("api/v1/")})
CHECKS = [
    checks.not_a_server_error,
    described.status_code_conformance,
    described.content_type_conformance,
    described.response_headers_conformance,
    described.response_schema_conformance,
]


@cache
def operations() -> dict[str, list[Any]]:
    """By path: what may be asked there. Read when it is first needed, for every test process collects this file."""
    by_path = defaultdict(list)
    for answer in schemathesis.openapi.from_wsgi("/api/schema?format=json", WSGIHandler()).get_all_operations():
        by_path[answer.ok().path].append(answer.ok())
    return dict(by_path)


@pytest.fixture(autouse=True)
def open_connection() -> Iterator[None]:
    """A request of a real server ends with its connection; here the test's own transaction would end with it."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def person(recorded_hens: World, settings: Any) -> User:
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_CLASSES": []}
    return make_user("described@example.org", *Role.values)


def test_every_address_is_described_and_nothing_else() -> None:
    assert set(operations()) == set(PATHS)
    assert sum(map(len, operations().values())) > 20


@pytest.mark.parametrize("path", sampled(PATHS, one_in=4))
def test_an_address_answers_as_it_is_described(path: str, person: User, recorded_hens: World) -> None:
    key = make_token(user=person, name="described")[1]
    headers = {"Authorization": f"Bearer {key}", "Accept-Encoding": "identity"}
    known = {"audit_id": str(Audit.objects.get(stage="recorded").pk), "seat_id": str(Seat.objects.all()[0].pk)}
    for operation in operations()[path]:
        ask_much(operation, headers, known)


def ask_much(operation: Any, headers: dict[str, str], known: dict[str, str]) -> None:
    """Each question is undone, and half of them name what is there."""

    @hypothesis.settings(
        max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), database=None
    )
    @hypothesis.given(case=operation.as_strategy(), is_known=hypothesis.strategies.booleans())
    def ask(case: Any, is_known: bool) -> None:
        for parameter in (case.path_parameters or {}).keys() & known.keys() if is_known else ():
            case.path_parameters[parameter] = known[parameter]
        try:
            with transaction.atomic():
                case.call_and_validate(headers=headers, checks=CHECKS)
                raise UndoError
        except UndoError:
            pass

    ask()
