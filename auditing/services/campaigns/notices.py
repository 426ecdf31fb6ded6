"""News for people in the notification centre, each piece once; digests.py mails what stays unread.

Reads Seat, User; writes Notice, and tells open pages to count their badges anew.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import partial

from django.core.cache import cache
from django.db import connection, transaction
from django.db.models import QuerySet

from accounts.models import Role, User
from accounts.prepared import UNHURRIED_ALONE, Changes, PreparedUpdate, unhurried
from auditing import broadcast
from auditing.core.stages import SeatStage
from auditing.models import Audit, Notice, Seat, TraceOutcome
from auditing.selectors.campaigns.news import badge_key

# News that calls a person to the desk.
CALLS = frozenset({Notice.Kind.ASSIGNED, Notice.Kind.REVEALING})


def tell_people(*, people: Iterable[User], kind: str, key: str, text: str, link: str = "") -> int:
    """One piece of news for each of `people`; returns how many were addressed.

    The same key again tells nobody twice. Nor does a second call to the desk (`assigned`, `revealing`) while the first
    is neither read nor mailed: who has not come for one segment need not be told of the next.
    """
    rows = [
        Notice(user=person, kind=kind, key=key[:120], text=text[:300], link=link[:200])
        for person in _unheard(people, kind)
    ]
    # Unique constraints decide races; whoever was told already is left out by the database.
    Notice.objects.bulk_create(rows, ignore_conflicts=True)
    _say_changed(row.user for row in rows if not row.user.is_simulated)
    return len(rows)


def call_to_desk(*, calls: Mapping[str, Iterable[User]]) -> int:
    """Call people to the desk for many rounds in one insert; returns how many were addressed.

    calls: key of the news -> people, in order; who is called by an earlier key is not called again by a later one.
    """
    text, rows = "Segments wait for your vote.", []
    everybody = {person.pk: person for people in calls.values() for person in people}
    waiting = {person.pk for person in _unheard(everybody.values(), Notice.Kind.ASSIGNED)}
    for key, people in calls.items():
        called = {person.pk for person in people} & waiting
        # Nobody is called twice in one sweep, however many rounds wait for him.
        waiting -= called
        rows += [
            Notice(user=everybody[person_id], kind=Notice.Kind.ASSIGNED, key=key[:120], text=text, link="/desk")
            for person_id in called
        ]
    Notice.objects.bulk_create(rows, ignore_conflicts=True)
    _say_changed(row.user for row in rows if not row.user.is_simulated)
    return len(rows)


def _unheard(people: Iterable[User], kind: str) -> list[User]:
    """Those for whom this would be news: a call to the desk that stands open is none."""
    listed = list(people)
    if kind not in CALLS:
        return listed
    # A call that is still open: neither read nor mailed.
    called = Notice.objects.filter(user__in=listed, kind=kind, read_at__isnull=True, mailed_at__isnull=True)
    heard = set(called.values_list("user", flat=True))
    return [person for person in listed if person.pk not in heard]


def tell_outcome(*, audit: Audit) -> None:
    """The outcome is recorded: tell the provider, and the people who voted, who never learn the title."""
    # Where it fails, by its name alone: nothing of the text goes into a notice, which is mailed.
    failing = TraceOutcome.objects.filter(audit=audit).values_list("first_failing__label", flat=True).first()
    news = f"Recorded: {audit.trace.title[:200]} \u2014 {audit.outcome}{f', at {failing}' if failing else ''}."
    _tell_provider(audit, Notice.Kind.OUTCOME, f"outcome:{audit.pk}", news, f"/audits/{audit.pk}/report")
    text = "Segments you judged are decided; your record shows how your votes compare."
    tell_people(people=_voters(audit), kind=Notice.Kind.OUTCOME, key=f"decided:{audit.pk}", text=text, link="/record")


def tell_failure(*, audit: Audit) -> None:
    """The audit stopped for good: tell its provider; its page says why."""
    news = f"This audit stopped; its page says why: {audit.trace.title[:200]}."
    _tell_provider(audit, Notice.Kind.OUTCOME, f"failed:{audit.pk}", news, f"/audits/{audit.pk}")


def tell_deserted(*, audit: Audit, adjudicates: bool) -> None:
    """Nobody could be drawn in time: tell the provider and the admins, each once an audit."""
    end = "it stays undecided" if adjudicates else "an adjudicator is asked instead"
    news = f"Nobody was there to judge a part of a trace, and {end}: {audit.trace.title[:180]}."
    admins = User.objects.filter(grants__role=Role.ADMIN, is_active=True).exclude(pk=audit.trace.provider_id)
    tell_people(
        people=[audit.trace.provider, *admins.distinct()],
        kind=Notice.Kind.DECISION,
        key=f"{'unheard' if adjudicates else 'deserted'}:{audit.pk}",
        text=news,
        link=f"/audits/{audit.pk}",
    )


def tell_appeal(*, audit: Audit, by: User) -> None:
    """Somebody appeals: tell the provider and the people who voted, but not whoever appeals."""
    news = f"An appeal was made: {audit.trace.title[:200]}. A second audit has begun."
    if audit.trace.provider_id != by.pk:
        _tell_provider(audit, Notice.Kind.APPEAL, f"appeal:{audit.pk}", news, f"/audits/{audit.pk}")
    people = [voter for voter in _voters(audit) if voter.pk != by.pk]
    text = "An appeal was made against an audit you voted in; its points stay held until the second audit has ended."
    tell_people(people=people, kind=Notice.Kind.APPEAL, key=f"appealed:{audit.pk}", text=text, link="/points")


def _tell_provider(audit: Audit, kind: str, key: str, text: str, link: str) -> None:
    tell_people(people=[audit.trace.provider], kind=kind, key=key, text=text, link=link)


def _voters(audit: Audit) -> list[User]:
    seats = Seat.objects.filter(round__audit=audit, stage=SeatStage.REVEALED, auditor__user__isnull=False)
    return list(User.objects.filter(pk__in=seats.values("auditor__user"), is_active=True, is_simulated=False))


def open_news(*, user: User, key: int, now: datetime) -> str | None:
    """One piece of news is read, and earlier ones that say the same; its link, or None when it is not theirs."""
    notice = Notice.objects.filter(user=user, pk=key).first()
    if notice is None:
        return None
    _read(user, Notice.objects.filter(text=notice.text, link=notice.link, pk__lte=notice.pk), now)
    return notice.link


def mark_read(*, user: User, now: datetime) -> int:
    """Everything up to now is read."""
    return _read(user, Notice.objects.all(), now)


def answer_call(*, user: User, now: datetime) -> int:
    """The person took a seat at the desk: the call to it is answered."""
    answered = _answer.run(user=user.pk, now=now, is_alone=not connection.in_atomic_block)
    if answered:
        _say_changed([user])
    return answered


@PreparedUpdate
def _answer(user: int, now: datetime) -> Changes:
    calls = Notice.objects.filter(UNHURRIED_ALONE, user=user, kind=Notice.Kind.ASSIGNED, read_at__isnull=True)
    return calls, {"read_at": now}


def _read(user: User, notices: QuerySet[Notice], now: datetime) -> int:
    read = unhurried(notices.filter(user=user, read_at__isnull=True)).update(read_at=now)
    if read:
        _say_changed([user])
    return read


def _say_changed(people: Iterable[User]) -> None:
    """The badges of open pages count anew, after commit."""
    for person in people:
        # After the commit: a page that asks earlier would count, and cache, the old number.
        transaction.on_commit(partial(cache.delete, badge_key(user=person)), robust=True)
        broadcast.tell(f"news.{person.public_id}")
