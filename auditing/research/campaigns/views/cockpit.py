"""What an admin does with a campaign under way: remind, extend."""

from datetime import timedelta
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.views.decorators.http import require_POST

from accounts.parameters import read_number
from accounts.permissions import Role, get_person, requires_role
from auditing.research.campaigns import services as cockpit
from auditing.selectors.campaigns.lookup import find_campaign
from auditing.selectors.clock import database_now


@requires_role(Role.ADMIN)
@require_POST
def steer(request: HttpRequest, campaign_id: UUID) -> HttpResponse:
    """Remind everybody whose seats wait; or, with `days`, move the deadline."""
    campaign = find_campaign(key=campaign_id)
    if campaign is None:
        raise Http404
    days = read_number(request.POST, "days", least=1, most=365)
    if days:
        deadline = cockpit.extend(
            campaign=campaign, actor=get_person(request), by=timedelta(days=days), now=database_now()
        )
        messages.success(request, f"The deadline is {deadline:%Y-%m-%d %H:%M} UTC now.")
    else:
        people = cockpit.remind(campaign=campaign, actor=get_person(request), now=database_now())
        words = "1 person was" if people == 1 else f"{people} people were"
        messages.success(request, f"{words} reminded; whoever was today already is not told twice.")
    return redirect("auditing:campaign", campaign_id=campaign.pk)


urlpatterns = [path("campaigns/<uuid:campaign_id>/steer", steer, name="steer")]
