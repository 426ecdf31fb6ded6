"""Asking for erasure, deciding about it, and what is shown of an audit whose text is gone."""

from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import Role
from accounts.permissions import requires_role
from auditing.core.stages import CORRIDOR
from auditing.models import Audit, Erasure, SegmentOutcome, TraceOutcome
from auditing.services.intake.erasure import REMAINS, ErasureRefusedError, ask, confirm, refuse

PAGE = 100


class AskForm(forms.Form):
    """What the provider tells the admins."""

    because = forms.CharField(
        max_length=300, required=False, label="A word to the admins", help_text="Do not quote the trace: this stays."
    )
    agreed = forms.BooleanField(label="I know that nobody can bring the text back.")


class AnswerForm(forms.Form):
    """Why a request is refused."""

    answer = forms.CharField(max_length=300, label="Why it is refused")


def show_erased(request: HttpRequest, audit: Audit) -> HttpResponse:
    """An audit whose text is gone: what was decided stands, without a word of it. 410."""
    outcome = TraceOutcome.objects.filter(audit=audit).first()
    segments = SegmentOutcome.objects.filter(audit=audit).select_related("segment", "round")
    context = {
        "audit": audit,
        "corridor": CORRIDOR,
        "outcome": outcome,
        "remains": REMAINS,
        "segments": segments.order_by("segment__position"),
    }
    return render(request, "auditing/intake/erased.html", context, status=410)


def erased_json(audit: Audit) -> JsonResponse:
    """The same for programs."""
    outcome = TraceOutcome.objects.filter(audit=audit).first()
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
    audit = Audit.objects.select_related("trace").filter(pk=audit_id).first()
    if audit is None or audit.trace.provider_id != request.user.pk:
        raise Http404
    form = AskForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            made = ask(trace=audit.trace, by=request.user, because=form.cleaned_data["because"])
        except ErasureRefusedError as error:
            form.add_error(None, str(error))
        else:
            done = made.state == Erasure.State.DONE
            messages.success(request, "The text is erased." if done else "The admins have been asked.")
            return redirect("auditing:erase", audit_id=audit.pk)
    found = Erasure.objects.filter(trace=audit.trace).order_by("-asked_at").first()
    context = {"audit": audit, "form": form, "found": found, "remains": REMAINS}
    return render(request, "auditing/intake/ask_erasure.html", context, status=400 if form.errors else 200)


@requires_role(Role.ADMIN)
@require_safe
def erasure_list(request: HttpRequest) -> HttpResponse:
    """What waits for a decision, then what was decided."""
    return _list(request, AnswerForm())


def _list(request: HttpRequest, form: AnswerForm, status: int = 200) -> HttpResponse:
    rows = Erasure.objects.select_related("trace", "asked_by", "decided_by").prefetch_related("trace__audits")
    waiting = rows.filter(state=Erasure.State.WAITING).order_by("asked_at")[:PAGE]
    decided = rows.exclude(state=Erasure.State.WAITING).order_by("-decided_at")[:PAGE]
    context = {"waiting": waiting, "decided": decided, "form": form, "remains": REMAINS}
    return render(request, "auditing/intake/erasure.html", context, status=status)


@requires_role(Role.ADMIN)
@require_POST
def decide(request: HttpRequest, erasure_id: UUID) -> HttpResponse:
    """Confirm, or refuse with a reason."""
    erasure = get_object_or_404(Erasure.objects.select_related("trace", "asked_by"), pk=erasure_id)
    if request.POST.get("verdict") == "confirm":
        try:
            confirm(erasure=erasure, by=request.user)
        except ErasureRefusedError as error:
            messages.error(request, str(error))
        return redirect("auditing:erasures")
    form = AnswerForm(request.POST)
    if not form.is_valid():
        return _list(request, form, 400)
    refuse(erasure=erasure, by=request.user, answer=form.cleaned_data["answer"])
    return redirect("auditing:erasures")


urlpatterns = [
    path("audits/<uuid:audit_id>/erase", ask_page, name="erase"),
    path("erasures", erasure_list, name="erasures"),
    path("erasures/<uuid:erasure_id>", decide, name="decide_erasure"),
]
