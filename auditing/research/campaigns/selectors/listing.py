"""The list of campaigns that a person may see, with counts of their audits. Reads Campaign, Audit."""

from collections.abc import Sequence
from uuid import UUID

from django.db.models import Count, Q, QuerySet

from accounts.listing import Column, Filter, Query, RowPage, contains, page_of
from accounts.models import Role, User
from accounts.permissions import Person, has_role
from auditing.core.stages import AuditStage
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
        campaigns = campaigns.filter(contains("title", words) | contains("domain", words) | Q(pk=_uuid(words)))
    if state := query["state"]:
        campaigns = campaigns.filter(state=state)
    return page_of(rows=campaigns, columns=COLUMNS, sort=query.sort, after=after)


def managed_by(*, user: User) -> set[UUID]:
    """Keys of the campaigns that a person runs without being an admin."""
    return set(user.manages.values_list("pk", flat=True))


def open_campaigns(*, user: User, most: int) -> Sequence[Campaign]:
    """The newest open ones with their counts, for whoever is not an admin those they run, paused ones too."""
    campaigns = _visible(user).filter(state=Campaign.State.OPEN)
    if not has_role(user, Role.ADMIN):
        # A subquery, because a join would count the audits once a manager.
        campaigns = _visible(user).filter(pk__in=user.manages.exclude(state=Campaign.State.CLOSED).values("pk"))
    return list(campaigns.order_by(NEWEST)[:most])


def _visible(user: Person) -> QuerySet[Campaign]:
    # Without decoys, as on the campaign's page: a count that grew by itself would tell of them.
    handed_in = Q(audits__trace__decoy__isnull=True)
    recorded = handed_in & Q(audits__stage=AuditStage.RECORDED)
    counts = {"total": Count("audits", filter=handed_in), "done": Count("audits", filter=recorded)}
    campaigns = Campaign.objects.select_related("policy").annotate(**counts)
    if has_role(user, Role.ADMIN, Role.PROVIDER, Role.RESEARCHER):
        return campaigns
    # The rule of may_see_campaign once more as a condition, because a list cannot ask row by row and still page.
    if user.is_anonymous:
        return campaigns.none()
    visible = Q(pk__in=user.manages.values("pk"))
    if has_role(user, Role.REVIEWER):
        visible |= Q(open_to_all=True) | Q(pk__in=user.reviews_for.values("pk"))
    if has_role(user, Role.ADJUDICATOR):
        visible |= Q(any_adjudicator=True) | Q(pk__in=user.adjudicates_for.values("pk"))
    return campaigns.filter(visible)


def _uuid(text: str) -> UUID:
    """The id that somebody typed; for any other text one that no row has."""
    try:
        return UUID(text)
    except ValueError:
        return UUID(int=0)
