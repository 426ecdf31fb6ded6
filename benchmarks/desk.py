"""The desk's figures: claim and commit beside 1,000, 100,000 and more open segments; a long segment's page.

python -m benchmarks.desk [open segments ...]   (1,000, 100,000 and 1,000,000 unless said otherwise)

Times are wall times; the CPU time of this process stands beside them, because a machine that others use inflates only
the former.
"""

import os
import re
import statistics
import sys
from dataclasses import replace
from datetime import timedelta
from time import perf_counter, process_time
from typing import Any

from tests.tools.services import own_services

SIZES = (1_000, 100_000, 1_000_000)
MEASURED = 60
GROWTH = 1.3
HOUR = timedelta(hours=1)
OWN_VOTES = 25_000  # of each size; 50,000 in all


def main() -> None:
    """Start PostgreSQL and Redis, measure, stop."""
    sizes = tuple(int(one) for one in sys.argv[1:]) or SIZES
    with own_services():
        _measure(sizes)


def _measure(sizes: tuple[int, ...]) -> None:
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "trustweb.settings_test")
    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    world = _world()
    first = None
    have = 0
    for size in sizes:
        _fill(world, size, size - have)
        have = size
        p95, most, cpu = _claims(world)
        first = first or p95
        limit = f", {p95 / first:.2f} times the first (limit {GROWTH})" if size != sizes[0] else ""
        print(
            f"claim + commit beside {size:,} open segments: p95 {p95:.1f} ms, most {most:.1f} ms, "
            f"CPU {cpu:.1f} ms{limit}",
            flush=True,
        )
        _own_page(world)
        _sweeps(world)
        _other_pages(world)
    _long_page(world)


def _world() -> Any:
    """One reviewer, real seats to be measured in an audit of many steps."""
    from auditing.core.policy import FAST
    from hdag.core.values import Trace
    from tests.factories.worlds import make_world

    policy = replace(FAST, human=replace(FAST.human, k=1), short_trace_characters=10**6)
    world = make_world(reviewers=1, policy=policy)
    for number in range(8):
        steps = "\n\n".join(f"Then we look at flock {number} of barn {step} and count it." for step in range(24))
        world.submit(trace=Trace(problem="How many?", thinking=steps, answer="all", domain="other", title=str(number)))
    world.settle_machines()
    return world


def _fill(world: Any, size: int, count: int) -> None:
    """`count` more open segments; the measured reviewer is offered one in twenty and gave 50,000 votes at most."""
    from auditing.models import Auditor, Round
    from tests.tools.copies import copy_open_segments

    round = Round.objects.filter(tier="human", stage="committing").select_related("segment", "audit__trace").first()
    assert round is not None
    auditor = Auditor.objects.get(user=world.reviewers[0])
    copy_open_segments(after=round, auditor=auditor, count=count, votes=min(size // 2, OWN_VOTES), tag=f"b{size}")


def _claims(world: Any) -> tuple[float, float, float]:
    """(p95, most, mean CPU) in ms of claiming and sealing one vote, through the services."""
    from auditing.core.values import Choice
    from auditing.selectors.clock import database_now
    from auditing.services.seating.assignment import claim_next
    from auditing.services.seating.auditors import auditor_of
    from tests.factories.worlds import sealed_vote

    auditor = auditor_of(user=world.reviewers[0])
    times, cpu = [], 0.0
    for _ in range(MEASURED):
        started, began = perf_counter(), process_time()
        seat = claim_next(auditor=auditor, now=database_now())
        took = perf_counter() - started
        cpu += process_time() - began
        vote = sealed_vote(seat=seat, choice=Choice.PASS, confidence=9000, reveal_key=world.reveal_key.public_key())
        started, began = perf_counter(), process_time()
        _accept(seat, auditor, vote)
        times.append(1000 * (took + perf_counter() - started))
        cpu += process_time() - began
    return statistics.quantiles(times, n=20)[-1], max(times), 1000 * cpu / MEASURED


def _accept(seat: Any, auditor: Any, vote: Any) -> None:
    from auditing.selectors.clock import database_now
    from auditing.services.voting.commitment import accept

    accept(seat_id=seat.pk, auditor=auditor, vote=vote, now=database_now())


def _own_page(world: Any) -> None:
    """The desk of somebody who gave all those votes: the trap of a plain "my last votes"."""
    client = _signed_in(world.reviewers[0])
    wall, cpu, _ = _page(client, times=8)
    print(f"  the desk of this reviewer, {_votes(world):,} own votes: {wall:.0f} ms, CPU {cpu:.0f} ms", flush=True)


def _sweeps(world: Any) -> None:
    """What the walker asks every three seconds, with nothing due."""
    from auditing.models import Seat
    from auditing.selectors.clock import database_now
    from auditing.services import corridor
    from auditing.services.seating import assignment

    Seat.objects.filter(stage="held", lease_until__lte=database_now()).update(lease_until=database_now() + HOUR)
    asked = {
        "all sorts of due work": lambda now: corridor.sorts_due(now=now),
        "people who left": lambda now: assignment.sweep_unfit(now=now),
    }
    said = []
    for name, ask in asked.items():
        now, times = database_now(), []
        for _ in range(9):
            started = perf_counter()
            found = ask(now)
            times.append(1000 * (perf_counter() - started))
        said.append(
            f"{name} {statistics.median(times):.1f} ms (found {found if isinstance(found, int) else len(found)})"
        )
    print(f"  the walker's sweeps: {', '.join(said)}", flush=True)


def _other_pages(world: Any) -> None:
    """Pages that people open all day, beside all those rows; the empty desks of a newcomer and of a conflicted one."""
    from accounts.models import Profile
    from auditing.models import Audit
    from tests.factories.worlds import make_user

    admin = _signed_in(world.campaign.owner)
    reviewer = _signed_in(world.reviewers[0])
    number = Audit.objects.count()
    late = make_user(f"late{number}@example.org", "reviewer")
    barred = make_user(f"barred{number}@example.org", "reviewer")
    Profile.objects.create(user=barred, conflicts=[world.provider.email])
    real = Audit.objects.filter(stage="auditing", trace__payload__cid__startswith="bafk")
    some = real.values_list("pk", flat=True)[0]
    pages = (
        (admin, "/audits"),
        (admin, f"/audits?campaign={world.campaign.pk}"),
        (admin, f"/audits/{some}"),
        (admin, "/campaigns"),
        (admin, f"/campaigns/{world.campaign.pk}"),
        (admin, "/me/news"),
        (admin, "/erasures"),
        (admin, "/people"),
        (admin, "/ledger"),
        (admin, "/"),
        (reviewer, "/record"),
        (reviewer, "/points"),
        (reviewer, "/me/news"),
        (_signed_in(world.provider), "/audits"),
        (_signed_in(late), "/desk/waiting"),
        (_signed_in(barred), "/desk/waiting"),
    )
    for client, address in pages:
        started = perf_counter()
        answer = client.get(address, follow=True)
        if answer.status_code != 200:
            print(f"  {address}: {answer.status_code}", flush=True)
            continue
        first = 1000 * (perf_counter() - started)
        wall, cpu, _ = _page(client, times=3, address=answer.request["PATH_INFO"] + _query(address))
        why = re.search(rb'data-reason="(\w+)"', answer.content)
        name = address.replace(str(some), "...") + (f" ({why[1].decode()})" if why else "")
        print(f"  {name}: first {first:.0f} ms, then {wall:.0f} ms, CPU {cpu:.0f} ms", flush=True)


def _query(address: str) -> str:
    return "?" + address.partition("?")[2] if "?" in address else ""


def _votes(world: Any) -> int:
    from auditing.models import Commitment

    return Commitment.objects.filter(seat__auditor__user=world.reviewers[0]).count()


def _signed_in(user: Any) -> Any:
    from django.test import Client

    client = Client(headers={"host": "localhost"})
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def _page(client: Any, times: int, address: str = "/desk") -> tuple[float, float, bytes]:
    """(median wall, median CPU) in ms of a page that was rendered once before, and the page."""
    client.get(address)
    walls, cpus, body = [], [], b""
    for _ in range(times):
        started, began = perf_counter(), process_time()
        answer = client.get(address)
        walls.append(1000 * (perf_counter() - started))
        cpus.append(1000 * (process_time() - began))
        assert answer.status_code == 200, answer.status_code
        body = answer.content
    return statistics.median(walls), statistics.median(cpus), body


def _long_page(world: Any) -> None:
    """A segment of 100 kB with 200 formulas: the page's server time after the first rendering."""
    from django.db.models import F
    from django.db.models.functions import Now

    from auditing.core.policy import FAST
    from auditing.models import Auditor, Seat
    from hdag.core.values import Trace
    from tests.factories.worlds import make_user

    filler = "we carry the term along and compare it with the one before " * 8
    text = " ".join(f"{filler} $x_{{{n}}}^2 + \\frac{{{n}}}{{3}} = y_{{{n}}}$" for n in range(200))
    assert FAST.short_trace_characters < len(text)
    world.reviewers = [make_user("long@example.org", "reviewer")]
    world.campaign.reviewers.set(world.reviewers)
    type(world.campaign).objects.filter(pk=world.campaign.pk).update(open_to_all=False)
    world.submit(trace=Trace(problem="Carry it.", thinking=text, answer="y", domain="other", title="long"))
    world.settle_machines()
    auditor = Auditor.objects.get(user=world.reviewers[0])
    longest = Seat.objects.filter(auditor=auditor).annotate(size=F("round__segment__end") - F("round__segment__start"))
    Seat.objects.filter(pk=longest.order_by("-size")[0].pk).update(wanted_by=Now())  # first in the own queue
    client = _signed_in(world.reviewers[0])
    started = perf_counter()
    client.get("/desk")
    first = 1000 * (perf_counter() - started)
    wall, cpu, page = _page(client, times=12)
    assert page.count(b"<math") >= 200, page.count(b"<math")
    empty, empty_cpu, _ = _page(client, times=8, address="/me/news")
    print(
        f"desk of a segment of {len(text) / 1000:.0f} kB with 200 formulas: first {first:.0f} ms, then {wall:.0f} ms "
        f"(limit 150 ms), CPU {cpu:.0f} ms, page {len(page) / 1000:.0f} kB; an empty page {empty:.0f} ms, "
        f"CPU {empty_cpu:.0f} ms"
    )


if __name__ == "__main__":
    main()
