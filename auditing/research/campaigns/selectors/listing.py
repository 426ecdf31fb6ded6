"""The list of campaigns that a person may see, with counts of their audits. Reads Campaign, Audit."""

from collections.abc import Sequence
from uuid import UUID

from django.db.models import Count, Q

from accounts.models import Role
from accounts.permissions import Person, has_role
from auditing.models import Campaign

PAGE = 200


def list_campaigns(*, user: Person, words: str = "", state: str = "") -> Sequence[Campaign]:
    """Campaigns that permissions.may_see_campaign shows `user`, newest first, with counts."""
    campaigns = Campaign.objects.select_related("policy").annotate(
        total=Count("audits"), done=Count("audits", filter=Q(audits__stage="recorded"))
    )
    # the same rule as may_see_campaign, as a condition of the query
    if not has_role(user, Role.ADMIN, Role.PROVIDER, Role.RESEARCHER):
        if user.is_anonymous:
            return []
        campaigns = campaigns.filter(Q(open_to_all=True) | Q(pk__in=user.reviews_for.values("pk")))
    if words:
        campaigns = campaigns.filter(Q(title__icontains=words) | Q(domain__icontains=words) | Q(pk=_uuid(words)))
    if state in Campaign.State.values:
        campaigns = campaigns.filter(state=state)
    # No pages: beyond 200 campaigns people search by words.
    return list(campaigns.order_by("-created")[:PAGE])


def _uuid(text: str) -> UUID:
    """The id that somebody typed; for any other text one that no row has."""
    try:
        return UUID(text)
    except ValueError:
        return UUID(int=0)
