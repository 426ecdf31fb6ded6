"""Campaigns: the list, one campaign with its progress, making one, pausing one."""

import re
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.models import Role
from accounts.permissions import has_role, requires_role
from auditing.forms import CampaignForm
from auditing.models import Campaign
from auditing.permissions import may_manage, may_see_campaign
from auditing.selectors.campaigns import campaign_agreement, campaign_cost, campaign_progress, list_campaigns
from auditing.selectors.clock import database_now
from auditing.services.campaigns import open_campaign, rewrite_guidelines, set_reviewers, set_state

LONGEST = 20_000
VIEWERS = (Role.PROVIDER, Role.RESEARCHER, Role.REVIEWER, Role.ADJUDICATOR, Role.ADMIN)


@requires_role(*VIEWERS)
@require_GET
def campaign_list(request: HttpRequest) -> HttpResponse:
    """Campaigns the visitor may see."""
    words = request.GET.get("q", "").replace("\x00", "").strip()[:100]
    state = request.GET.get("state", "")
    context = {
        "campaigns": list_campaigns(user=request.user, words=words, state=state),
        "words": words,
        "state": state,
        "states": Campaign.State.values,
        "may_manage": may_manage(user=request.user),
    }
    return render(request, "auditing/campaigns/list.html", context)


@requires_role(*VIEWERS)
@require_GET
def campaign_page(request: HttpRequest, campaign_id: UUID) -> HttpResponse:
    """One campaign."""
    campaign = _find(request, campaign_id)
    context = {
        "campaign": campaign,
        "guidelines": campaign.guidelines.order_by("-version").first(),
        "progress": campaign_progress(campaign=campaign),
        "may_manage": may_manage(user=request.user),
        **_measures(request, campaign),
    }
    return render(request, "auditing/campaigns/page.html", context)


def _measures(request: HttpRequest, campaign: Campaign) -> dict[str, object]:
    """Agreement and cost: for those who run or study a campaign, not for those who vote in it."""
    if not has_role(request.user, Role.ADMIN, Role.RESEARCHER):  # type: ignore[arg-type]
        return {}
    points, spent = campaign_cost(campaign=campaign)
    named = campaign.reviewers.order_by("pseudonym") if may_manage(user=request.user) else ()
    return {"agreement": campaign_agreement(campaign=campaign), "points": points, "spent": spent, "named": named}


@requires_role(Role.ADMIN)
@require_http_methods(["GET", "HEAD", "POST"])
def new_campaign(request: HttpRequest) -> HttpResponse:
    """Make a campaign."""
    form = CampaignForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        campaign = open_campaign(owner=request.user, **form.cleaned_data)
        return redirect("auditing:campaign", campaign_id=campaign.pk)
    status = 400 if form.errors else 200
    return render(request, "auditing/campaigns/new.html", {"form": form}, status=status)


@requires_role(Role.ADMIN)
@require_POST
def change_campaign(request: HttpRequest, campaign_id: UUID) -> HttpResponse:
    """Pause, reopen, close."""
    campaign = _find(request, campaign_id)
    state = request.POST.get("state", "")
    if state not in Campaign.State.values:
        messages.error(request, "A campaign is open, paused or closed.")
    else:
        set_state(campaign=campaign, state=state, actor=request.user, now=database_now())
    return redirect("auditing:campaign", campaign_id=campaign.pk)


@requires_role(Role.ADMIN)
@require_POST
def edit_campaign(request: HttpRequest, campaign_id: UUID) -> HttpResponse:
    """A new version of the guidelines, or other reviewers."""
    campaign = _find(request, campaign_id)
    if "guidelines" in request.POST:
        text = request.POST["guidelines"].replace("\x00", "")[:LONGEST]
        version = rewrite_guidelines(campaign=campaign, text=text, actor=request.user)
        messages.success(
            request, f"Guidelines, version {version.version}. Votes sealed before keep the version they saw."
        )
    elif unknown := set_reviewers(
        campaign=campaign, emails=re.split(r"[,;\s]", request.POST.get("reviewers", "")[:LONGEST]), actor=request.user
    ):
        messages.error(request, f"No reviewer has these addresses; nothing was changed: {', '.join(unknown[:10])}")
    return redirect("auditing:campaign", campaign_id=campaign.pk)


def _find(request: HttpRequest, campaign_id: UUID) -> Campaign:
    campaign = Campaign.objects.select_related("policy", "owner").filter(pk=campaign_id).first()
    if campaign is None or not may_see_campaign(user=request.user, campaign=campaign):
        raise Http404
    return campaign
