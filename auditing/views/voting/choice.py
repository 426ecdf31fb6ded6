"""What a reviewer chose to be shown for a while, and which counted votes the desk has told of: both of this session."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.views.decorators.http import require_POST

from accounts.parameters import read_id, read_text
from accounts.permissions import Role, requires_role
from auditing.selectors.clock import database_now
from auditing.services.seating.choice import Choice

if TYPE_CHECKING:
    from auditing.selectors.points.record import VoteLine

HOUR = timedelta(hours=1)
CHOSEN, TOLD = "desk_only", "desk_told"


@requires_role(Role.REVIEWER, Role.ADJUDICATOR)
@require_POST
def choose(request: HttpRequest) -> HttpResponse:
    """Only one field, or one campaign, for an hour; without either, everything again."""
    campaign, domain = read_id(request.POST, "campaign"), read_text(request.POST, "domain", most=60)
    until = database_now() + HOUR
    request.session[CHOSEN] = [domain, str(campaign or ""), until.isoformat()] if domain or campaign else []
    return redirect("auditing:desk")


def choice_of(request: HttpRequest, now: datetime) -> tuple[Choice, datetime] | None:
    """What was chosen, and until when; None once the hour is over."""
    chosen = request.session.get(CHOSEN)
    if not chosen or datetime.fromisoformat(chosen[2]) <= now:
        return None
    return Choice(chosen[0], UUID(chosen[1]) if chosen[1] else None), datetime.fromisoformat(chosen[2])


def newly_counted(request: HttpRequest, votes: Sequence[VoteLine]) -> list[VoteLine]:
    """Votes of these whose outcome this session has not told of; from now on it has."""
    counted = {str(vote.seat): vote for vote in votes if vote.choice and vote.outcome}
    told = request.session.get(TOLD)
    # A session is written where something changed, never for a look.
    if told is None or set(counted) - set(told):
        request.session[TOLD] = list(counted)
    # The first look of a session tells of nothing: its votes stand on the page already.
    return [vote for seat, vote in counted.items() if told is not None and seat not in told]


urlpatterns = [path("desk/only", choose, name="choose")]
