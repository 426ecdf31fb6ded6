"""Gold segments, for admins: the table, one by hand, a JSONL file."""

from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models import Role
from accounts.permissions import requires_role
from auditing.core.rationale import ErrorType
from auditing.models import GoldSegment
from auditing.services.gold import BadGold, add_all, import_jsonl, read_gold, set_active
from hdag.core.errors import HdagError

SHOWN = 500


class GoldForm(forms.Form):
    """One gold segment."""

    name = forms.CharField(max_length=80)
    domain = forms.CharField(max_length=60)
    problem = forms.CharField(widget=forms.Textarea(attrs={"rows": 2}), required=False)
    text = forms.CharField(label="Segment", widget=forms.Textarea(attrs={"rows": 3}))
    truth = forms.ChoiceField(choices=[("pass", "right"), ("fail", "wrong")])
    error_type = forms.ChoiceField(
        choices=[("", "none"), *((one.value, one.value.replace("_", " ")) for one in ErrorType)], required=False
    )
    explanation = forms.CharField(widget=forms.Textarea(attrs={"rows": 2}), required=False)
    purpose = forms.ChoiceField(choices=GoldSegment.Purpose.choices)


@requires_role(Role.ADMIN)
@require_http_methods(["GET", "HEAD", "POST"])
def gold_list(request: HttpRequest) -> HttpResponse:
    """Every gold segment without its text; POST adds one, or a file of them."""
    form = GoldForm(request.POST if request.method == "POST" and "name" in request.POST else None)
    if request.method == "POST" and (form.is_valid() or "file" in request.FILES):
        try:
            if file := request.FILES.get("file"):
                count = import_jsonl(lines=file, actor=request.user)  # type: ignore[arg-type]
            else:
                count = add_all(records=[read_gold(record=form.cleaned_data, where="form")], actor=request.user)
            messages.success(request, f"{count} gold segment{'s' if count != 1 else ''} stored.")
            return redirect("auditing:gold")
        except (BadGold, HdagError) as error:
            messages.error(request, str(error))
    found = GoldSegment.objects.order_by("domain", "name")[:SHOWN]
    return render(request, "auditing/gold/page.html", {"form": form, "gold": found})


@requires_role(Role.ADMIN)
@require_POST
def change_gold(request: HttpRequest, gold_id: UUID) -> HttpResponse:
    """Retire a gold segment, or bring it back."""
    gold = GoldSegment.objects.filter(pk=gold_id).first()
    if gold is None:
        raise Http404
    set_active(gold=gold, active=not gold.is_active, actor=request.user)
    return redirect("auditing:gold")
