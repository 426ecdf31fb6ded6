"""Soundness of an audit's trace: asking for it, following it, stopping it. Its figures stand on the trace page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.views.decorators.http import require_http_methods, require_POST

from accounts.permissions import Role, get_person, requires_role
from auditing.permissions import may_ask_soundness
from auditing.research.policy_lab.selectors.model_calls import forecast_soundness
from auditing.research.reports.selectors.refuted import beside, refuted_labels
from auditing.research.reports.selectors.report import Report
from auditing.research.soundness.core.second_look import Premises
from auditing.research.soundness.services import runs
from auditing.research.soundness.views.forms import SoundnessForm
from auditing.selectors.intake.lookup import find_audit
from auditing.selectors.soundness import (
    Soundness,
    askable_endpoints,
    certificate_of,
    newest_run,
    newest_runs,
)
from auditing.services import jobs

if TYPE_CHECKING:
    from auditing.models import Audit, SoundnessRun

ASKERS = (Role.PROVIDER, Role.RESEARCHER, Role.ADMIN)


def part_of(
    *,
    request: HttpRequest,
    audit: Audit,
    soundness: Soundness | None,
    job: SoundnessRun | None,
    author: str | None = None,
) -> dict[str, Any]:
    """What the part of the trace page shows; `job`: the newest run; `author` as for askable_endpoints."""
    may_ask = may_ask_soundness(user=request.user, audit=audit)
    rows = askable_endpoints(audit=audit, author=author) if may_ask else []
    form, forecasts = SoundnessForm(rows=rows), forecast_soundness(audit=audit, endpoints=rows)
    asks = {"form": form, "askable": rows, "forecasts": forecasts}
    return {"found": soundness, "job": job, "may_ask": may_ask, **asks}


def part_on_page(*, request: HttpRequest, report: Report) -> dict[str, Any]:
    """The part of a page whose report was read already."""
    return part_of(
        request=request,
        audit=report.audit,
        soundness=report.soundness,
        job=report.newest_run,
        author=report.trace.model_name,
    )


@requires_role(*ASKERS)
@require_http_methods(["GET", "HEAD", "POST"])
def soundness_part(request: HttpRequest, audit_id: UUID) -> HttpResponse:
    """GET: the part alone, for a page that follows a run. POST: ask for a run."""
    audit = _find(request, audit_id)
    if request.method == "POST":
        return _ask(request, audit)
    # The panel alone is no page: who opens the address by hand is led to where it stands.
    if not request.htmx:  # type: ignore[attr-defined]
        return redirect(_place(audit))
    newest = newest_runs(audit=audit)
    certificate, job = certificate_of(runs=newest), newest[0] if newest else None
    if certificate is not None:
        certificate = beside(soundness=certificate, refuted=refuted_labels(audit=audit))
    panel = part_of(request=request, audit=audit, soundness=certificate, job=job)
    context = {"audit": audit, "soundness": panel}
    return render(request, "auditing/soundness/_panel.html", context)


@requires_role(*ASKERS)
@require_POST
def stop_soundness(request: HttpRequest, audit_id: UUID) -> HttpResponse:
    """Stop the run that is open."""
    audit = _find(request, audit_id)
    job = newest_run(audit=audit)
    if job is not None and jobs.cancel(job=job):
        messages.success(request, "The computation is stopped.")
    return redirect(_place(audit))


def _ask(request: HttpRequest, audit: Audit) -> HttpResponse:
    form = SoundnessForm(request.POST, rows=askable_endpoints(audit=audit))
    if not form.is_valid():
        # The choice is checked again here: consent or an endpoint may have changed since the page was drawn.
        words = (
            form.errors.get("premises")
            or form.errors.get("limit_money")
            or ["One of these models may not be asked about this trace."]
        )
        messages.error(request, str(words[0]))
        return redirect(_place(audit))
    try:
        runs.ask(
            audit=audit,
            owner=get_person(request),
            endpoints=list(form.cleaned_data["endpoints"]),
            premises=Premises(form.cleaned_data["premises"] or Premises.DECLARED_FIRST),
            limit_money=form.cleaned_data["limit_money"],
        )
    except runs.SoundnessRefusedError as error:
        messages.error(request, f"Nothing was computed: {error}.")
    return redirect(_place(audit))


def _place(audit: Audit) -> str:
    return f"/audits/{audit.pk}#soundness"


def _find(request: HttpRequest, audit_id: UUID) -> Audit:
    """The audit, or 404 for whoever may not ask exactly as for an unknown id."""
    audit = find_audit(key=audit_id)
    if audit is None or not may_ask_soundness(user=request.user, audit=audit):
        raise Http404
    return audit


urlpatterns = [
    path("audits/<uuid:audit_id>/soundness", soundness_part, name="soundness"),
    path("audits/<uuid:audit_id>/soundness/stop", stop_soundness, name="stop_soundness"),
]
