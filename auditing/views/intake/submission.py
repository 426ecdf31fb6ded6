"""Handing traces in: a form for one, a JSONL file for many."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts.permissions import Role, get_person, requires_role
from auditing.forms import TraceFileForm, TraceForm
from auditing.selectors.policy.forecast import forecast_set, forecast_submission
from auditing.services.intake.importing import ImportRefusedError, import_traces, read_lines
from auditing.services.intake.submission import CampaignClosedError, submit


@requires_role(Role.PROVIDER, Role.ADMIN)
@require_http_methods(["GET", "HEAD", "POST"])
def submit_page(request: HttpRequest) -> HttpResponse:
    """Show both forms; POST takes one of them."""
    if request.method == "POST" and "file" in request.FILES:
        return _take_file(request)
    form = TraceForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        cleaned = form.cleaned_data
        if "forecast" in request.POST:
            expected = forecast_submission(trace=form.trace, campaign=cleaned["campaign"], provider=get_person(request))
            return _show(request, form, TraceFileForm(), forecast=expected, is_forecast=True)
        try:
            done = submit(
                provider=get_person(request),
                trace=form.trace,
                campaign=cleaned["campaign"],
                copy=cleaned["copy"],
                whole_to_models=cleaned["whole_to_models"],
                decomposer=cleaned["decomposer"],
            )
        except CampaignClosedError as error:
            form.add_error("campaign", str(error))
        else:
            # The same text twice leads to the audit it has: a double click costs no second audit.
            if not done.is_new:
                messages.info(request, "This trace was handed in before; here is its audit.")
            return redirect("auditing:audit", audit_id=done.audit.pk)
    return _show(request, form, TraceFileForm())


def _take_file(request: HttpRequest) -> HttpResponse:
    form = TraceFileForm(request.POST, request.FILES)
    if form.is_valid():
        try:
            traces = read_lines(lines=form.cleaned_data["file"], format=form.cleaned_data["format"])
            cleaned = form.cleaned_data
            if "forecast" in request.POST:
                expected = forecast_set(traces=traces, campaign=cleaned["campaign"], provider=get_person(request))
                return _show(request, TraceForm(), form, set_forecast=expected, is_forecast=True)
            done = import_traces(
                provider=get_person(request),
                campaign=cleaned["campaign"],
                traces=traces,
                whole_to_models=cleaned["whole_to_models"],
                decomposer=cleaned["decomposer"],
            )
        except ImportRefusedError as error:
            # Nothing of a bad file is stored, so it can be mended and sent again; twenty lines show what is wrong.
            for problem in error.problems[:20]:
                form.add_error("file", problem)
        except CampaignClosedError as error:
            form.add_error("campaign", str(error))
        else:
            messages.success(request, f"{done.opened} audits opened; {done.known} traces were known already.")
            return redirect("auditing:audits")
    return _show(request, TraceForm(), form)


def _show(request: HttpRequest, form: TraceForm, file_form: TraceFileForm, **forecasts: object) -> HttpResponse:
    status = 400 if form.errors or file_form.errors else 200
    context = {"form": form, "file_form": file_form, **forecasts}
    return render(request, "auditing/intake/submission.html", context, status=status)
