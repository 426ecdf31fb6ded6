"""What those who run campaigns do: remind, extend, pass seats on; pause, reopen or close many at once."""

from datetime import timedelta
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.views.decorators.http import require_POST

from accounts.parameters import read_choice, read_id, read_number, read_texts
from accounts.permissions import get_person, requires_role
from auditing.permissions import may_manage, may_run
from auditing.research.campaigns.access import VIEWERS, get_own_campaign
from auditing.research.campaigns.selectors.listing import managed_by
from auditing.research.campaigns.services import steering as cockpit
from auditing.research.campaigns.services.campaigns import set_state
from auditing.selectors.campaigns.lookup import STATES, find_campaign
from auditing.selectors.clock import database_now

MOST_AT_ONCE = 200
REMIND = "remind"


@requires_role(*VIEWERS)
@require_POST
def steer(request: HttpRequest, campaign_id: UUID) -> HttpResponse:
    """Remind everybody whose seats wait; `days` moves the deadline, `person` passes on what they have not opened."""
    campaign = get_own_campaign(user=request.user, key=campaign_id)
    days, person = read_number(request.POST, "days", least=1, most=365), read_id(request.POST, "person")
    if days:
        deadline = cockpit.extend(
            campaign=campaign, actor=get_person(request), by=timedelta(days=days), now=database_now()
        )
        messages.success(request, f"The deadline is {deadline:%Y-%m-%d %H:%M} UTC now.")
    elif person:
        seats = cockpit.pass_seats_on(campaign=campaign, person=person, actor=get_person(request))
        words = "1 seat went" if seats == 1 else f"{seats} seats went"
        rest = "Where nobody else is left in the draw, a seat stays."
        messages.success(request, f"{words} to the next in the draw. {rest}")
    else:
        people = cockpit.remind(campaign=campaign, actor=get_person(request), now=database_now())
        words = "1 person was" if people == 1 else f"{people} people were"
        messages.success(request, f"{words} reminded; whoever was today already is not told twice.")
    return redirect("auditing:campaign_people", campaign_id=campaign.pk)


@requires_role(*VIEWERS)
@require_POST
def steer_many(request: HttpRequest) -> HttpResponse:
    """Pause, reopen, close or remind in every campaign that is ticked, where the visitor runs it."""
    if not may_manage(user=request.user) and not managed_by(user=get_person(request)):
        raise PermissionDenied("Admins and managers of campaigns do this.")
    verb, actor, now = read_choice(request.POST, "verb", (*STATES, REMIND)), get_person(request), database_now()
    ids = filter(None, (read_id({"id": text}, "id") for text in read_texts(request.POST, "campaigns")[:MOST_AT_ONCE]))
    campaigns = filter(None, map(lambda key: find_campaign(key=key), ids))
    chosen = [campaign for campaign in campaigns if may_run(user=request.user, campaign=campaign)]
    if not (verb and chosen):
        messages.error(request, "Nothing changed: tick campaigns, and choose what to do with them.")
    elif verb == REMIND:
        people = sum(cockpit.remind(campaign=campaign, actor=actor, now=now) for campaign in chosen)
        messages.success(request, f"Reminded in {len(chosen)} campaigns: {people} people whose seats wait.")
    else:
        changed = sum(set_state(campaign=campaign, state=verb, actor=actor, now=now) for campaign in chosen)
        messages.success(request, f"{changed} of {len(chosen)} campaigns changed; the others were {verb} already.")
    return redirect("auditing:campaigns")


urlpatterns = [
    path("campaigns/steer", steer_many, name="steer_many"),
    path("campaigns/<uuid:campaign_id>/steer", steer, name="steer"),
]
