"""Lists of audits: filtered by title, id, domain, stage and campaign, never by trace text. Reads Audit, Decoy."""

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from accounts.models import Role
from accounts.parameters import read_text
from accounts.permissions import Person, has_role
from auditing.core.stages import AuditStage
from auditing.models import Audit
from auditing.selectors.gold.decoys import NOT_DECOYS

PAGE = 50


@dataclass(frozen=True, slots=True)
class AuditFilter:
    """What a list is narrowed to; unknown values narrow it to nothing rather than fail."""

    words: str = ""
    campaign: str = ""
    stage: str = ""
    domain: str = ""
    outcome: str = ""

    @classmethod
    def read(cls, params: Mapping[str, Any]) -> "AuditFilter":
        """From query parameters."""
        names = ("q", "campaign", "stage", "domain", "outcome")
        return cls(*(read_text(params, name) for name in names))


@dataclass(frozen=True, slots=True)
class AuditPage:
    """One page of audits, newest first, and the key of the next."""

    audits: list[Audit]
    next: str | None


def list_audits(*, user: Person, filter: AuditFilter, after: str | None = None) -> AuditPage:
    """One page of the audits that `user` may read: two queries at most, whatever the page."""
    # The order is that of the index audits_by_age (-created, -id), or audits_of_a_campaign: a page reads 51 rows.
    # Decoys stand on the page of gold: a list of audits tells what became of traces that somebody handed in.
    audits = (
        _narrow(readable(user=user).filter(NOT_DECOYS), filter)
        .select_related("trace", "campaign")
        .order_by("-created", "-pk")
    )
    # Keyset paging: the next page begins behind the last row shown, however many audits came in front meanwhile.
    if after and (key := _read_key(after)):
        created, pk = key
        audits = audits.filter(Q(created__lt=created) | Q(created=created, pk__lt=pk))
    page = list(audits[: PAGE + 1])
    more = len(page) > PAGE
    page = page[:PAGE]
    return AuditPage(page, _key(page[-1]) if more else None)


def readable(*, user: Person) -> QuerySet[Audit]:
    """The audits that permissions.may_read_audit lets `user` read."""
    # Nothing is told of a decoy before gold.reveal has said that it was one, which every recorded audit has.
    everything = Audit.objects.filter(NOT_DECOYS | Q(stage=AuditStage.RECORDED))
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
        audits = audits.filter(Q(trace__title__icontains=filter.words) | Q(pk=_uuid(filter.words)))
    return audits


def _uuid(text: str) -> UUID:
    """The id that somebody typed; for any other text one that no row has."""
    try:
        return UUID(text)
    except ValueError:
        # Random ids (version 4) are never all zeros, so the query stays valid and matches nothing.
        return UUID(int=0)


def _key(audit: Audit) -> str:
    return base64.urlsafe_b64encode(f"{audit.created.isoformat()} {audit.pk}".encode()).decode()


def _read_key(text: str) -> tuple[datetime, UUID] | None:
    try:
        created, _, pk = base64.urlsafe_b64decode(text[:200]).decode().partition(" ")
        at = datetime.fromisoformat(created)
        # A time without zone cannot be compared with the column: a cursor made by hand starts at the first page.
        return (at, UUID(pk)) if at.tzinfo else None
    except (ValueError, binascii.Error):
        return None
