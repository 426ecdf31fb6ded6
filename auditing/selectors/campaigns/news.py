"""Notifications of a person: how many are unread, the notification centre by page, whose mail is due. Reads Notice."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby

from django.core.cache import cache
from django.db.models import Exists, F, Max, OuterRef, Q

from accounts.models import Profile, User
from auditing.models import Notice

PAGE = 50
KEPT_SECONDS = 60  # every page shows the badge: it must not cost a query each time
SPAN = {
    Profile.Digest.HOURLY: timedelta(hours=1),
    Profile.Digest.DAILY: timedelta(days=1),
    Profile.Digest.WEEKLY: timedelta(days=7),
}
TITLES = {
    Notice.Kind.ASSIGNED: "Seats",
    Notice.Kind.REVEALING: "Openings",
    Notice.Kind.OUTCOME: "Outcomes",
    Notice.Kind.APPEAL: "Appeals",
    Notice.Kind.DANGER: "Danger",
    Notice.Kind.DECISION: "Decisions",
    Notice.Kind.REMINDER: "Reminders",
}


@dataclass(frozen=True, slots=True)
class News:
    """Neighbouring notices that say the same: the newest, and how many they are."""

    newest: Notice
    count: int

    @property
    def title(self) -> str:
        """The kind, as a person reads it."""
        return TITLES[Notice.Kind(self.newest.kind)]


@dataclass(frozen=True, slots=True)
class NewsPage:
    """One page of the notification centre, newest first, and the key of the next or None."""

    news: tuple[News, ...]
    next: int | None


def badge_key(*, user: User) -> str:
    """Where the cache keeps the number on the badge."""
    return f"news:{user.pk}"


def unread_count(*, user: User) -> int:
    """The number on the badge; read from the database at most once a minute, or when something changed."""
    count = cache.get(badge_key(user=user))
    if count is None:
        # Served by the partial index news_not_read: it holds unread rows only, however long the history is.
        count = Notice.objects.filter(user=user, read_at__isnull=True).count()
        cache.set(badge_key(user=user), count, KEPT_SECONDS)
    return int(count)


def news_page(*, user: User, after: int | None = None) -> NewsPage:
    """One page of the person's news, older than the notice numbered `after`."""
    # Keyset paging along the index news_of_a_person (user, -id).
    notices = Notice.objects.filter(user=user).order_by("-id")
    if after is not None:
        notices = notices.filter(pk__lt=after)
    rows = list(notices[: PAGE + 1])  # one more than is shown tells whether there is a next page
    return NewsPage(tuple(gather(rows[:PAGE])), rows[PAGE - 1].pk if len(rows) > PAGE else None)


def gather(notices: Iterable[Notice]) -> Iterator[News]:
    """Neighbours that say the same become one."""
    for _, same in groupby(notices, key=lambda notice: (notice.text, notice.link, notice.read_at is None)):
        rows = list(same)
        yield News(rows[0], len(rows))


def who_waits_for_mail() -> Iterator[User]:
    """Active people with unread, unmailed news who want mails, each with `last_mail`; whoever waits longest first."""
    waiting = Notice.objects.filter(user=OuterRef("pk"), mailed_at__isnull=True, read_at__isnull=True)
    people = User.objects.filter(Exists(waiting), is_active=True, is_simulated=False)
    people = people.filter(Q(profile__isnull=True) | ~Q(profile__digest=Profile.Digest.OFF))
    # One sweep mails a limited number of people: whoever was never mailed must not wait behind all others each time.
    dated = people.annotate(last_mail=Max("notices__mailed_at"))
    ordered = dated.order_by(F("last_mail").asc(nulls_first=True), "pk")
    return ordered.select_related("profile").iterator(chunk_size=500)


def is_due(*, user: User, last: datetime | None, now: datetime) -> bool:
    """Whether the person's digest may be mailed now: their rhythm, their quiet hours."""
    profile: Profile | None = getattr(user, "profile", None)
    digest = Profile.Digest(profile.digest) if profile else Profile.Digest.DAILY
    if digest not in SPAN or (profile is not None and profile.is_quiet(now=now)):
        return False
    return last is None or now - last >= SPAN[digest]
