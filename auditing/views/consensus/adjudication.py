"""The adjudication queue and the page where an adjudicator says why before voting at the desk."""

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from accounts.parameters import read_text
from accounts.permissions import Role, get_person, has_role, requires_role
from auditing.selectors.clock import database_now
from auditing.selectors.consensus.adjudication import contested_rounds, opened_votes, seat_of
from auditing.selectors.consensus.cases import ADJUDICATION_REASONS, find_adjudication, find_round
from auditing.selectors.voting.desk import desk_of
from auditing.services.consensus.adjudication import NotYoursError, ReasonMissingError, state_reason
from auditing.services.seating.auditors import auditor_of
from auditing.services.seating.disclosure import open_panes


@requires_role(Role.ADJUDICATOR, Role.ADMIN)
@require_GET
def queue(request: HttpRequest) -> HttpResponse:
    """What waits for an adjudicator, most contested first."""
    judges = has_role(request.user, Role.ADJUDICATOR)
    # Admins look at the queue but hold no seats: no auditor is made for them.
    auditor = auditor_of(user=get_person(request)) if judges else None
    return render(request, "auditing/consensus/adjudication.html", {"contested": contested_rounds(auditor=auditor)})


@requires_role(Role.ADJUDICATOR)
@require_http_methods(["GET", "HEAD", "POST"])
def case(request: HttpRequest, round_id: UUID) -> HttpResponse:
    """One contested segment with what it rests on, the opened votes with their reasons, and the reason code."""
    auditor = auditor_of(user=get_person(request))
    round = find_round(key=round_id)
    seat = seat_of(round=round, auditor=auditor) if round is not None else None
    # Without a seat the round does not exist for this person: its votes are shown to its adjudicator alone.
    if round is None or seat is None:
        raise Http404
    if request.method == "POST":
        reason = read_text(request.POST, "reason")
        try:
            state_reason(round=round, auditor=auditor, reason=reason, now=database_now())
        except (NotYoursError, ReasonMissingError) as error:
            messages.error(request, str(error))
        else:
            return redirect("auditing:desk")
    # Opening the panes is counted as disclosure before a word of them is rendered.
    open_panes(seat=seat)
    context = {
        "round": round,
        "desk": desk_of(seat=seat),
        "votes": opened_votes(round=round),
        "reasons": ADJUDICATION_REASONS,
        "stated": find_adjudication(round=round),
    }
    # A POST that arrives here was refused: the accepted one was redirected above.
    status = 400 if request.method == "POST" else 200
    return render(request, "auditing/consensus/adjudication_case.html", context, status=status)
