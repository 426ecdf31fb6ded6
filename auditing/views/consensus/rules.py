"""Which rule counts a campaign's votes, why, and the flag that keeps `auto` on gold."""

from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts.permissions import Role, get_person, has_role, requires_role
from auditing.selectors.campaigns.lookup import find_campaign
from auditing.selectors.consensus.skills import collusion_flags, rule_of, snapshots
from auditing.services.consensus.skills import flag_collusion


class FlagForm(forms.Form):
    """An admin's word that auditors of a campaign collude, or no longer do, and the reason."""

    why = forms.CharField(
        max_length=300,
        label="Reason",
        help_text="It is kept with your name and shown here for good.",
        widget=forms.Textarea(attrs={"rows": 3}),
    )


@requires_role(Role.ADMIN, Role.RESEARCHER)
@require_http_methods(["GET", "HEAD", "POST"])
def rule_page(request: HttpRequest, campaign_id: UUID) -> HttpResponse:
    """The rule in force for one campaign, what decided for it, and the collusion flag with its history."""
    campaign = find_campaign(key=campaign_id)
    if campaign is None:
        raise Http404
    may_flag = has_role(request.user, Role.ADMIN)
    flags = collusion_flags(campaign=campaign)
    is_set = bool(flags) and flags[0].is_set
    asked = request.method == "POST" and may_flag
    # The form stays unbound for a researcher's POST, which must not look like a typing error: it is a 403 below.
    form = FlagForm(request.POST if asked else None)
    if asked and form.is_valid():
        wanted = "set" in request.POST
        # A second click, or a second admin, adds no line to a history that is kept for good.
        if wanted == is_set:
            messages.info(request, f"The flag {'is set' if is_set else 'is not set'} already; nothing changed.")
        else:
            flag_collusion(campaign=campaign, is_set=wanted, why=form.cleaned_data["why"], author=get_person(request))
            confirmation = "The flag is set: auto rests on gold alone." if wanted else "The flag is cleared."
            messages.success(request, confirmation)
        return redirect("auditing:campaign_rule", campaign_id=campaign.pk)
    context = {
        "campaign": campaign,
        "rule": rule_of(campaign=campaign),
        "snapshots": snapshots(campaign=campaign),
        "flags": flags,
        "is_set": is_set,
        "may_flag": may_flag,
        "form": form,
    }
    # A POST that arrives here changed nothing: 400 for a bad reason, 403 for whoever may only read.
    refused = request.method == "POST"
    return render(
        request, "auditing/consensus/rule.html", context, status=(400 if may_flag else 403) if refused else 200
    )
