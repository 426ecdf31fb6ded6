"""Home: what a person finds after signing in, by role."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.permissions import Role, get_person, has_role, requires_role
from auditing.research.campaigns.access import VIEWERS
from auditing.research.campaigns.selectors.home import (
    concerns,
    editors_concerns,
    newest_recorded,
    provider_home,
    reviewer_home,
    spent_lately,
)
from auditing.research.campaigns.selectors.listing import open_campaigns
from auditing.research.ledger_checks.services import last_result
from auditing.selectors.clock import database_now
from auditing.services.seating.auditors import auditor_of

OPEN_CAMPAIGNS = 5


@requires_role(*Role.values)
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """One section for each thing that the visitor's roles let them do; whoever has several roles sees several."""
    person = get_person(request)
    context: dict[str, Any] = {}
    if has_role(person, Role.REVIEWER, Role.ADJUDICATOR):
        context["reviewer"] = reviewer_home(auditor=auditor_of(user=person))
    if has_role(person, Role.PROVIDER):
        context["provider"] = provider_home(user=person)
    if has_role(person, Role.ADMIN):
        now = database_now()
        context |= {
            "is_admin": True,
            "concerns": concerns(now=now),
            "campaigns": open_campaigns(user=person, most=OPEN_CAMPAIGNS),
            "check": last_result(),
            "spent": spent_lately(now=now),
        }
    elif has_role(person, *VIEWERS):
        if has_role(person, Role.ADJUDICATOR):
            context["for_editors"] = editors_concerns(reader=person)
        context["managed"] = open_campaigns(user=person, most=OPEN_CAMPAIGNS)
    if has_role(person, Role.RESEARCHER, Role.CONSUMER):
        context |= {"newest": newest_recorded(user=person), "is_researcher": has_role(person, Role.RESEARCHER)}
    return render(request, "auditing/campaigns/home.html", context)
