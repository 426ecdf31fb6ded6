"""Votes from elsewhere: taking a file in, and taking a set away."""

from typing import Any
from uuid import UUID

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from accounts.permissions import requires_role
from auditing.core.values import Tier
from auditing.permissions import may_manage
from auditing.research.imported_votes.records import Columns, Layout, VotesRefusedError, read_votes
from auditing.research.imported_votes.selectors import find_set, sets_of_votes
from auditing.research.imported_votes.services import forget_votes, store_votes
from auditing.research.permissions import RESEARCHERS, researcher_of
from hdag.rendering.states import word_of

LAYOUTS = {
    Layout.COLUMNS: "columns that you name",
    Layout.USMLE: "the annotators of USMLE GPT-4 errors, raw",
    Layout.MR_GSM8K: "the judge models of MR-GSM8K",
}
COLUMN_NAMES = tuple(Columns.__dataclass_fields__)


class VotesForm(forms.Form):
    """A file of votes and how it is laid out."""

    file = forms.FileField(label="JSONL or CSV file")
    layout = forms.ChoiceField(choices=[(str(member), words) for member, words in LAYOUTS.items()])
    title = forms.CharField(max_length=120, required=False)
    domain = forms.CharField(max_length=60, required=False)
    tier = forms.ChoiceField(
        label="Who voted", choices=[(str(member), word_of(member)) for member in Tier], initial="human"
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, default in ((member, Columns.__dataclass_fields__[member].default) for member in COLUMN_NAMES):
            words = f"Column of the {name.replace('_', ' ')}"
            self.fields[f"column_{name}"] = forms.CharField(label=words, required=False, max_length=60, initial=default)

    def columns(self) -> Columns:
        """The mapping, for the layout of columns."""
        return Columns(**{name: self.cleaned_data[f"column_{name}"] for name in COLUMN_NAMES})

    def clean_file(self) -> Any:
        """Up to the limit of an upload."""
        file, largest = self.cleaned_data["file"], settings.TRUST_MAX_TRACE_BYTES * 20
        if file.size > largest:
            raise forms.ValidationError(f"The file has {file.size} bytes; {largest} are allowed.")
        return file


@requires_role(*RESEARCHERS)
@require_http_methods(["GET", "HEAD", "POST"])
def vote_sets(request: HttpRequest) -> HttpResponse:
    """The form and the sets."""
    form = VotesForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        values = form.cleaned_data
        try:
            votes = read_votes(
                data=values["file"].read(),
                name=values["file"].name,
                layout=Layout(values["layout"]),
                columns=form.columns(),
            )
        except VotesRefusedError as error:
            for problem in error.problems:
                form.add_error("file", problem)
        else:
            done = store_votes(
                owner=researcher_of(request),
                title=values["title"] or values["file"].name,
                layout=Layout(values["layout"]),
                votes=votes,
                domain=values["domain"],
                tier=Tier(values["tier"]),
            )
            # A set is known by what it holds: the same file twice is one set.
            words = f"{len(votes)} votes taken in." if done.is_new else "These votes were taken in before."
            messages.success(request, words)
            return redirect("auditing:vote_set", set_id=done.set.pk)
    context = {"form": form, "sets": sets_of_votes()[:50]}
    return render(request, "research/imported_votes/page.html", context, status=400 if form.errors else 200)


@requires_role(*RESEARCHERS)
@require_POST
def forget_set(request: HttpRequest, set_id: UUID) -> HttpResponse:
    """Its owner, or an admin, takes a set away."""
    vote_set = find_set(set_id=set_id)
    if vote_set is None or (vote_set.owner_id != request.user.pk and not may_manage(user=request.user)):
        raise Http404
    forget_votes(set=vote_set, actor=researcher_of(request))
    messages.success(request, "The set is gone.")
    return redirect("auditing:vote_sets")
