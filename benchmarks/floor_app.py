"""The floor as a server: two bare Django views over hand-written SQL, for `granian benchmarks.floor_app:application`.

It reads FLOOR_DATABASE_URL and has no middleware, no sign-in, no receipt and no log: the least that a cycle can cost.
"""

import json
import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import HttpRequest, JsonResponse
from django.urls import path

from trustweb import addresses

POOL = {"min_size": 1, "max_size": 8}
if not settings.configured:
    database = addresses.database(os.environ["FLOOR_DATABASE_URL"], kept=False)
    settings.configure(
        SECRET_KEY="no session is ever signed here",
        ALLOWED_HOSTS=["127.0.0.1"],
        ROOT_URLCONF=__name__,
        USE_TZ=True,
        LOGGING_CONFIG=None,
        DATABASES={
            "default": {**database, "CONN_MAX_AGE": 0, "OPTIONS": {**database.get("OPTIONS", {}), "pool": POOL}}
        },
    )

application = get_wsgi_application()

from django.db import connection, transaction  # noqa: E402

from benchmarks.cycle_floor import CLOSE, TAKE, VOTE  # noqa: E402


def take(request: HttpRequest) -> JsonResponse:
    """The next open seat of a segment that this client has not voted on."""
    who = int(request.headers["X-Who"])
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(TAKE, [who, who])
        row = cursor.fetchone()
    if row is None:
        return JsonResponse({"seat": None}, status=404)
    return JsonResponse({"seat": row[0], "segment": row[1], "text": row[2]})


def close(request: HttpRequest) -> JsonResponse:
    """A vote on it."""
    vote, who = json.loads(request.body), int(request.headers["X-Who"])
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(VOTE, [vote["seat"], vote["segment"], who])
        cursor.execute(CLOSE, [vote["seat"], who])
    return JsonResponse({"ok": True}, status=201)


urlpatterns = [path("take", take), path("close", close)]
