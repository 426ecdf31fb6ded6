"""The list of campaigns that a person may see, with counts of their audits. Reads Campaign, Audit."""

from collections.abc import Sequence
from uuid import UUID

from django.db.models import Count, Q, QuerySet

from accounts.listing import Column, Filter, Query, RowPage, page_of
from accounts.models import Role
from accounts.permissions import Person, has_role
from auditing.models import Campaign

COLUMNS = (
    Column("state", "State", "state"),
    Column("title", "Campaign", "title"),
    Column("domain", "Field", "domain"),
    Column("policy", "Policy", "policy__number"),
    Column("done", "Recorded", "done", is_number=True),
    Column("total", "Audits", "total", is_number=True),
    Column("deadline", "Until"),
    Column("created", "Since", "created"),
)
FILTERS = (
    Filter("q", "Title, id or field"),
    Filter("state", "State", choices=tuple((state, state) for state in Campaign.State.values)),
)
NEWEST = "-created"


def campaign_rows(*, user: Person, query: Query, after: str = "") -> RowPage[Campaign]:
    """One page of the campaigns that permissions.may_see_campaign shows `user`, with counts of their audits."""
    campaigns = _visible(user)
    if words := query["q"]:
        campaigns = campaigns.filter(Q(title__icontains=words) | Q(domain__icontains=words) | Q(pk=_uuid(words)))
    if state := query["state"]:
        campaigns = campaigns.filter(state=state)
    return page_of(rows=campaigns, columns=COLUMNS, sort=query.sort, after=after)


def open_campaigns(*, user: Person, most: int) -> Sequence[Campaign]:
    """The newest open ones with their counts."""
    return list(_visible(user).filter(state=Campaign.State.OPEN).order_by(NEWEST)[:most])


def _visible(user: Person) -> QuerySet[Campaign]:
    counts = {"total": Count("audits"), "done": Count("audits", filter=Q(audits__stage="recorded"))}
    campaigns = Campaign.objects.select_related("policy").annotate(**counts)
    if has_role(user, Role.ADMIN, Role.PROVIDER, Role.RESEARCHER):
        return campaigns
    # The rule of may_see_campaign once more as a condition, because a list cannot ask row by row and still page.
    if user.is_anonymous:
        return campaigns.none()
    return campaigns.filter(Q(open_to_all=True) | Q(pk__in=user.reviews_for.values("pk")))


def _uuid(text: str) -> UUID:
    """The id that somebody typed; for any other text one that no row has."""
    try:
        return UUID(text)
    except ValueError:
        return UUID(int=0)
