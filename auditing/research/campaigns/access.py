"""Which campaign a request means, and whether its person may look at it, run it, or name people in it."""

from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import Http404

from accounts.models import User
from accounts.permissions import Person, Role
from auditing.models import Campaign
from auditing.permissions import may_manage, may_run, may_see_campaign
from auditing.research.campaigns.services.campaigns import MANAGER
from auditing.selectors.campaigns.lookup import find_campaign

VIEWERS = (Role.PROVIDER, Role.RESEARCHER, Role.REVIEWER, Role.ADJUDICATOR, Role.ADMIN)


def get_campaign(*, user: Person, key: UUID) -> Campaign:
    """The campaign, for whoever may see it. Raises Http404."""
    campaign = find_campaign(key=key)
    # 404, never 403: a stranger must not learn from the answer which campaigns exist.
    if campaign is None or not may_see_campaign(user=user, campaign=campaign):
        raise Http404
    return campaign


def get_own_campaign(*, user: Person, key: UUID) -> Campaign:
    """The campaign, for whoever runs it. Raises Http404, and PermissionDenied for whoever may only look."""
    campaign = get_campaign(user=user, key=key)
    if not may_run(user=user, campaign=campaign):
        raise PermissionDenied("Admins and the managers of this campaign do this.")
    return campaign


def check_may_name(*, user: User, role: str) -> None:
    """Managers name everybody but managers: nobody hands the campaign on. Raises PermissionDenied."""
    if role == MANAGER and not may_manage(user=user):
        raise PermissionDenied("Admins name the managers of a campaign.")
