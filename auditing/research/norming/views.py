"""Norming rooms: the list, and one room at whatever stage it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.views.decorators.http import require_http_methods, require_POST

from accounts.parameters import read_choice, read_id, read_number, read_text
from accounts.permissions import Role, get_person, has_role, requires_role
from auditing.core.values import Choice
from auditing.research.norming import services
from auditing.research.norming.selectors import fields, find_room, look, rooms
from auditing.research.practice.views import CHOICES, exercise_form
from auditing.selectors.gold.lookup import find_gold
from auditing.services.seating.auditors import auditor_of

if TYPE_CHECKING:
    from auditing.research.norming.models import NormingRoom

WHO = (Role.REVIEWER, Role.ADJUDICATOR)
SIZE = 5  # passages of a room, unless said otherwise


@requires_role(*WHO)
@require_http_methods(["GET", "HEAD", "POST"])
def norming_list(request: HttpRequest) -> HttpResponse:
    """Every room; adjudicators open new ones."""
    may_open = has_role(request.user, Role.ADJUDICATOR)
    if request.method == "POST" and may_open:
        size = read_number(request.POST, "size", least=services.LEAST, most=services.MOST) or SIZE
        title, domain = read_text(request.POST, "title", most=80), read_text(request.POST, "domain", most=60)
        try:
            room = services.open_room(title=title, domain=domain, size=size, author=get_person(request))
        except services.NormingRefusedError as error:
            messages.error(request, str(error))
        else:
            return redirect("auditing:norming_room", room_id=room.pk)
    sizes = range(services.LEAST, services.MOST + 1)
    context = {"rooms": rooms(), "fields": fields(), "may_open": may_open, "size": SIZE, "sizes": sizes}
    status = 403 if request.method == "POST" and not may_open else 200
    return render(request, "auditing/gold/norming.html", context, status=status)


@requires_role(*WHO)
@require_http_methods(["GET", "HEAD", "POST"])
def norming_room(request: HttpRequest, room_id: UUID) -> HttpResponse:
    """One room: the next passage to vote on, or what lies open."""
    room = _get_room(room_id)
    auditor = auditor_of(user=get_person(request))
    if request.method == "POST":
        gold = find_gold(key=read_id(request.POST, "gold") or UUID(int=0))
        choice = read_choice(request.POST, "choice", CHOICES)
        if gold is None or not choice:
            messages.error(request, "Choose pass or fail.")
        else:
            sure = read_number(request.POST, "confidence", least=50, most=100)
            confidence = 100 * sure if sure else None
            _try(
                request,
                services.vote,
                room=room,
                auditor=auditor,
                gold=gold,
                choice=Choice(choice),
                confidence=confidence,
            )
        return redirect("auditing:norming_room", room_id=room.pk)
    view = look(room=room, auditor=auditor)
    form = exercise_form(domain=room.domain, gold=view.asked.gold) if view.asked else {}
    context = {"view": view, "room": room, "is_mine": room.author_id == get_person(request).pk}
    return render(request, "auditing/gold/norming_room.html", context | form)


@requires_role(*WHO)
@require_POST
def norming_remark(request: HttpRequest, room_id: UUID) -> HttpResponse:
    """Say something about a passage."""
    room, gold = _get_room(room_id), find_gold(key=read_id(request.POST, "gold") or UUID(int=0))
    if gold is None:
        raise Http404
    text = read_text(request.POST, "text", most=services.LONGEST)
    _try(request, services.remark, room=room, auditor=auditor_of(user=get_person(request)), gold=gold, text=text)
    return redirect("auditing:norming_room", room_id=room.pk)


@requires_role(*WHO)
@require_POST
def norming_next(request: HttpRequest, room_id: UUID) -> HttpResponse:
    """Reveal, vote again, or close."""
    room = _get_room(room_id)
    _try(request, services.move_on, room=room, stage=read_text(request.POST, "stage"), by=get_person(request))
    return redirect("auditing:norming_room", room_id=room.pk)


def _get_room(key: UUID) -> NormingRoom:
    room = find_room(key=key)
    if room is None:
        raise Http404
    return room


def _try(request: HttpRequest, verb: Any, **given: Any) -> None:
    """A refusal is a message on the page that comes next."""
    try:
        verb(**given)
    except services.NormingRefusedError as error:
        messages.error(request, str(error))


urlpatterns = [
    path("norming", norming_list, name="norming"),
    path("norming/<uuid:room_id>", norming_room, name="norming_room"),
    path("norming/<uuid:room_id>/remarks", norming_remark, name="norming_remark"),
    path("norming/<uuid:room_id>/next", norming_next, name="norming_next"),
]
