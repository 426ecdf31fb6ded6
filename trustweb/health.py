"""Whether this installation takes what is handed in: asked by monitors, load balancers, containers and `serve` itself.

/healthz is 200 when every check holds. /healthz/reading forgives what only stops promises, so that a balancer goes on
sending readers to a site whose ledger is not signed: every page says so itself.
"""

import os
import ssl
import sys
import time
import urllib.request
from collections.abc import Callable

from django.core.cache import cache
from django.db import connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

from auditing.selectors.ledger.signing import find_full_disk, find_trouble
from trustweb import env
from trustweb.celery import ANSWERED
from trustweb.serve.code_version import find_newer_database

SILENT_SECONDS = 180.0  # one task may take 120: a worker that is busy for so long is not dead


def find_closed_database() -> str:
    """Why the database stores nothing; "" while it does. A lost one becomes 503 in middleware/failures.py."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('transaction_read_only') = 'on' OR pg_is_in_recovery()")
        if cursor.fetchone() == (True,):
            return "The database is read only."
        # The number of a transaction is given out, and written down, only where something can be written.
        cursor.execute("SELECT pg_current_xact_id()")
    return ""


def find_silent_worker() -> str:
    """Since when no worker has answered; "" while one does, and where none was ever asked (no beat runs)."""
    answered = cache.get(ANSWERED)
    if answered is None or time.time() - answered < SILENT_SECONDS:
        return ""
    at = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(answered))
    return f"No worker has answered since {at} UTC: what is handed in is kept, and waits."


# The one list: name -> what is wrong, "" while all is well.
CHECKS: dict[str, Callable[[], str]] = {
    "database": find_closed_database,
    "ledger": find_trouble,
    "disk": find_full_disk,
    "worker": find_silent_worker,
    "code": find_newer_database,
}
CANNOT_SERVE = frozenset({"disk"})  # another machine behind the same balancer should be asked


@require_safe
def show_health(request: HttpRequest, forgiven: bool = False) -> JsonResponse:
    """503 with Retry-After and every reason while a check fails; forgiven: only for what keeps pages from readers."""
    troubles = {name: trouble for name, find in CHECKS.items() if (trouble := find())}
    is_ill = CANNOT_SERVE & troubles.keys() if forgiven else troubles
    answer = {"status": "degraded", "troubles": troubles} if troubles else {"status": "ok"}
    return JsonResponse(answer, status=503 if is_ill else 200, headers={"Retry-After": "5"} if is_ill else None)


def main(port: int = 8000) -> int:
    """Ask the web server of this container; the exit code is what a container's health check reads."""
    headers = {"Host": env.get_text("ALLOWED_HOSTS", "localhost").split(",")[0].strip().lstrip(".")}
    is_encrypted = bool(os.environ.get("UVICORN_SSL_CERTFILE"))  # uvicorn reads it by itself, and speaks TLS alone then
    # A container that is started anew signs no ledger: it is ill only where it serves nobody.
    address = f"http{'s' * is_encrypted}://127.0.0.1:{port}/healthz/reading"
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if is_encrypted else None
    if context is not None:  # whose certificate it is concerns the proxy; here this container asks itself
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    request = urllib.request.Request(address, headers=headers)  # noqa: S310  http or https, as written above
    try:
        with urllib.request.urlopen(request, timeout=4, context=context) as answer:  # noqa: S310  likewise
            return int(answer.status != 200)
    except OSError:
        return 1


if __name__ == "__main__":
    sys.exit(main())
