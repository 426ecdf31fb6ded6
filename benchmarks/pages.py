"""Server time of every page, as each role, beside many open segments: `python -m benchmarks.pages [beside] [repeats]`.

Asked (with 100,000 segments, the default): at most 60 ms in the median, and twelve statements, which a test counts
(tests/pages/test_every_page.py). A page is asked for through every middleware in one process, with the clock of the
wall, after two looks that nobody times; PostgreSQL knows its tables (ANALYZE).
"""

import os
import statistics
import sys
from time import perf_counter
from typing import Any

from tests.tools.services import own_services

BESIDE, REPEATS, ASKED = 100_000, 7, 60.0
SHOWN = 15
NO_PAGES = ("/admin/", "/api/", "/static/", "/accounts/", "/ledger/v1")


def main() -> None:
    """Make the world, look at every page, print the slowest."""
    beside, repeats = [*map(int, sys.argv[1:]), *(BESIDE, REPEATS)[len(sys.argv) - 1 :]]
    with own_services():
        import django

        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "trustweb.settings_test")
        django.setup()
        from django.conf import settings
        from django.core.management import call_command

        settings.ALLOWED_HOSTS = ["testserver"]  # setup_test_environment would note each template: half of a long page
        call_command("migrate", verbosity=0)
        _report(_looks(beside, repeats), beside, repeats)


def _looks(beside: int, repeats: int) -> dict[tuple[str, str], float]:
    """Milliseconds in the median, by page and role."""
    from django.test import Client

    people, pages = _world(beside)
    looks: dict[tuple[str, str], float] = {}
    for role, person in people.items():
        client = Client()
        client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
        for name, address in pages:
            if _is_page(client, address) and _is_page(client, address):
                looks[name, role] = statistics.median(_look(client, address) for _ in range(repeats))
    return looks


def _is_page(client: Any, address: str) -> bool:
    """Whether the role is let in, and gets a page to read."""
    from hdag.core.cid import CidError

    try:
        answer = client.get(address)
    except CidError:
        print(f"not looked at: {address} reads the texts of copies, which have none")
        return False
    return bool(answer.status_code == 200 and answer["Content-Type"].startswith("text/html") and not answer.streaming)


def _look(client: Any, address: str) -> float:
    began = perf_counter()
    client.get(address)
    return (perf_counter() - began) * 1000


def _world(beside: int) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """A person of each role and every page, by name and address: a recorded audit, one that waits, and what is beside.

    The open segments beside are of others, copied after those that there are.
    """
    from django.db import connection

    from auditing.models import Auditor, Round
    from tests.factories.worlds import TRACE, make_user, make_world
    from tests.tools.copies import copy_open_segments
    from tests.tools.peeking import addresses, routes

    world = make_world(reviewers=4)
    world.everybody_votes(world.submit())
    world.submit(TRACE, copy=True)
    world.settle_machines()
    reviewer, other = world.reviewers[0], Auditor.objects.get(user=world.reviewers[3])
    every = [(name, address) for name, route in routes() for address in addresses(route, most=1)]
    round = Round.objects.filter(tier="human", stage="committing").select_related("segment", "audit__trace")[0]
    copy_open_segments(after=round, auditor=other, count=beside, votes=0, tag="beside")
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    roles = ("admin", "researcher", "consumer", "adjudicator")
    others = {role: make_user(f"{role}@pages.example", role) for role in roles}
    pages = [(name, address) for name, address in every if not address.startswith(NO_PAGES)]
    return {"reviewer": reviewer, "provider": world.provider, **others}, pages


def _report(looks: dict[tuple[str, str], float], beside: int, repeats: int) -> None:
    slowest: dict[str, tuple[float, str]] = {}
    for (name, role), took in looks.items():
        slowest[name] = max(slowest.get(name, (0.0, "")), (took, role))
    ordered = sorted(((took, name, role) for name, (took, role) in slowest.items()), reverse=True)
    middle, above = statistics.median(took for took, _, _ in ordered), sum(took > ASKED for took, _, _ in ordered)
    print(
        f"{len(ordered)} pages beside {beside:,} open segments, load {os.getloadavg()[0]:.1f}; medians of {repeats} "
        f"looks of the role that waits longest: {middle:.0f} ms in the middle, {above} above {ASKED:.0f} ms"
    )
    for took, name, role in ordered[:SHOWN]:
        print(f"{took:6.0f} ms  {name} ({role})")


if __name__ == "__main__":
    main()
