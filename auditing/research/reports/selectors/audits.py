"""Lists of audits: filtered by title, id, domain, stage and campaign, never by trace text. Reads Audit, Decoy."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from accounts.listing import Column, RowPage, contains, page_of, read_sort
from accounts.models import Role
from accounts.parameters import read_text
from accounts.permissions import Person, has_role
from auditing.core.stages import CORRIDOR, AuditStage
from auditing.models import Audit, AuditEvent
from auditing.selectors.gold.decoys import NOT_DECOYS
from hdag.rendering.titles import spellings

COLUMNS = (
    Column("outcome", "Outcome", "outcome"),
    Column("title", "Trace", "trace__title"),
    Column("domain", "Field", "trace__domain"),
    Column("campaign", "Campaign", "campaign__title"),
    Column("stage", "Stage", "stage"),
    Column("created", "Since", "created"),
)
NEWEST = "-created"
MOST_OTHERS = 10  # audits of one text that its pages name


@dataclass(frozen=True, slots=True)
class AuditFilter:
    """What a list is narrowed to; unknown values narrow it to nothing rather than fail."""

    words: str = ""
    campaign: str = ""
    stage: str = ""
    domain: str = ""
    outcome: str = ""
    sort: str = NEWEST

    @classmethod
    def read(cls, params: Mapping[str, Any]) -> "AuditFilter":
        """From query parameters."""
        names = ("q", "campaign", "stage", "domain", "outcome")
        return replace(cls(*(read_text(params, name) for name in names)), sort=read_sort(params, COLUMNS, NEWEST))

    @property
    def is_narrow(self) -> bool:
        """Whether anything is left out."""
        return bool(self.words or self.campaign or self.stage or self.domain or self.outcome)


def list_audits(*, user: Person, filter: AuditFilter, after: str = "", whole: bool = False) -> RowPage[Audit]:
    """One page of the audits that `user` may read: two statements, whatever the page.

    whole: with what a report of each begins with.
    """
    # The usual order is that of the index audits_by_age (-created, -id), or audits_of_a_campaign: it reads 51 rows.
    # Decoys stand on the page of gold: a list of audits tells what became of traces that somebody handed in.
    audits = _narrow(readable(user=user, decoys=False), filter).select_related("trace", "campaign")
    if whole:
        audits = audits.select_related("trace__payload", "decomposition", "trace_outcome")
    return page_of(rows=audits, columns=COLUMNS, sort=filter.sort, after=after)


def readable(*, user: Person, decoys: bool = True) -> QuerySet[Audit]:
    """The audits that permissions.may_read_audit lets `user` read; `decoys` False leaves all of them out."""
    # Nothing is told of a decoy before gold.reveal has said that it was one, which every recorded audit has.
    opened = Q(stage=AuditStage.RECORDED) if decoys else Q()
    # One condition on them and no more: by two PostgreSQL would expect hardly a row, and read all to sort a page.
    everything = Audit.objects.filter(NOT_DECOYS | opened if decoys else NOT_DECOYS)
    if has_role(user, Role.ADMIN):
        return everything
    # The rule of may_read_audit once more as a condition, because a list cannot ask row by row and still page.
    allowed = Q(pk__in=[])  # nothing, unless a role adds something
    if has_role(user, Role.PROVIDER):
        allowed |= Q(trace__provider=user)
    if has_role(user, Role.RESEARCHER):
        allowed |= Q(stage=AuditStage.RECORDED)
    elif has_role(user, Role.CONSUMER):
        allowed |= Q(stage=AuditStage.RECORDED) & NOT_DECOYS
    return everything.filter(allowed)


def others_of_text(*, user: Person, audit: Audit) -> tuple[Audit, ...]:
    """The newest first audits of the same text of the same provider that `user` may read, without those of its chain.

    Whoever hands a text in until it passes shows the audits before that one as well.
    """
    # told by whoever read the audit for its page (lookup.py)
    if not getattr(audit, "has_others", True):
        return ()
    same = {"trace__provider": audit.trace.provider_id, "trace__digest": audit.trace.digest, "follows": None}
    others = readable(user=user, decoys=False).filter(**same)
    # An appeal stays in its trace and its campaign; the two audits name each other by themselves.
    others = others.exclude(trace=audit.trace_id, campaign=audit.campaign_id)
    return tuple(others.select_related("campaign").order_by(NEWEST, "pk")[:MOST_OTHERS])


def _narrow(audits: QuerySet[Audit], filter: AuditFilter) -> QuerySet[Audit]:
    if filter.stage:
        audits = audits.filter(stage=filter.stage)
    if filter.outcome:
        audits = audits.filter(outcome=filter.outcome)
    if filter.domain:
        audits = audits.filter(trace__domain=filter.domain)
    if filter.campaign:
        audits = audits.filter(campaign=_uuid(filter.campaign))
    if filter.words:
        words = contains("trace__title", filter.words) | contains("trace__external_id", filter.words)
        for spelling in spellings(text=filter.words):
            words |= Q(trace__tags__contains=[spelling])
        audits = audits.filter(words | Q(pk=_uuid(filter.words)))
    return audits


def _uuid(text: str) -> UUID:
    """The id that somebody typed; for any other text one that no row has."""
    try:
        return UUID(text)
    except ValueError:
        # Random ids (version 4) are never all zeros, so the query stays valid and matches nothing.
        return UUID(int=0)


def reached(*, audit: Audit) -> AuditStage:
    """The last stage of the corridor that an audit came to, also of one that failed or was withdrawn."""
    stage = AuditStage(audit.stage)
    if stage in CORRIDOR:
        return stage
    kinds = set(AuditEvent.objects.filter(audit=audit).values_list("kind", flat=True))
    return max((name for name in CORRIDOR if f"audit.{name}" in kinds), key=CORRIDOR.index, default=CORRIDOR[0])
