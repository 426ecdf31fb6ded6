"""Strict mode: who keeps the openings of sealed votes, the own key, and opening votes by hand."""

import json

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from accounts.permissions import Role, get_person, has_role, requires_role
from auditing.selectors.voting.own_openings import own_openings
from auditing.services.seating.auditors import auditor_of
from auditing.services.voting import own_openings as service

PEOPLE = (Role.REVIEWER, Role.ADJUDICATOR)


@requires_role(*PEOPLE)
@require_GET
def openings_page(request: HttpRequest) -> HttpResponse:
    """What strict mode is, where it stands, and the votes that can be opened now."""
    own = own_openings(auditor=auditor_of(user=get_person(request)))
    return render(request, "auditing/voting/openings.html", {"own": own, "openable": json.dumps(own.openable)})


@require_POST
def keep_own(request: HttpRequest) -> HttpResponse:
    """A browser has made the own key: its check value turns strict mode on."""
    if not has_role(request.user, *PEOPLE):
        # A script asks: it needs a status to act on, not a redirect to the login page.
        status = 403 if request.user.is_authenticated else 401
        return JsonResponse({"detail": "This is for reviewers."}, status=status)
    try:
        check_value = bytes.fromhex(json.loads(request.body)["check"])
        service.keep_own(auditor=auditor_of(user=get_person(request)), check_value=check_value)
    # 409: votes are still sealed to the earlier key, and changing it now would lose them.
    except service.KeyInUseError as error:
        return JsonResponse({"detail": str(error)}, status=409)
    except (ValueError, TypeError, KeyError, RecursionError):
        return JsonResponse({"detail": "check must be 64 hexadecimal digits."}, status=400)
    return JsonResponse({"on": True})


@requires_role(*PEOPLE)
@require_POST
def turn_off(request: HttpRequest) -> HttpResponse:
    """The revealer keeps the openings of new votes again."""
    if service.turn_off(auditor=auditor_of(user=get_person(request))):
        messages.success(request, "New votes are opened for you again.")
    return redirect("auditing:openings")
