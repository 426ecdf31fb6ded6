"""Campaigns: the list, one campaign with its progress, making one, pausing one."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.listing import read_query
from accounts.parameters import read_choice, read_id, read_text, read_texts
from accounts.permissions import Role, get_person, has_role, requires_role
from auditing.permissions import may_manage, may_see_campaign
from auditing.research.campaigns.forms import NewCampaignForm, TermsForm
from auditing.research.campaigns.selectors.charts import burn_up, outcomes_by_day, queue_by_tier, seconds_a_vote
from auditing.research.campaigns.selectors.feasibility import Feasibility, feasibility_of
from auditing.research.campaigns.selectors.figures import agreement_of, cost_of, progress_of, work_of
from auditing.research.campaigns.selectors.guidelines import guideline_versions, open_questions
from auditing.research.campaigns.selectors.listing import COLUMNS, FILTERS, NEWEST, campaign_rows
from auditing.research.policy_lab.selectors.hindsight import hindsight_of, open_work
from auditing.research.policy_lab.selectors.model_calls import forecast_campaign
from auditing.research.reports.selectors.event_words import story_of_campaign
from auditing.selectors.campaigns.lookup import STATES, find_campaign, pickers_of
from auditing.selectors.clock import database_now
from auditing.selectors.model_tier.consents import flows_of, why_unasked
from auditing.services.campaigns.campaigns import change, name_people, open_campaign, rewrite_guidelines, set_state

if TYPE_CHECKING:
    from auditing.models import Campaign

LONGEST = 20_000
VIEWERS = (Role.PROVIDER, Role.RESEARCHER, Role.REVIEWER, Role.ADJUDICATOR, Role.ADMIN)


@requires_role(*VIEWERS)
@require_GET
def campaign_list(request: HttpRequest) -> HttpResponse:
    """Campaigns the visitor may see."""
    query = read_query(request.GET, filters=FILTERS, columns=COLUMNS, default=NEWEST)
    context = {
        "page": campaign_rows(user=request.user, query=query, after=read_text(request.GET, "after")),
        "query": query,
        "filters": query.filters,
        "columns": COLUMNS,
        "may_manage": may_manage(user=request.user),
    }
    is_part = request.htmx.target == "listing"  # type: ignore[attr-defined]
    return render(request, f"auditing/campaigns/{'_list' if is_part else 'list'}.html", context)


@requires_role(*VIEWERS)
@require_GET
def campaign_page(request: HttpRequest, campaign_id: UUID) -> HttpResponse:
    """One campaign; those who run it see who is behind, those who run or study it agreement, cost and exports."""
    campaign, now = _find(request, campaign_id), database_now()
    progress = progress_of(campaign=campaign, now=now)
    context = {
        "campaign": campaign,
        "now": now,
        "guidelines": guideline_versions(campaign=campaign),
        "may_ask": has_role(request.user, Role.REVIEWER, Role.ADJUDICATOR),
        "progress": progress,
        "may_read_audits": has_role(request.user, Role.ADMIN, Role.PROVIDER, Role.RESEARCHER),
    }
    charts = [burn_up(campaign=campaign, progress=progress, now=now), outcomes_by_day(progress=progress, now=now)]
    # Reviewers see progress only: what others agree on, or cost, could lean on their next vote.
    if has_role(request.user, Role.ADMIN, Role.RESEARCHER):
        context["agreement"] = agreement_of(campaign=campaign)
        context["cost"] = cost_of(campaign=campaign, progress=progress)
        context["work_ahead"] = open_work(campaign=campaign)
        context["hindsight"] = hindsight_of(campaign=campaign)
        charts += [queue_by_tier(campaign=campaign), seconds_a_vote(campaign=campaign)]
    context["charts"] = list(filter(None, charts))
    if may_manage(user=request.user):
        context |= _desk_of(campaign)
    return render(request, "auditing/campaigns/page.html", context)


def _desk_of(campaign: Campaign) -> dict[str, object]:
    """What only those who run a campaign see."""
    flows = flows_of(campaign=campaign, policy=campaign.policy)
    terms = {name: getattr(campaign, name) for name in ("title", "domain", "language", "policy", "deadline")}
    return {
        "may_manage": True,
        "questions": open_questions(campaign=campaign),
        "flows": flows,
        "unasked": why_unasked(flows=flows),
        "forecast": forecast_campaign(campaign=campaign, flows=flows),
        "work": work_of(campaign=campaign),
        "pickers": pickers_of(campaign=campaign),
        "form": TermsForm(initial=terms, prefix="terms"),
        "story": story_of_campaign(campaign=campaign),
    }


@requires_role(Role.ADMIN)
@require_http_methods(["GET", "HEAD", "POST"])
def new_campaign(request: HttpRequest) -> HttpResponse:
    """Make a campaign; `?copy=` starts from the terms of another, `check` says what it takes and opens nothing."""
    form = NewCampaignForm(request.POST or None, initial=_terms_to_copy(request))
    if request.htmx:  # type: ignore[attr-defined]
        return render(request, "auditing/campaigns/_feasible.html", {"feasible": _feasibility(form)})
    if request.method == "POST" and form.is_valid() and "check" not in request.POST:
        terms = {name: value for name, value in form.cleaned_data.items() if name != "traces"}
        campaign = open_campaign(owner=get_person(request), **terms)
        return redirect("auditing:campaign", campaign_id=campaign.pk)
    context = {"form": form, "feasible": _feasibility(form) if request.method == "POST" else None}
    return render(request, "auditing/campaigns/new.html", context, status=400 if form.errors else 200)


def _feasibility(form: NewCampaignForm) -> Feasibility | None:
    """What the campaign takes, as far as the form says so already; None before traces and policy are known."""
    form.is_valid()
    said = getattr(form, "cleaned_data", {})
    if not said.get("traces") or not said.get("policy"):
        return None
    return feasibility_of(
        traces=said["traces"],
        policy=said["policy"],
        domain=said.get("domain", ""),
        language=said.get("language", ""),
        deadline=said.get("deadline"),
        now=database_now(),
    )


def _terms_to_copy(request: HttpRequest) -> dict[str, object]:
    key = read_id(request.GET, "copy")
    campaign = find_campaign(key=key) if key else None
    if campaign is None:
        return {}
    newest = campaign.guidelines.order_by("-version").first()
    terms = {name: getattr(campaign, name) for name in ("domain", "language", "policy")}
    return terms | {"title": f"Copy of {campaign.title}"[:160], "guidelines": newest.text if newest else ""}


@requires_role(Role.ADMIN)
@require_POST
def change_campaign(request: HttpRequest, campaign_id: UUID) -> HttpResponse:
    """Pause, reopen, close."""
    campaign = _find(request, campaign_id)
    state = read_choice(request.POST, "state", STATES)
    if not state:
        messages.error(request, "A campaign is open, paused or closed.")
    else:
        set_state(campaign=campaign, state=state, actor=get_person(request), now=database_now())
    return redirect("auditing:campaign", campaign_id=campaign.pk)


@requires_role(Role.ADMIN)
@require_POST
def edit_campaign(request: HttpRequest, campaign_id: UUID) -> HttpResponse:
    """A new version of the guidelines, other reviewers or providers, or other terms."""
    campaign = _find(request, campaign_id)
    # Four forms of the page post here; each is known by a field that only it has.
    if "terms-title" in request.POST:
        return _change_terms(request, campaign)
    if "guidelines" in request.POST:
        text = read_text(request.POST, "guidelines", most=LONGEST)
        version = rewrite_guidelines(campaign=campaign, text=text, actor=get_person(request))
        messages.success(
            request, f"Guidelines, version {version.version}. Votes sealed before keep the version they saw."
        )
    else:
        role = Role.PROVIDER if "providers" in request.POST else Role.REVIEWER
        emails = read_texts(request.POST, f"{role}s", most=LONGEST)
        if unknown := name_people(campaign=campaign, role=role, emails=emails, actor=get_person(request)):
            messages.error(request, f"No {role} has these addresses; nothing was changed: {', '.join(unknown[:10])}")
    return redirect("auditing:campaign", campaign_id=campaign.pk)


def _change_terms(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    form = TermsForm(request.POST, prefix="terms")
    if not form.is_valid():
        context = {"campaign": campaign, "form": form}
        # 422, not 400: the form was read, its values are what cannot be taken; typed text stays in the fields.
        return render(request, "auditing/campaigns/terms.html", context, status=422)
    if change(campaign=campaign, actor=get_person(request), **form.cleaned_data):
        messages.success(request, "The terms are changed. Audits that run keep the policy they began under.")
    return redirect("auditing:campaign", campaign_id=campaign.pk)


def _find(request: HttpRequest, campaign_id: UUID) -> Campaign:
    campaign = find_campaign(key=campaign_id)
    # 404, never 403: a stranger must not learn from the answer which campaigns exist.
    if campaign is None or not may_see_campaign(user=request.user, campaign=campaign):
        raise Http404
    return campaign
