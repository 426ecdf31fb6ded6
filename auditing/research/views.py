"""The front page for researchers: what they can ask, with what is there."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from accounts.models import Role
from accounts.permissions import requires_role
from auditing.research.overview import overview


@requires_role(Role.RESEARCHER, Role.ADMIN)
@require_GET
def research_home(request: HttpRequest) -> HttpResponse:
    """Rooms of research and what each holds."""
    return render(request, "research/home.html", {"overview": overview(user=request.user)})
