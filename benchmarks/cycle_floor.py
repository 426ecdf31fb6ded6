"""The least that a cycle can cost: a bare Django view each for claim and seal, with a transaction of hand-written SQL.

No middleware, no sign-in, no receipt, no log. Measured beside the real cycle in the same run, in the same process and
the same PostgreSQL, so that the ratio of the two holds on any machine.
"""

import json
from collections.abc import Callable
from typing import Any

import httpx
from django.db import connection, transaction
from django.http import HttpRequest, JsonResponse
from django.urls import path

SEGMENTS = 1_000
WHO = 1
TABLES = """
CREATE TABLE floor_segment (id bigint PRIMARY KEY, body text NOT NULL);
CREATE TABLE floor_seat (id bigint PRIMARY KEY, segment_id bigint NOT NULL, state smallint NOT NULL DEFAULT 0,
    reviewer int, leased_at timestamptz);
CREATE TABLE floor_vote (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, seat_id bigint NOT NULL UNIQUE,
    segment_id bigint NOT NULL, reviewer int NOT NULL, verdict smallint NOT NULL,
    at timestamptz NOT NULL DEFAULT now());
CREATE INDEX floor_seat_open ON floor_seat (id) WHERE state = 0;
CREATE INDEX floor_vote_segment ON floor_vote (segment_id, reviewer);
"""
FILL = """
INSERT INTO floor_segment SELECT number, repeat('therefore the sum ', 45) FROM generate_series(1, %(count)s) AS number;
INSERT INTO floor_seat (id, segment_id) SELECT number, number FROM generate_series(1, %(count)s) AS number;
ANALYZE floor_segment; ANALYZE floor_seat;
"""
TAKE = """
UPDATE floor_seat SET state = 1, reviewer = %s, leased_at = now() WHERE id = (
    SELECT seat.id FROM floor_seat AS seat WHERE seat.state = 0 AND NOT EXISTS (
        SELECT FROM floor_vote AS vote WHERE vote.segment_id = seat.segment_id AND vote.reviewer = %s)
    ORDER BY seat.id LIMIT 1 FOR UPDATE SKIP LOCKED)
RETURNING id, segment_id, (SELECT body FROM floor_segment WHERE floor_segment.id = floor_seat.segment_id)
"""
VOTE = "INSERT INTO floor_vote (seat_id, segment_id, reviewer, verdict) VALUES (%s, %s, %s, 1)"
CLOSE = "UPDATE floor_seat SET state = 2 WHERE id = %s AND reviewer = %s AND state = 1"


def take(request: HttpRequest) -> JsonResponse:
    """The next open seat."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(TAKE, [WHO, WHO])
        seat, segment, body = cursor.fetchone()
    return JsonResponse({"seat": seat, "segment": segment, "text": body})


def close(request: HttpRequest) -> JsonResponse:
    """A vote on it."""
    vote = json.loads(request.body)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(VOTE, [vote["seat"], vote["segment"], WHO])
        cursor.execute(CLOSE, [vote["seat"], WHO])
    return JsonResponse({"ok": True}, status=201)


urlpatterns = [path("take", take), path("close", close)]


def floor_cycle() -> Callable[[], Any]:
    """Make the tables; what is returned does one cycle."""
    from django.core.handlers.wsgi import WSGIHandler
    from django.test import override_settings

    with connection.cursor() as cursor:
        cursor.execute(TABLES)
        cursor.execute(FILL, {"count": SEGMENTS})
    # Middleware is read once, when the application is made.
    with override_settings(MIDDLEWARE=[]):
        application = WSGIHandler()

    def bare(environ: Any, start: Any) -> Any:
        with override_settings(ROOT_URLCONF=__name__):
            return application(environ, start)

    client = httpx.Client(transport=httpx.WSGITransport(app=bare), base_url="http://localhost")

    def cycle() -> None:
        seat = client.post("/take").json()
        client.post("/close", json={"seat": seat["seat"], "segment": seat["segment"]}).raise_for_status()

    return cycle
