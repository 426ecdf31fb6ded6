"""One campaign in sections, each a page: its progress, people, figures, forecast, models and terms."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.views.decorators.http import require_GET

from accounts.permissions import Person, Role, has_role, requires_role
from auditing.permissions import may_manage, may_run
from auditing.research.campaigns.access import VIEWERS, get_campaign, get_own_campaign
from auditing.research.campaigns.forms import terms_form
from auditing.research.campaigns.selectors.agreement import agreement_of
from auditing.research.campaigns.selectors.charts import burn_up, outcomes_by_day, queue_by_tier, seconds_a_vote
from auditing.research.campaigns.selectors.figures import cost_of, progress_of, work_of
from auditing.research.campaigns.selectors.guidelines import guideline_versions, open_questions
from auditing.research.policy_lab.selectors.hindsight import campaign_forecasts
from auditing.research.policy_lab.selectors.model_calls import forecast_campaign
from auditing.research.reports.selectors.event_words import story_of_campaign
from auditing.research.reports.selectors.shortage import shortages
from auditing.selectors.campaigns.lookup import managers_picker, pickers_of
from auditing.selectors.clock import database_now
from auditing.selectors.model_tier.consents import flows_of, why_unasked

if TYPE_CHECKING:
    from auditing.models import Campaign


@requires_role(*VIEWERS)
@require_GET
def campaign_page(request: HttpRequest, campaign_id: UUID) -> HttpResponse:
    """How far it is, and by which guidelines; whoever runs it pauses, reopens and closes it here."""
    campaign, now = get_campaign(user=request.user, key=campaign_id), database_now()
    progress = progress_of(campaign=campaign, now=now)
    charts = [burn_up(campaign=campaign, progress=progress, now=now), outcomes_by_day(progress=progress, now=now)]
    context = _head_of(request.user, campaign, "campaign") | {
        "now": now,
        "guidelines": guideline_versions(campaign=campaign),
        "may_ask": has_role(request.user, Role.REVIEWER, Role.ADJUDICATOR),
        "progress": progress,
        "may_read_audits": has_role(request.user, Role.ADMIN, Role.PROVIDER, Role.RESEARCHER),
        "charts": list(filter(None, charts)),
    }
    # Reviewers are not told: how many seats a passage has left could tell which wave it is.
    if context["may_run"]:
        context["shortages"] = shortages(now=now, campaign=campaign)
        context["may_give_roles"] = may_manage(user=request.user)
        context["questions"] = open_questions(campaign=campaign)
    if may_manage(user=request.user):
        context["unasked"] = why_unasked(flows=flows_of(campaign=campaign, policy=campaign.policy))
    return render(request, "auditing/campaigns/page.html", context)


@requires_role(*VIEWERS)
@require_GET
def campaign_people(request: HttpRequest, campaign_id: UUID) -> HttpResponse:
    """Who is at work and who is named, for whoever runs the campaign."""
    campaign = get_own_campaign(user=request.user, key=campaign_id)
    context = _head_of(request.user, campaign, "campaign_people") | {
        "work": work_of(campaign=campaign),
        "pickers": pickers_of(campaign=campaign),
    }
    if may_manage(user=request.user):
        context["managers"] = managers_picker(campaign=campaign)
    return render(request, "auditing/campaigns/people.html", context)


@requires_role(*VIEWERS)
@require_GET
def campaign_figures(request: HttpRequest, campaign_id: UUID) -> HttpResponse:
    """Agreement, cost, queue and seconds a vote, for those who run or study the campaign."""
    campaign = _get_studied(request.user, campaign_id)
    charts = [queue_by_tier(campaign=campaign), seconds_a_vote(campaign=campaign)]
    context = _head_of(request.user, campaign, "campaign_figures") | {
        "agreement": agreement_of(campaign=campaign),
        "cost": cost_of(campaign=campaign, progress=progress_of(campaign=campaign, now=database_now())),
        "charts": list(filter(None, charts)),
    }
    return render(request, "auditing/campaigns/figures.html", context)


@requires_role(*VIEWERS)
@require_GET
def campaign_forecast(request: HttpRequest, campaign_id: UUID) -> HttpResponse:
    """What the open audits take, and what earlier forecasts came to, for those who run or study the campaign."""
    campaign = _get_studied(request.user, campaign_id)
    work_ahead, hindsight = campaign_forecasts(campaign=campaign)
    context = _head_of(request.user, campaign, "campaign_forecast") | {
        "work_ahead": work_ahead,
        "hindsight": hindsight,
    }
    return render(request, "auditing/campaigns/forecast.html", context)


@requires_role(Role.ADMIN)
@require_GET
def campaign_models(request: HttpRequest, campaign_id: UUID) -> HttpResponse:
    """Where texts go: admins agree to it, for the whole site answers for it."""
    campaign = get_campaign(user=request.user, key=campaign_id)
    flows = flows_of(campaign=campaign, policy=campaign.policy)
    context = _head_of(request.user, campaign, "campaign_models") | {
        "flows": flows,
        "unasked": why_unasked(flows=flows),
        "forecast": forecast_campaign(campaign=campaign, flows=flows),
    }
    return render(request, "auditing/campaigns/models.html", context)


@requires_role(*VIEWERS)
@require_GET
def campaign_terms(request: HttpRequest, campaign_id: UUID) -> HttpResponse:
    """Its terms and guidelines to be changed, and what happened to them so far, for whoever runs the campaign."""
    campaign = get_own_campaign(user=request.user, key=campaign_id)
    context = _head_of(request.user, campaign, "campaign_terms") | {
        "form": terms_form(campaign, is_admin=may_manage(user=request.user)),
        "guidelines": guideline_versions(campaign=campaign),
        "story": story_of_campaign(campaign=campaign),
    }
    return render(request, "auditing/campaigns/terms.html", context)


def _get_studied(user: Person, key: UUID) -> Campaign:
    """The campaign, for whoever runs or studies it."""
    campaign = get_campaign(user=user, key=key)
    # Reviewers see progress only: what others agree on, or cost, could lean on their next vote.
    if not (_may_study(user) or may_run(user=user, campaign=campaign)):
        raise PermissionDenied("Those who run or study this campaign read its figures.")
    return campaign


def _may_study(user: Person) -> bool:
    return has_role(user, Role.ADMIN, Role.RESEARCHER)


def _head_of(user: Person, campaign: Campaign, here: str) -> dict[str, object]:
    """What the head of every section needs: the campaign, what its reader may do, and the sections they may open.

    here: the name of the section's address.
    """
    runs, studies = may_run(user=user, campaign=campaign), _may_study(user)
    sections = (
        ("campaign", "Progress", True),
        ("campaign_people", "People", runs),
        ("campaign_figures", "Figures", runs or studies),
        ("campaign_forecast", "Forecast", runs or studies),
        ("campaign_models", "Models", may_manage(user=user)),
        ("campaign_terms", "Terms", runs),
    )
    links = [
        (reverse(f"auditing:{name}", args=[campaign.pk]), label, name == here)
        for name, label, is_shown in sections
        if is_shown
    ]
    return {"campaign": campaign, "may_run": runs, "may_study": studies, "sections": links if len(links) > 1 else []}


urlpatterns = [
    path("campaigns/<uuid:campaign_id>", campaign_page, name="campaign"),
    path("campaigns/<uuid:campaign_id>/people", campaign_people, name="campaign_people"),
    path("campaigns/<uuid:campaign_id>/figures", campaign_figures, name="campaign_figures"),
    path("campaigns/<uuid:campaign_id>/forecast", campaign_forecast, name="campaign_forecast"),
    path("campaigns/<uuid:campaign_id>/models", campaign_models, name="campaign_models"),
    path("campaigns/<uuid:campaign_id>/terms", campaign_terms, name="campaign_terms"),
]
