"""Asking for erasure, deciding about it, and what is shown of an audit whose text is gone."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.parameters import read_text
from accounts.permissions import Role, get_person, requires_role
from auditing.core.stages import CORRIDOR
from auditing.research.erasure.selectors import (
    decided_requests,
    find_request,
    find_trace_outcome,
    is_done,
    newest_request,
    segment_outcomes,
    waiting_requests,
)
from auditing.research.erasure.services import REMAINS, ErasureRefusedError, ask, confirm, refuse
from auditing.research.reports.selectors.audits import reached
from auditing.selectors.intake.lookup import find_audit

if TYPE_CHECKING:
    from auditing.models import Audit

PAGE = 100


class AskForm(forms.Form):
    """What the provider tells the admins."""

    because = forms.CharField(
        max_length=300, required=False, label="A word to the admins", help_text="Do not quote the trace: this stays."
    )
    agreed = forms.BooleanField(
        label="I know that nobody can bring the text back.",
        error_messages={"required": "Tick this first: nothing is asked without it."},
    )


class AnswerForm(forms.Form):
    """Why a request is refused."""

    answer = forms.CharField(max_length=300, label="Why it is refused")


def show_erased(request: HttpRequest, audit: Audit) -> HttpResponse:
    """An audit whose text is gone: what was decided stands, without a word of it. 410."""
    outcome = find_trace_outcome(audit=audit)
    context = {
        "audit": audit,
        "corridor": CORRIDOR,
        "reached": reached(audit=audit),
        "outcome": outcome,
        "remains": REMAINS,
        "segments": segment_outcomes(audit=audit),
    }
    # 410 Gone (RFC 9110, section 15.5.11): it was here, and it will not come back. A 404 would hide that.
    return render(request, "auditing/intake/erased.html", context, status=410)


def erased_json(audit: Audit) -> JsonResponse:
    """The same for programs."""
    outcome = find_trace_outcome(audit=audit)
    # Callers look at erased_at first; this tells the type checker so.
    assert audit.trace.erased_at is not None
    facts = {
        "id": str(audit.pk),
        "stage": audit.stage,
        "outcome": outcome.outcome if outcome else None,
        "erased_at": audit.trace.erased_at.isoformat(),
        "detail": f"This text was erased on {audit.trace.erased_at:%Y-%m-%d} at its provider's request.",
    }
    return JsonResponse(facts, status=410)


@requires_role(Role.PROVIDER, Role.ADMIN)
@require_http_methods(["GET", "HEAD", "POST"])
def ask_page(request: HttpRequest, audit_id: UUID) -> HttpResponse:
    """The provider of the trace asks."""
    audit = find_audit(key=audit_id)
    # Not even an admin asks in a provider's place: an erasure cannot be undone.
    if audit is None or audit.trace.provider_id != request.user.pk:
        raise Http404
    form = AskForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            made = ask(trace=audit.trace, by=request.user, because=form.cleaned_data["because"])
        except ErasureRefusedError as error:
            form.add_error(None, str(error))
        else:
            done = is_done(erasure=made)
            messages.success(request, "The text is erased." if done else "The admins have been asked.")
            return redirect("auditing:erase", audit_id=audit.pk)
    erasure_request = newest_request(trace=audit.trace)
    context = {"audit": audit, "form": form, "found": erasure_request, "remains": REMAINS}
    return render(request, "auditing/intake/ask_erasure.html", context, status=400 if form.errors else 200)


@requires_role(Role.ADMIN)
@require_safe
def erasure_list(request: HttpRequest) -> HttpResponse:
    """What waits for a decision, then what was decided."""
    return _list(request, AnswerForm())


def _list(request: HttpRequest, form: AnswerForm, status: int = 200) -> HttpResponse:
    context = {
        "waiting": waiting_requests(most=PAGE),
        "decided": decided_requests(most=PAGE),
        "form": form,
        "remains": REMAINS,
    }
    return render(request, "auditing/intake/erasure.html", context, status=status)


@requires_role(Role.ADMIN)
@require_POST
def decide(request: HttpRequest, erasure_id: UUID) -> HttpResponse:
    """Confirm, or refuse with a reason."""
    erasure = find_request(key=erasure_id)
    if erasure is None:
        raise Http404
    if read_text(request.POST, "verdict") == "confirm":
        try:
            confirm(erasure=erasure, by=get_person(request))
        except ErasureRefusedError as error:
            messages.error(request, str(error))
        return redirect("auditing:erasures")
    form = AnswerForm(request.POST)
    if not form.is_valid():
        # The list once more with the error beside the reason; the request still waits.
        return _list(request, form, 400)
    refuse(erasure=erasure, by=get_person(request), answer=form.cleaned_data["answer"])
    return redirect("auditing:erasures")


urlpatterns = [
    path("audits/<uuid:audit_id>/erase", ask_page, name="erase"),
    path("erasures", erasure_list, name="erasures"),
    path("erasures/<uuid:erasure_id>", decide, name="decide_erasure"),
]
