"""Whether this process can serve: asked by containers, load balancers and `serve` itself."""

import os
import sys
import urllib.request
from collections.abc import Callable

from django.db import connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

from auditing.selectors.ledger.signing import find_full_disk, find_trouble

# What else is looked at: name -> what is wrong, "" while all is well.
CHECKS: dict[str, Callable[[], str]] = {"ledger": find_trouble, "disk": find_full_disk}
CANNOT_SERVE = {"disk"}  # nothing can be written: another machine behind the same balancer should be asked


@require_safe
def show_health(request: HttpRequest) -> JsonResponse:
    """200 when the database answers and the disk has room; a lost database becomes 503 in middleware/failures.py.

    A ledger that is not signed is named and does not take the site down: it can be read, and says so itself.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    troubles = {name: trouble for name, find in CHECKS.items() if (trouble := find())}
    status = 503 if CANNOT_SERVE & set(troubles) else 200
    return JsonResponse({"status": "degraded", "troubles": troubles} if troubles else {"status": "ok"}, status=status)


def main() -> int:
    """Ask the web server of this container; the exit code is what a container's health check reads."""
    headers = {"Host": (os.environ.get("ALLOWED_HOSTS") or "localhost").split(",")[0]}
    request = urllib.request.Request("http://127.0.0.1:8000/healthz", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=4) as answer:  # noqa: S310  a fixed address
            return int(answer.status != 200)
    except OSError:
        return 1


if __name__ == "__main__":
    sys.exit(main())
