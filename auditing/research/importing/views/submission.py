"""Handing one trace in, typed or pasted."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts.permissions import Role, get_person, requires_role
from auditing.research.importing.forms import TraceForm
from auditing.research.importing.views.files import import_page
from auditing.research.policy_lab.selectors.forecast import forecast_submission
from auditing.selectors.points.credit import credit_of, prices_of
from auditing.services.intake.submission import CampaignClosedError, submit
from auditing.services.points.prices import PriceNotCoveredError


@requires_role(Role.PROVIDER, Role.ADMIN)
@require_http_methods(["GET", "HEAD", "POST"])
def submit_page(request: HttpRequest) -> HttpResponse:
    """The form of one trace. Programs of before post files here too."""
    if request.method == "POST" and "file" in request.FILES:
        taken: HttpResponse = import_page(request)
        return taken
    person = get_person(request)
    form = TraceForm(request.POST or None, user=person)
    if request.method == "POST" and form.is_valid():
        cleaned = form.cleaned_data
        if "forecast" in request.POST:
            expected = forecast_submission(trace=form.trace, campaign=cleaned["campaign"], provider=person)
            return _show(request, form, forecast=expected, is_forecast=True)
        try:
            (done,) = submit(
                provider=person,
                traces=[form.trace],
                campaign=cleaned["campaign"],
                copy=cleaned["copy"],
                whole_to_models=cleaned["whole_to_models"],
                decomposer=cleaned["decomposer"],
                tags=cleaned["tags"],
            )
        except (CampaignClosedError, PriceNotCoveredError) as error:
            form.add_error("campaign", str(error))
        else:
            # The same text twice leads to the audit it has: a double click costs no second audit.
            if not done.is_new:
                messages.info(request, "This trace was handed in before; here is its audit.")
            return redirect("auditing:audit", audit_id=done.audit.pk)
    return _show(request, form)


def _show(request: HttpRequest, form: TraceForm, **forecasts: object) -> HttpResponse:
    campaigns = form.fields["campaign"].queryset  # type: ignore[attr-defined]
    prices = prices_of(campaigns=campaigns.select_related("policy"))
    context = {"form": form, "prices": prices, "most_bytes": settings.DATA_UPLOAD_MAX_MEMORY_SIZE, **forecasts}
    if prices:
        context["credit"] = credit_of(provider=get_person(request))
    return render(request, "auditing/intake/submission.html", context, status=400 if form.errors else 200)
