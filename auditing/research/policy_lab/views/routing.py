"""The routing table of a policy, and what it would do with the traces that are stored."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from accounts.permissions import Role, requires_role
from auditing.research.policy_lab.selectors.preview import preview_of
from auditing.selectors.policy.lookup import find_version
from auditing.selectors.policy.versions import load_policy
from auditing.selectors.routing.tiers import available_tiers


@requires_role(Role.ADMIN, Role.RESEARCHER)
@require_GET
def routing_page(request: HttpRequest, number: int) -> HttpResponse:
    """One version's table with its preview."""
    version = find_version(number=number)
    if version is None:
        raise Http404
    policy = load_policy(version=version)
    preview = preview_of(policy=policy, available=available_tiers())
    context = {"version": version, "policy": policy, "preview": preview}
    return render(request, "auditing/routing/page.html", context)
