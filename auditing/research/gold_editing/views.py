"""Gold segments, for admins: the table, one by hand, a JSONL file; and what reviewers dispute."""

import random
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.listing import read_query
from accounts.parameters import read_number, read_text
from accounts.permissions import Role, get_person, requires_role
from auditing.core.voting.rationale import ErrorType
from auditing.research.gold_editing.selectors import gold_by_campaign, newest_decoys
from auditing.selectors.campaigns.lookup import find_campaign
from auditing.selectors.clock import database_now
from auditing.selectors.gold.decoys import reckon_seats
from auditing.selectors.gold.disputes import DECISIONS, disputes, find_dispute
from auditing.selectors.gold.lookup import PURPOSES, find_gold
from auditing.selectors.gold.rates import rates_of_campaign
from auditing.selectors.gold.reviews import gold_files, gold_reviews
from auditing.selectors.gold.segments import COLUMNS, FILTERS, gold_rows, gold_sets
from auditing.selectors.policy.versions import load_policy
from auditing.services.gold import BadGoldError, read_gold, set_active
from auditing.services.gold.disputes import DisputeRefusedError, decide
from auditing.services.gold.reviews import ReviewRefusedError, add_by_hand, confirm_file, import_file, review
from auditing.services.gold.wholes import draft_everywhere
from hdag.core.errors import HdagError

MOST_DRAFTS = 50  # of each campaign at once: an editor reads every one of them
NOTHING_TO_DRAFT = (
    "Nothing to draft: that needs an open campaign that asks by passages, and recorded audits of it in which people "
    "passed how the problem is read, or the answer."
)


class GoldForm(forms.Form):
    """One gold segment."""

    name = forms.CharField(max_length=80, help_text="For admins only; each name once.")
    domain = forms.CharField(
        label="Field",
        max_length=60,
        widget=forms.TextInput(attrs={"list": "fields"}),
        help_text="As traces name it: the set of a field opens the live seats of that field.",
    )
    problem = forms.CharField(widget=forms.Textarea(attrs={"rows": 2}), required=False)
    premises = forms.CharField(
        label="What it rests on", widget=forms.Textarea(attrs={"rows": 2}), required=False, help_text="One a line."
    )
    text = forms.CharField(label="Segment", widget=forms.Textarea(attrs={"rows": 3}))
    truth = forms.ChoiceField(choices=[("pass", "right"), ("fail", "wrong")])
    error_type = forms.ChoiceField(
        choices=[("", "none"), *((error.value, error.value.replace("_", " ")) for error in ErrorType)],
        required=False,
        help_text="Only of a wrong one.",
    )
    explanation = forms.CharField(
        widget=forms.Textarea(attrs={"rows": 2}), required=False, help_text="Shown right after the answer."
    )
    purpose = forms.ChoiceField(
        choices=PURPOSES,
        help_text="Honeypots are put before reviewers in decoys, among the ordinary audits of their field.",
    )

    def clean_premises(self) -> list[str]:
        """One premise a line."""
        return [line.strip() for line in self.cleaned_data["premises"].splitlines() if line.strip()]

    def clean(self) -> dict[str, Any]:
        """A right segment has no error."""
        cleaned = super().clean() or {}
        if cleaned.get("truth") == "pass" and cleaned.get("error_type"):
            self.add_error("error_type", "A right segment has no error: choose none, or say that it is wrong.")
        return cleaned


@requires_role(Role.ADMIN)
@require_http_methods(["GET", "HEAD", "POST"])
def gold_list(request: HttpRequest) -> HttpResponse:
    """Every gold segment without its text, by field; POST adds one, or a file of them."""
    # Two forms post to one address; only the upload carries a file.
    is_file = "file" in request.FILES
    form = GoldForm(request.POST if request.method == "POST" and not is_file else None)
    fault = ""
    if request.method == "POST" and (is_file or form.is_valid()):
        try:
            # All or nothing: every bad line of a file is named, and no gold of it is stored.
            messages.success(request, _store(request, form))
            return redirect("auditing:gold")
        except (BadGoldError, HdagError) as error:
            fault = str(error)
    query = read_query(request.GET, filters=FILTERS, columns=COLUMNS, default="name")
    listed = {
        "page": gold_rows(query=query, after=read_text(request.GET, "after")),
        "query": query,
        "filters": query.filters,
        "columns": COLUMNS,
    }
    if request.htmx.target == "listing":  # type: ignore[attr-defined]
        return render(request, "auditing/gold/_all.html", listed)
    context = {
        **listed,
        "form": form,
        "fault": fault,
        "sets": gold_sets(),
        "placed": gold_by_campaign(),
        "decoys": newest_decoys(),
    }
    return render(request, "auditing/gold/page.html", context, status=400 if fault or form.errors else 200)


def _store(request: HttpRequest, form: GoldForm) -> str:
    if file := request.FILES.get("file"):
        source = read_text(request.POST, "provenance", most=200)
        count = import_file(lines=file, author=get_person(request), provenance=source)
        return f"{count} gold segment{'s' if count != 1 else ''} stored, in use once another editor has confirmed them."
    add_by_hand(record=read_gold(record=form.cleaned_data, where="this form"), author=get_person(request))
    return "Stored. It is in use once another editor has confirmed it."


@requires_role(Role.ADMIN)
@require_POST
def draft_gold(request: HttpRequest) -> HttpResponse:
    """Draft gold about how problems are read and about answers, for another editor to confirm."""
    most = read_number(request.POST, "most", least=1, most=MOST_DRAFTS)
    if most is None:
        messages.error(request, f"Say how many drafts of each campaign: 1 to {MOST_DRAFTS}.")
        return redirect("auditing:gold")
    count = draft_everywhere(by=get_person(request), most=most, rng=random.SystemRandom())
    if count:
        messages.success(request, f"{count} drafts wait for another editor, and are in use once they are confirmed.")
    else:
        messages.info(request, NOTHING_TO_DRAFT)
    return redirect("auditing:gold")


@requires_role(Role.ADMIN)
@require_POST
def change_gold(request: HttpRequest, gold_id: UUID) -> HttpResponse:
    """Retire a gold segment, or bring it back."""
    gold = find_gold(key=gold_id)
    if gold is None:
        raise Http404
    set_active(gold=gold, active=not gold.is_active, actor=get_person(request))
    return redirect("auditing:gold")


@requires_role(Role.ADMIN)
@require_GET
def campaign_gold(request: HttpRequest, campaign_id: UUID) -> HttpResponse:
    """What each reviewer of a campaign met, with the tickets of the next draw, and how often passages came again."""
    campaign = find_campaign(key=campaign_id)
    if campaign is None or campaign.policy is None:
        raise Http404
    policy = load_policy(version=campaign.policy, domain=campaign.domain)
    repeats = reckon_seats(campaign=campaign, policy=policy, repeats=True)
    context = {"campaign": campaign, "rates": rates_of_campaign(campaign=campaign, policy=policy), "repeats": repeats}
    return render(request, "auditing/gold/campaign.html", context)


@requires_role(Role.ADMIN, Role.ADJUDICATOR)
@require_GET
def review_list(request: HttpRequest) -> HttpResponse:
    """Gold that people made or handed in: what waits for a second editor, then what was reviewed."""
    person = get_person(request)
    context = {"lines": gold_reviews(reader=person), "files": gold_files(reader=person)}
    return render(request, "auditing/gold/reviews.html", context)


@requires_role(Role.ADMIN)
@require_POST
def confirm_gold_file(request: HttpRequest) -> HttpResponse:
    """Bring a file into use whose sample was confirmed."""
    try:
        count = confirm_file(file=read_text(request.POST, "file", most=64), by=get_person(request))
    except ReviewRefusedError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, f"{count} gold segments more are in use.")
    return redirect("auditing:gold_reviews")


@requires_role(Role.ADMIN, Role.ADJUDICATOR)
@require_POST
def review_gold(request: HttpRequest, gold_id: UUID) -> HttpResponse:
    """A second editor's word on one gold segment."""
    gold = find_gold(key=gold_id)
    if gold is None:
        raise Http404
    try:
        verdict, why = read_text(request.POST, "verdict", most=4), read_text(request.POST, "why", most=300)
        agrees = review(gold=gold, verdict=verdict, why=why, by=get_person(request))
    except ReviewRefusedError as error:
        messages.error(request, str(error))
    else:
        said = "You agree with its author: it is in use." if agrees else "You disagree with its author: it stays out."
        messages.success(request, said)
    return redirect("auditing:gold_reviews")


@requires_role(Role.ADMIN, Role.ADJUDICATOR)
@require_GET
def dispute_list(request: HttpRequest) -> HttpResponse:
    """Every dispute of gold, open ones first, with the text, what is held for true, and what the reviewer says."""
    context = {"lines": disputes(reader=get_person(request)), "decisions": DECISIONS}
    return render(request, "auditing/gold/disputes.html", context)


@requires_role(Role.ADMIN, Role.ADJUDICATOR)
@require_POST
def decide_dispute(request: HttpRequest, number: int) -> HttpResponse:
    """Decide one dispute."""
    dispute = find_dispute(number=number)
    if dispute is None:
        raise Http404
    try:
        decision, why = read_text(request.POST, "decision", most=10), read_text(request.POST, "why", most=300)
        decide(dispute=dispute, decision=decision, why=why, by=get_person(request), now=database_now())
    except DisputeRefusedError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, "Recorded, and the reviewer is told.")
    return redirect("auditing:disputes")
