"""The routing table of a policy, and what it would do with the traces that are stored."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from accounts.models import Role
from accounts.permissions import requires_role
from auditing.models import PolicyVersion
from auditing.selectors.policy.versions import load_policy
from auditing.selectors.routing.preview import preview_of
from auditing.selectors.routing.tiers import available_tiers


@requires_role(Role.ADMIN, Role.RESEARCHER)
@require_GET
def routing_page(request: HttpRequest, number: int) -> HttpResponse:
    """One version's table with its preview."""
    version = get_object_or_404(PolicyVersion, number=number)
    policy = load_policy(version=version)
    preview = preview_of(policy=policy, available=available_tiers())
    context = {"version": version, "policy": policy, "preview": preview}
    return render(request, "auditing/routing/page.html", context)
