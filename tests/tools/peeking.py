"""Everything that one person receives over HTTP: each route of the URLconf, with every key that leads somewhere.

A new route is swept by itself; a new kind of parameter fails with KeyError until KEYS says what to put in its place.
"""

import functools
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.cache import cache
from django.db import connection, transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from accounts.models import ApiToken, Invitation, User
from auditing.models import (
    Audit,
    Auditor,
    Campaign,
    Checkpoint,
    Commitment,
    ConductCase,
    Document,
    Erasure,
    GoldSegment,
    Leaf,
    Notice,
    PolicyVersion,
    Round,
    Seat,
    Share,
    Withdrawal,
)
from auditing.research.exports.formats import DATASETS
from auditing.research.models import (
    CausalBatch,
    Comment,
    ExportJob,
    ImportedVoteSet,
    NormingRoom,
    StudyRun,
    TrainingLoop,
)
from auditing.selectors.campaigns.news import badge_key
from auditing.translog.receipt import Kind
from hdag.models import Endpoint, Segment, Trace

NOBODY = "00000000-0000-4000-8000-00000000cafe"
REQUEST_ID = "X-Request-Id"
QUERIES = {"block": ("?format=raw", "?format=car")}  # what a route needs to be asked beside its path
EACH = {"export_file", "export_stream", "open_news"}  # what leaves the house is looked at whole
HTMX = {"HX-Request": "true", "HX-Target": "reading"}
_PIECE = re.compile(r"<([^>]+)>")
_REGEX = re.compile(r"\(\?P<(\w+)>[^()]*\)|[$^]")
# Each begins with letters of its own: a search that may begin in three ways looks three times at every letter.
_FORMS = tuple(
    re.compile(pattern)
    for pattern in (
        r'(csrfmiddlewaretoken" value=")[A-Za-z0-9]{64}',
        r'(X-CSRFToken": ?")[A-Za-z0-9]{64}',
        r'(name="key" value=")[0-9a-f-]{36}',  # of a form that is sent once, however often it is pressed
        r"(data-now=\")[^\"]*",
    )
)
_SIGNED = re.compile(r"(messages=[^:;]*):[^;]*;")  # the payload stays, its signature holds the time
_COOKIE = re.compile(r"(?:csrftoken|sessionid)=[^;]*;|expires=[^;]*;|'(?:Expires|Last-Modified)': '[^']*'")


def first_of(model: Any, *fields: str, most: int = 2, **narrowed: Any) -> Callable[[], list[Any]]:
    """Keys of the first few rows."""
    rows = model.objects.filter(**narrowed).order_by("pk")  # the same ones in every branch, wherever they lie
    return lambda: list(rows.all().values_list(*(fields or ("pk",)), flat=True)[:most])


def _seats() -> list[Any]:
    """One seat of each of two people, and one that is sealed."""
    sealed = (
        Commitment.objects.filter(seat__auditor__tier="human").order_by("committed_at").values_list("seat", flat=True)
    )
    people = Seat.objects.filter(auditor__tier="human").order_by("auditor__user", "pk").distinct("auditor__user")
    return [*people.values_list("pk", flat=True)[:2], *sealed[:1]]


def _leaves() -> list[Any]:
    """The first leaf and the newest ones: what has just been sealed stands there."""
    return [0, *Leaf.objects.filter(index__isnull=False).order_by("-index").values_list("index", flat=True)[:3]]


def _tiles() -> list[str]:
    size = Checkpoint.objects.order_by("-size").values_list("size", flat=True)[0]
    return [f"{kind}/000.p/{size}" for kind in ("0", "entries")]


def _subjects() -> list[Any]:
    return [*_seats(), *Audit.objects.order_by("pk").values_list("pk", flat=True)[:1]]


KEYS: dict[str, Callable[[], Iterable[Any]]] = {
    "uuid:audit_id": first_of(Audit),
    "uuid:share_id": first_of(Share),
    "uuid:withdrawal_id": lambda: [*first_of(Withdrawal)(), UUID(int=7)],
    "uuid:comment_id": first_of(Comment),
    "uuid:seat_id": _seats,
    "uuid:round_id": first_of(Round, tier="human"),
    "uuid:campaign_id": first_of(Campaign),
    "str:label": first_of(Segment, "label", most=3, level="operation"),
    "int:index": _leaves,
    "path:tile": _tiles,
    "path:name": lambda: [*first_of(Trace, "payload", most=1)(), *first_of(Segment, "block", most=1)()],
    "uuid:job_id": first_of(ExportJob, most=20),
    "uuid:public_id": lambda: [
        *first_of(ApiToken, "public_id")(),
        *first_of(Invitation, "public_id")(),
        *first_of(User, "public_id")(),
    ],
    "str:secret": lambda: ["x000"],
    "str:token": lambda: ["x000"],
    "int:key": lambda: Notice.objects.order_by("user", "pk").distinct("user").values_list("pk", flat=True)[:8],
    "key": lambda: ["x000"],
    "uidb36": lambda: ["x"],
    "str:kind": lambda: list(Kind),
    "uuid:subject": _subjects,
    "int:number": first_of(PolicyVersion, "number", most=1),
    "slug:name": lambda: ["failure"],
    "slug:digest": lambda: ["x000"],
    "slug:key": lambda: ["x000"],
    "slug:dataset": lambda: list(DATASETS),
    "slug:task": lambda: ["dpo"],
    "uuid:run_id": first_of(StudyRun),
    "uuid:loop_id": first_of(TrainingLoop),
    "uuid:case_id": lambda: [*first_of(ConductCase)(), UUID(int=7)],
    "uuid:room_id": lambda: [*first_of(NormingRoom)(), UUID(int=7)],
    "uuid:evaluation_id": list,
    "uuid:batch_id": first_of(CausalBatch),
    "int:trial_id": lambda: [1],
    "uuid:set_id": first_of(ImportedVoteSet),
    "uuid:endpoint_id": first_of(Endpoint),
    "int:document_id": lambda: first_of(Document)() or [1],
    "uuid:erasure_id": first_of(Erasure),
    "uuid:gold_id": first_of(GoldSegment),
    "uuid:auditor_id": first_of(Auditor),
    "path:content_type_id": lambda: ["1"],
    "path:object_id": lambda: ["1"],
    "app_label": lambda: ["account"],
    "url": lambda: ["x"],
}


@functools.cache
def views() -> dict[str, Any]:
    """What answers at a route, by its name."""

    def walk(patterns: list[Any]) -> Iterator[tuple[str, Any]]:
        for pattern in patterns:
            if isinstance(pattern, URLResolver):
                yield from walk(pattern.url_patterns)
            else:
                yield str(pattern.name), pattern.callback

    return dict(walk(get_resolver().url_patterns))


@functools.cache
def knows_htmx(name: str) -> bool:
    """Whether the view's file looks for htmx: any other answers htmx as it answers everybody."""
    path = getattr(sys.modules.get(getattr(views()[name], "__module__", "")), "__file__", None)
    return bool(path and "htmx" in Path(path).read_text())


def routes(patterns: list[Any] | None = None, before: str = "") -> Iterator[tuple[str, str]]:
    """(name, route) of everything in the URLconf."""
    for one in get_resolver().url_patterns if patterns is None else patterns:
        if isinstance(one, URLResolver):
            yield from routes(one.url_patterns, before + str(one.pattern))
        elif isinstance(one, URLPattern):
            yield (
                str(one.name),
                _REGEX.sub(lambda found: f"<{found[1]}>" if found[1] else "", before + str(one.pattern)),
            )


def addresses(route: str, most: int = 4) -> list[str]:
    """The route with keys in the place of every parameter. Raises KeyError for an unknown parameter."""
    found = [""]
    for number, piece in enumerate(_PIECE.split(route)):
        keys = list(KEYS[piece]())[:most] or [NOBODY] if number % 2 else [piece]
        found = [f"{before}{key}" for before in found for key in keys]
    return ["/" + one for one in found]


class UndoError(Exception):
    """Ends a branch of the world: nothing of it stays."""


@dataclass
class Peek:
    """One signed-in person who looks everywhere; `seen` by what was asked, `statuses` by the name of the route."""

    user: Any
    only: tuple[str, ...] = ()  # beginnings of routes; all without one
    posts: bool = False  # instead of reading
    briefly: bool = False  # one address of each route, asked once
    seen: dict[str, str] = field(default_factory=dict)
    statuses: dict[str, set[int]] = field(default_factory=dict)

    def everywhere(self) -> dict[str, str]:
        """GET, GET by htmx where a view knows it, OPTIONS; or an empty POST to every address, each taken back."""
        self.client = Client(raise_request_exception=False)
        self.client.force_login(self.user, backend="django.contrib.auth.backends.ModelBackend")
        self.cookies = self.client.cookies.copy()
        for name, route in routes():
            if not self.only or route.startswith(self.only):
                for address in addresses(route, most=self._most(name, route)):
                    for query in QUERIES.get(name, ("",)):
                        self._visit(name, address + query)
        return self.seen

    def _most(self, name: str, route: str) -> int:
        if self.briefly:
            return 1
        return 100 if name in EACH and not self.posts else 2 if "job_id" in route else 4

    def _visit(self, name: str, address: str) -> None:
        if self.posts:
            with suppress(UndoError), transaction.atomic():
                self.ask(name, "POST", address)
                raise UndoError
            return
        answer = self.ask(name, "GET", address)
        if self.briefly:
            return
        if is_page(answer) and knows_htmx(name):
            self.ask(name, "GET", address, **HTMX)
        if address.startswith("/api/") and answer.status_code in (200, 405):
            self.ask(name, "GET", f"{address}?format=api", Accept="text/html")
            self.ask(name, "OPTIONS", address)

    def ask(self, name: str, method: str, address: str, **headers: str) -> Any:
        """One request, written down whole: status, number of queries, headers, cookies, body."""
        self.client.cookies = self.cookies.copy()
        cache.delete_many(
            ["llm_tier", "ledger_trouble", badge_key(user=self.user)]
        )  # kept for some seconds, whatever happens
        queries: list[str] = []
        with connection.execute_wrapper(lambda run, sql, *rest: (queries.append(sql), run(sql, *rest))[1]):
            answer = self.client.generic(method, address, "", "application/json", headers=headers)
        body = b"".join(answer.streaming_content) if answer.streaming else answer.content  # type: ignore[attr-defined]
        asked = " ".join((method, address, *headers.values()))
        told = f"{answer.status_code} {len(queries)} queries\n{answer.headers}\n{answer.cookies}\n"
        self.seen[asked] = _without_chance(told, body.decode("latin-1"), answer.headers.get(REQUEST_ID, "-"))
        if not headers:
            self.statuses.setdefault(name, set()).add(answer.status_code)
        return answer


def is_page(answer: Any) -> bool:
    """Whether it is what a browser shows, which htmx may ask for in pieces."""
    return bool(answer.status_code == 200 and answer.headers.get("Content-Type", "").startswith("text/html"))


def _without_chance(told: str, body: str, request_id: str) -> str:
    """What differs at every request is the request's name, its form tokens and its cookies; nothing else."""
    for form in _FORMS:
        body = form.sub(r"\1…", body)
    return (_COOKIE.sub("", _SIGNED.sub(r"\1;", told)) + body).replace(request_id, "…")


def differences(one: dict[str, str], other: dict[str, str]) -> dict[str, tuple[str, str]]:
    """What was answered differently, with the place where it begins to differ."""
    found = {asked: (one.get(asked, ""), other.get(asked, "")) for asked in sorted(one.keys() | other.keys())}
    return {asked: _around(*pair) for asked, pair in found.items() if pair[0] != pair[1]}


def _around(one: str, other: str) -> tuple[str, str]:
    at = next(place for place, (a, b) in enumerate(zip(one + "\0", other + "\0", strict=False)) if a != b)
    return one[max(0, at - 80) : at + 80], other[max(0, at - 80) : at + 80]
