"""Consents, for admins: which texts go to which server, agreeing and withdrawing."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.views.decorators.http import require_http_methods, require_POST

from accounts.permissions import Role, get_person, requires_role
from auditing.research.qualification.views.forms import ConsentForm
from auditing.selectors.model_tier.consents import listed_consents
from auditing.services.model_tier.consents import ConsentRefusedError, agree, withdraw


@requires_role(Role.ADMIN)
@require_http_methods(["GET", "HEAD", "POST"])
def consent_list(request: HttpRequest) -> HttpResponse:
    """All consents, and giving one; from a campaign's page it leads back there."""
    form = ConsentForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            consent = agree(actor=get_person(request), **form.cleaned_data)
        except ConsentRefusedError as error:
            form.add_error("extent", str(error))
        else:
            messages.success(request, f"Agreed: {consent.extent} may go to {consent.server}.")
            if consent.campaign_id:
                return redirect("auditing:campaign_models", campaign_id=consent.campaign_id)
            return redirect("auditing:consents")
    context = {"form": form, "consents": listed_consents()}
    return render(request, "auditing/model_tier/consents.html", context, status=400 if form.errors else 200)


@requires_role(Role.ADMIN)
@require_POST
def withdraw_consent(request: HttpRequest, number: int) -> HttpResponse:
    """From the next call on, nothing more goes there."""
    if not withdraw(number=number, actor=get_person(request)):
        raise Http404
    messages.success(request, "Withdrawn. From now on no text goes there; what was sent cannot be called back.")
    return redirect("auditing:consents")


urlpatterns = [
    path("endpoints/consents", consent_list, name="consents"),
    path("endpoints/consents/<int:number>/withdraw", withdraw_consent, name="withdraw_consent"),
]
