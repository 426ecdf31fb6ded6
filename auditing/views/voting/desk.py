"""The reviewer's desk: the next segment with its four panes, what is done with it, and the unfinished vote."""

from __future__ import annotations

import base64
import binascii
import json
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.parameters import read_text
from accounts.permissions import Role, get_person, has_role, requires_role
from auditing.core.voting.rationale import Criterion, Mark, fitting_criteria
from auditing.selectors.clock import database_now
from auditing.selectors.consensus.workbench import case_of
from auditing.selectors.points.record import last_votes
from auditing.selectors.policy.versions import load_policy
from auditing.selectors.voting.desk import desk_of
from auditing.selectors.voting.lookup import find_draft, find_seat_of
from auditing.selectors.voting.neighbourhood import neighbourhood_of
from auditing.selectors.voting.outline import outline_of
from auditing.selectors.voting.own_openings import own_openings
from auditing.selectors.voting.waiting import why_empty
from auditing.services.conduct import report_danger
from auditing.services.seating.assignment import claim_next, has_work
from auditing.services.seating.auditors import auditor_of
from auditing.services.seating.choice import chosen_seats, claim_chosen
from auditing.services.seating.declining import ROUTES, pass_on
from auditing.services.seating.disclosure import open_case, open_panes
from auditing.services.seating.leases import renew
from auditing.services.voting import drafts
from auditing.services.voting.remarks import RemarkRefusedError, name_premise, open_outline, report_cut
from auditing.views.voting.choice import choice_of, newly_counted
from auditing.views.voting.desk_keys import CONFIDENCES, DESK_KEYS, ERRORS, words

if TYPE_CHECKING:
    from auditing.models import Auditor, Seat

PEOPLE = (Role.REVIEWER, Role.ADJUDICATOR)
MARKS = ((str(Mark.YES), "yes"), (str(Mark.NO), "no"), (str(Mark.NOT_APPLICABLE), "n/a"))


@requires_role(*PEOPLE)
@require_GET
def desk(request: HttpRequest) -> HttpResponse:
    """The seat the reviewer holds, or the next one, or the reason why there is none."""
    auditor, now = auditor_of(user=get_person(request)), database_now()
    # Opening the page takes the seat (a lease): two reviewers never think about the same place at once.
    chosen = choice_of(request, now)
    seat = claim_chosen(auditor=auditor, choice=chosen[0], now=now) if chosen else claim_next(auditor=auditor, now=now)
    narrowed: dict[str, Any] = {"chosen": chosen[0], "chosen_until": chosen[1]} if chosen else {}
    if seat is None:
        waiting = why_empty(auditor=auditor, now=now)
        own = own_openings(auditor=auditor)
        votes = last_votes(auditor=auditor)
        context: dict[str, Any] = {
            "waiting": waiting,
            "votes": votes,
            "counted": newly_counted(request, votes),
            **narrowed,
            "own": own,
            "openable": json.dumps(own.openable),
        }
        return render(request, "auditing/voting/empty_desk.html", context)
    context = seat_context(seat=seat, auditor=auditor) | narrowed
    audit = seat.round.audit
    reward = load_policy(version=audit.policy, domain=audit.trace.domain).reward
    context |= {"counted": newly_counted(request, context["votes"]), "reward": reward}
    return render(request, "auditing/voting/desk.html", context)


def seat_context(*, seat: Seat, auditor: Auditor) -> dict[str, Any]:
    """Everything that the desk shows of one seat; an adjudicator's seat with the case that it decides."""
    # Once opened, the panes count against the disclosure budget, even if no vote follows.
    near = neighbourhood_of(round=seat.round)
    if seat.round.adjudicates:
        open_case(seat=seat)
    else:
        open_panes(seat=seat, near=near)
    desk_view = desk_of(seat=seat, near=near)
    kind = str(desk_view.unit.kind) if desk_view.unit else desk_view.level
    fitting = fitting_criteria(kind=kind, text=desk_view.text)
    case = case_of(seat=seat, text=desk_view.text) if seat.round.adjudicates else None
    return {
        "case": case,
        "seat": seat,
        "desk": desk_view,
        "own": desk_view.own,
        "openable": json.dumps(desk_view.own.openable),
        "sealing": json.dumps(
            desk_view.sealing
            | {"guidelines": desk_view.guidelines.version if desk_view.guidelines else None}
            | {"contested": case is not None and not case.stated}
        ),
        **_kept_draft(seat),
        "votes": last_votes(auditor=auditor),
        "keys": DESK_KEYS,
        "criteria": [
            (str(criterion), words(criterion), DESK_KEYS[f"criterion.{criterion}"], criterion in fitting)
            for criterion in Criterion
        ],
        "marks": MARKS,
        "error_types": [(str(error), words(error), DESK_KEYS[f"error.{error}"]) for error in ERRORS],
        "confidences": [(percent, DESK_KEYS[f"sure.{percent}"]) for percent in CONFIDENCES],
        "routes": ROUTES.values(),
    }


@requires_role(*PEOPLE)
@require_GET
def desk_help(request: HttpRequest) -> HttpResponse:
    """The desk in two minutes, with every key."""
    return render(request, "auditing/voting/help.html", {"keys": DESK_KEYS})


@requires_role(*PEOPLE)
@require_GET
def newest_votes(request: HttpRequest) -> HttpResponse:
    """The table of one's last votes, for whoever opens it on the desk."""
    votes = last_votes(auditor=auditor_of(user=get_person(request)))
    return render(request, "auditing/voting/_vote_table.html", {"votes": votes})


@requires_role(*PEOPLE)
@require_GET
def waiting_room(request: HttpRequest) -> HttpResponse:
    """What an empty desk asks for again and again: why it is empty, or that a segment waits. Takes no seat."""
    auditor, now = auditor_of(user=get_person(request)), database_now()
    # Polled every 20 s by every empty desk: it must not claim, or an idle tab would hold seats.
    chosen = choice_of(request, now)
    is_work = (
        chosen_seats(auditor=auditor, choice=chosen[0], now=now).exists()
        if chosen
        else has_work(auditor=auditor, now=now)
    )
    waiting = None if is_work else why_empty(auditor=auditor, now=now)
    return render(request, "auditing/voting/_waiting.html", {"waiting": waiting})


@requires_role(*PEOPLE)
@require_POST
def decline_seat(request: HttpRequest, seat_id: UUID) -> HttpResponse:
    """Pass a segment on with a reason; each reason has its route, and the page says which."""
    seat = _own_seat(request, seat_id)
    route = ROUTES.get(read_text(request.POST, "because"))
    if route is None:
        messages.error(request, "Say why you pass this segment on.")
    elif pass_on(seat=seat, route=route, actor=get_person(request)):
        messages.success(request, route.done)
    else:
        messages.warning(request, "This seat was not yours any more: it was passed on, or its window has closed.")
    return redirect("auditing:desk")


@requires_role(*PEOPLE)
@require_POST
def report_seat(request: HttpRequest, seat_id: UUID) -> HttpResponse:
    """Dangerous content: the admins know at once; the vote is still asked for."""
    report_danger(seat=_own_seat(request, seat_id), actor=get_person(request))
    messages.success(request, "The admins know. You can vote on the segment or pass it on.")
    return redirect("auditing:desk")


@requires_role(*PEOPLE)
@require_POST
def show_outline(request: HttpRequest, seat_id: UUID) -> HttpResponse:
    """The passages before this one, of which a reviewer picks the premise that is missing; what it shows is counted."""
    seat = _own_seat(request, seat_id)
    open_outline(seat=seat)
    return render(request, "auditing/voting/_outline.html", {"seat": seat, "outline": outline_of(seat=seat)})


@requires_role(*PEOPLE)
@require_POST
def name_missing_premise(request: HttpRequest, seat_id: UUID) -> HttpResponse:
    """A missing premise: stored, counted, and shown at once."""
    try:
        name_premise(seat=_own_seat(request, seat_id), label=read_text(request.POST, "label", most=12))
    except RemarkRefusedError as error:
        return render(request, "auditing/voting/_picked.html", {"refused": str(error)}, status=409)
    seat = _own_seat(request, seat_id)
    return render(request, "auditing/voting/_picked.html", {"desk": desk_of(seat=seat), "seat": seat, "is_new": True})


@requires_role(*PEOPLE)
@require_POST
def report_bad_cut(request: HttpRequest, seat_id: UUID) -> HttpResponse:
    """A badly cut passage is counted; the vote is asked for all the same."""
    try:
        report_cut(seat=_own_seat(request, seat_id))
    except RemarkRefusedError as error:
        messages.warning(request, str(error))
    else:
        messages.success(request, "Noted: badly cut. You can still vote on the passage or pass it on.")
    return redirect("auditing:desk")


@require_POST
def renew_seat(request: HttpRequest, seat_id: UUID) -> HttpResponse:
    """A person is still at work on the seat."""
    if (refused := _refuse_strangers(request)) is not None:
        return refused
    held = renew(seat=_own_seat(request, seat_id), now=database_now())
    # 409: the lease ended and the seat may be another's by now; the script then stops renewing.
    return JsonResponse({"held": held}, status=200 if held else 409)


@require_http_methods(["GET", "PUT"])
def save_draft(request: HttpRequest, seat_id: UUID) -> HttpResponse:
    """Keep an encrypted draft; 409 with the newer one when this is stale. GET: whether a draft has any use still."""
    if (refused := _refuse_strangers(request)) is not None:
        return refused
    if request.method == "GET":
        return JsonResponse({"open": drafts.is_open(seat_id=seat_id, auditor=auditor_of(user=get_person(request)))})
    version, body = _read_draft(request)
    if version is None or body is None:
        return JsonResponse({"detail": "A draft is {version, body}: a whole number, and base64."}, status=400)
    try:
        saved = drafts.save(
            seat_id=seat_id,
            auditor=auditor_of(user=get_person(request)),
            version=version,
            body=body,
            now=database_now(),
        )
    except drafts.DraftIsStaleError as stale:
        newer_body = base64.b64encode(bytes(stale.draft.body)).decode()
        # Two tabs: the newer draft goes back with the refusal, so that the script can offer it.
        return JsonResponse({"detail": str(stale), "version": stale.draft.version, "body": newer_body}, status=409)
    except drafts.DraftRefusedError as error:
        # A seat that is not one's own, or was voted on, has no draft: the same answer as for an unknown id.
        return JsonResponse({"detail": str(error)}, status=404)
    return JsonResponse({"version": version, "saved_at": saved.isoformat()})


@require_POST
def forget_drafts(request: HttpRequest) -> HttpResponse:
    """At logout: every draft of this person goes."""
    if (refused := _refuse_strangers(request)) is not None:
        return refused
    return JsonResponse({"forgotten": drafts.forget(auditor=auditor_of(user=get_person(request)))})


def _kept_draft(seat: Seat) -> dict[str, object]:
    draft = find_draft(seat=seat)
    return {"draft": draft, "draft_body": base64.b64encode(bytes(draft.body)).decode() if draft else ""}


def _own_seat(request: HttpRequest, seat_id: UUID) -> Seat:
    seat = find_seat_of(auditor=auditor_of(user=get_person(request)), key=seat_id)
    if seat is None:
        raise Http404
    return seat


def _refuse_strangers(request: HttpRequest) -> HttpResponse | None:
    """What a script is told when the session has ended: 401, so that it can ask to log in in place."""
    # A redirect to the login page would reach the script as 200 and HTML, and the draft would seem saved.
    if not request.user.is_authenticated:
        return JsonResponse({"detail": "You are logged out."}, status=401)
    if not has_role(request.user, *PEOPLE):
        return JsonResponse({"detail": "This is for reviewers."}, status=403)
    return None


def _read_draft(request: HttpRequest) -> tuple[int | None, bytes | None]:
    try:
        sent = json.loads(request.body)
        body = base64.b64decode(sent["body"], validate=True)
        version = sent["version"]
    except (ValueError, TypeError, KeyError, RecursionError, binascii.Error):
        return None, None
    # `type(...) is int`, because True is an int in Python and would be version 1.
    is_version = type(version) is int and 1 <= version < 2**31
    return (version if is_version else None), (body if 1 <= len(body) <= drafts.LARGEST else None)
