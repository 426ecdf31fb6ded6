"""Campaigns: the list, making one, pausing one, changing its guidelines, people and terms."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.listing import read_query
from accounts.parameters import read_choice, read_id, read_text, read_texts
from accounts.permissions import Role, get_person, requires_role
from auditing.permissions import may_manage, may_run
from auditing.research.campaigns.access import VIEWERS, check_may_name, get_own_campaign
from auditing.research.campaigns.forms import NewCampaignForm, terms_form
from auditing.research.campaigns.selectors.feasibility import Feasibility, feasibility_of
from auditing.research.campaigns.selectors.listing import COLUMNS, FILTERS, NEWEST, campaign_rows, managed_by
from auditing.research.campaigns.services.campaigns import (
    NAMED,
    NamingRefusedError,
    change,
    rewrite_guidelines,
    set_state,
)
from auditing.research.campaigns.services.steering import name_in, open_copy
from auditing.selectors.campaigns.lookup import STATES, find_campaign
from auditing.selectors.clock import database_now

if TYPE_CHECKING:
    from auditing.models import Campaign

LONGEST = 20_000


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
        "managed": managed_by(user=get_person(request)),
    }
    is_part = request.htmx.target == "listing"  # type: ignore[attr-defined]
    return render(request, f"auditing/campaigns/{'_list' if is_part else 'list'}.html", context)


@requires_role(*VIEWERS)
@require_http_methods(["GET", "HEAD", "POST"])
def new_campaign(request: HttpRequest) -> HttpResponse:
    """Make a campaign; `?copy=` starts from another, `check` says what it takes and opens nothing.

    A manager copies what they run, under its policy; any other campaign is an admin's to open.
    """
    source = _find_source(request)
    is_admin = may_manage(user=request.user)
    if not is_admin and (source is None or not may_run(user=request.user, campaign=source)):
        raise PermissionDenied("Admins open campaigns; managers copy those they run.")
    policy = source.policy if source is not None and not is_admin else None
    form = NewCampaignForm(request.POST or None, initial=_terms_to_copy(source), policy=policy)
    if request.htmx:  # type: ignore[attr-defined]
        return render(request, "auditing/campaigns/_feasible.html", {"feasible": _feasibility(form)})
    if request.method == "POST" and form.is_valid() and "check" not in request.POST:
        terms = {name: value for name, value in form.cleaned_data.items() if name != "traces"}
        campaign = open_copy(of=source, owner=get_person(request), **terms)
        return redirect("auditing:campaign", campaign_id=campaign.pk)
    context = {"form": form, "source": source, "feasible": _feasibility(form) if request.method == "POST" else None}
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
        deadline=form.typed_deadline,
        now=database_now(),
    )


def _find_source(request: HttpRequest) -> Campaign | None:
    key = read_id(request.GET, "copy")
    return find_campaign(key=key) if key else None


def _terms_to_copy(campaign: Campaign | None) -> dict[str, object]:
    if campaign is None:
        return {}
    newest = campaign.guidelines.order_by("-version").first()
    terms = {name: getattr(campaign, name) for name in ("domain", "language", "policy")}
    return terms | {"title": f"Copy of {campaign.title}"[:160], "guidelines": newest.text if newest else ""}


@requires_role(*VIEWERS)
@require_POST
def change_campaign(request: HttpRequest, campaign_id: UUID) -> HttpResponse:
    """Pause, reopen, close."""
    campaign = get_own_campaign(user=request.user, key=campaign_id)
    state = read_choice(request.POST, "state", STATES)
    if not state:
        messages.error(request, "A campaign is open, paused or closed.")
    else:
        set_state(campaign=campaign, state=state, actor=get_person(request), now=database_now())
    return redirect("auditing:campaign", campaign_id=campaign.pk)


@requires_role(*VIEWERS)
@require_POST
def edit_campaign(request: HttpRequest, campaign_id: UUID) -> HttpResponse:
    """A new version of the guidelines, other people, or other terms."""
    campaign = get_own_campaign(user=request.user, key=campaign_id)
    # Six forms post here; each is known by a field that only it has.
    if "terms-title" in request.POST:
        return _change_terms(request, campaign)
    if "guidelines" not in request.POST:
        _name(request, campaign, next((role for role in NAMED if f"{role}s" in request.POST), str(Role.REVIEWER)))
        return redirect("auditing:campaign_people", campaign_id=campaign.pk)
    text = read_text(request.POST, "guidelines", most=LONGEST)
    version = rewrite_guidelines(campaign=campaign, text=text, actor=get_person(request))
    messages.success(request, f"Guidelines, version {version.version}. Votes sealed before keep the version they saw.")
    return redirect("auditing:campaign_terms", campaign_id=campaign.pk)


def _name(request: HttpRequest, campaign: Campaign, role: str) -> None:
    """Name people in one role, and say what came of it."""
    check_may_name(user=get_person(request), role=role)
    emails = read_texts(request.POST, f"{role}s", most=LONGEST)
    try:
        unknown = name_in(campaign=campaign, role=role, emails=emails, actor=get_person(request))
    except NamingRefusedError as error:
        messages.error(request, f"Nothing was changed. {error}")
        return
    if unknown:
        messages.error(request, f"No {role} has these addresses; nothing was changed: {', '.join(unknown[:10])}")
    else:
        messages.success(request, f"Stored: the {role}s of this campaign.")


def _change_terms(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    form = terms_form(campaign, request.POST, is_admin=may_manage(user=request.user))
    if not form.is_valid():
        context = {"campaign": campaign, "form": form}
        # 422, not 400: the form was read, its values are what cannot be taken; typed text stays in the fields.
        return render(request, "auditing/campaigns/refused_terms.html", context, status=422)
    if change(campaign=campaign, actor=get_person(request), **form.cleaned_data):
        messages.success(request, "The terms are changed. Audits that run keep the policy they began under.")
    return redirect("auditing:campaign_terms", campaign_id=campaign.pk)
