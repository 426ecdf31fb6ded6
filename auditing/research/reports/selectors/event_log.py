"""Everything that happened, of all audits and of the system itself: narrowed, cut by keys, as a file.

Reads AuditEvent.
"""

import json
from collections.abc import Iterator
from datetime import date
from uuid import UUID

from django.db.models import Q, QuerySet

from accounts.listing import Column, Filter, Query, RowPage, page_of
from accounts.parameters import DAY
from auditing.core.events import EventKind
from auditing.core.values import Outcome, Tier
from auditing.models import AuditEvent
from auditing.research.reports.selectors.event_words import sentence
from hdag.rendering.states import word_of

# Ids grow with time, and an index stands on them: the newest page of ten million rows reads 51.
COLUMNS = (
    Column("when", "When", "pk"),
    Column("what", "What"),
    Column("who", "Who"),
    Column("of", "Of"),
    Column("more", "More"),
)
NEWEST = "-when"
EXPORTED = 50_000
KINDS = tuple((str(kind), str(kind).replace(".", ": ").replace("_", " ")) for kind in sorted(EventKind, key=str))
FILTERS = (
    Filter("q", "E-mail, pseudonym or id"),
    Filter("kind", "Kind", choices=KINDS),
    Filter("since", "Since (year-month-day)"),
    Filter("until", "Until"),
)


def log_page(*, query: Query, after: str = "") -> RowPage[AuditEvent]:
    """One page of the log."""
    return page_of(rows=_narrow(query), columns=COLUMNS, sort=query.sort, after=after)


def log_rows(*, query: Query) -> Iterator[tuple[object, ...]]:
    """The log as rows of a table, newest first; times in UTC."""
    yield ("when", "kind", "sentence", "who", "audit", "facts")
    for event in _narrow(query).order_by("-pk")[:EXPORTED].iterator():
        who = event.actor.pseudonym if event.actor else ""
        yield (event.at.isoformat(), event.kind, sentence(event=event), who, event.audit_id or "", facts_of(event))


def facts_of(event: AuditEvent) -> str:
    """The identifiers and counts of an event as one line of JSON."""
    return json.dumps(event.body, sort_keys=True, ensure_ascii=False) if event.body else ""


def fact_words(event: AuditEvent) -> str:
    """The same as words; of a long id its beginning, as the list's search takes the whole one from the file."""
    values = {name.replace("_", " "): str(value) for name, value in sorted(event.body.items()) if value not in ("", [])}
    return "; ".join(f"{name} {value[:8] if len(value) == 36 else _spoken(value)}" for name, value in values.items())


def _spoken(value: str) -> str:
    """An outcome or a tier as pages say it; whatever else an event holds stands as it is."""
    return word_of(value) if value in {*Outcome, *Tier} else value


def _narrow(query: Query) -> QuerySet[AuditEvent]:
    events = AuditEvent.objects.select_related("actor", "audit__trace")
    if query["kind"]:
        events = events.filter(kind=query["kind"])
    if day := _day(query["since"]):
        events = events.filter(at__date__gte=day)
    if day := _day(query["until"]):
        events = events.filter(at__date__lte=day)
    if words := query["q"]:
        people = Q(actor__email__icontains=words) | Q(actor__pseudonym__icontains=words)
        events = events.filter(people | _named(words))
    return events


def _named(text: str) -> Q:
    """Events of the audit, the campaign or the seat with this id; of none where it is no id."""
    try:
        key = UUID(text)
    except ValueError:
        return Q(pk__in=[])
    return Q(audit=key) | Q(body__campaign=str(key)) | Q(body__seat=str(key))


def _day(text: str) -> date | None:
    try:
        return None if DAY.refusal(text) else date.fromisoformat(text)
    except ValueError:
        return None
