"""Data sets out: asking for an export, following it, taking the file; and the plain JSONL stream."""

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode
from uuid import UUID

from django import forms
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST, require_safe

from accounts.forms import DayField, WholeNumberField
from accounts.listing import read_query
from accounts.parameters import read_id, read_text
from accounts.permissions import requires_role
from auditing.core.values import Outcome, Tier
from auditing.research.exports import services
from auditing.research.exports.download import send_file, streamed
from auditing.research.exports.formats import DATASETS, ExportRefusedError, Format, Shape
from auditing.research.exports.formats.content import plain
from auditing.research.exports.selectors.jobs import (
    COLUMNS,
    FILTERS,
    NEWEST,
    bundle_of,
    bundles_of,
    campaigns_to_export,
    export_rows,
    find_own_export,
)
from auditing.research.exports.selectors.scope import FilterRefusedError, Filters
from auditing.research.permissions import RESEARCHERS, researcher_of
from auditing.services import jobs
from hdag.rendering.states import word_of

if TYPE_CHECKING:
    from accounts.models import User
    from auditing.research.models import ExportJob

MEDIA: dict[str, str] = {
    Format.JSONL: "application/jsonl",
    Format.CSV: "text/csv; charset=utf-8",
    Format.PARQUET: "application/vnd.apache.parquet",
    Format.HUGGING_FACE: "application/x-tar",
    Shape.PROCESSBENCH: "application/jsonl",
    Shape.PRM800K: "application/jsonl",
}
LINES = 500  # rows a chunk of the stream


FORMATS = [
    *((str(member), str(member).replace("_", " ")) for member in Format),
    *(
        (str(member), f"records of {name} (data set steps, with text)")
        for member, name in ((Shape.PROCESSBENCH, "ProcessBench"), (Shape.PRM800K, "PRM800K"))
    ),
]


def _any(values: Iterable[str], everything: str) -> list[tuple[str, str]]:
    return [("", everything), *((str(member), word_of(member)) for member in values)]


class ExportForm(forms.Form):
    """What to take out; the field names are those of Filters."""

    dataset = forms.MultipleChoiceField(
        label="Data sets",
        choices=[(name, name) for name in DATASETS],
        initial=["votes"],
        widget=forms.CheckboxSelectMultiple,
        help_text="Several form one bundle: they join by pseudonym, by vote, by trace.",
    )
    bundle = forms.ChoiceField(
        required=False,
        label="Pseudonyms",
        help_text="Those of an earlier export make both join, and show what changed since.",
    )
    format = forms.ChoiceField(
        choices=FORMATS,
        help_text="Parquet and Hugging Face carry the kinds of their columns; of the others a library guesses them.",
    )
    campaign: "forms.ModelChoiceField[Any]" = forms.ModelChoiceField(None, required=False, empty_label="every campaign")
    domain = forms.CharField(max_length=60, required=False)
    policy = WholeNumberField(min_value=1, required=False, label="Policy number")
    since = DayField(required=False, widget=forms.DateInput(attrs={"type": "date"}))
    until = DayField(required=False, widget=forms.DateInput(attrs={"type": "date"}))
    tier = forms.ChoiceField(choices=_any(Tier, "every tier"), required=False)
    outcome = forms.ChoiceField(choices=_any(Outcome, "every outcome"), required=False)
    agreement = forms.ChoiceField(choices=_any(("unanimous", "split"), "every agreement"), required=False)
    gold = forms.ChoiceField(choices=[("any", "with gold"), ("without", "without gold"), ("only", "gold only")])
    simulated = forms.ChoiceField(
        choices=[("any", "with simulated reviewers"), ("without", "without them"), ("only", "only them")]
    )
    imported = forms.ChoiceField(
        choices=[("without", "without imported votes"), ("any", "with them"), ("only", "only them")]
    )
    with_text = forms.BooleanField(
        required=False, label="With text", help_text="Content and reasons, decrypted. Every such export is noted."
    )

    def __init__(self, *args: Any, bundles: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        earlier = [(bundle, f"those of {words}") for bundle, words in bundles]
        self.fields["bundle"].choices = [("", "new ones"), *earlier]  # type: ignore[attr-defined]
        self.fields["campaign"].queryset = campaigns_to_export()  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """No day is between two dates in the wrong order."""
        cleaned = super().clean() or {}
        since, until = cleaned.get("since"), cleaned.get("until")
        if since and until and since > until:
            self.add_error("until", f"This day is before {since}, from which on rows are asked for.")
        return cleaned

    def filters(self) -> Filters:
        """The filters asked for."""
        values = dict(self.cleaned_data)
        values["campaign"] = values["campaign"].pk if values["campaign"] else ""
        return Filters.read(values)


@requires_role(*RESEARCHERS)
@require_http_methods(["GET", "HEAD", "POST"])
def export_list(request: HttpRequest) -> HttpResponse:
    """The form, and the exports that this person asked for."""
    person = researcher_of(request)
    initial = {"campaign": read_id(request.GET, "campaign") or ""}
    form = ExportForm(request.POST or None, initial=initial, bundles=bundles_of(owner=person))
    if request.method == "POST" and form.is_valid():
        try:
            return redirect("auditing:export", job_id=_ask(form, person).pk)
        except ExportRefusedError as error:
            form.add_error("format", f"{error}.".capitalize())
    query = read_query(request.GET, filters=FILTERS, columns=COLUMNS, default=NEWEST)
    listed = {
        "page": export_rows(owner=person, query=query, after=read_text(request.GET, "after")),
        "query": query,
        "filters": query.filters,
        "columns": COLUMNS,
    }
    if request.htmx.target == "listing":  # type: ignore[attr-defined]
        return render(request, "research/exports/_list.html", listed)
    context = {**listed, "form": form, "datasets": DATASETS.values()}
    return render(request, "research/exports/page.html", context, status=400 if form.errors else 200)


@transaction.atomic
def _ask(form: ExportForm, person: "User") -> "ExportJob":
    """One export a data set, all or none, the others in the bundle of the first; returns the first."""
    values = form.cleaned_data
    first: ExportJob | None = None
    for dataset in values["dataset"]:
        job = services.ask(
            owner=person,
            dataset=dataset,
            format=values["format"],
            filters=form.filters(),
            with_text=values["with_text"],
            bundle=first.bundle if first else UUID(values["bundle"]) if values["bundle"] else None,
        )
        first = first or job
    assert first is not None  # the field demands at least one
    return first


@requires_role(*RESEARCHERS)
@require_GET
def export_page(request: HttpRequest, job_id: UUID) -> HttpResponse:
    """One export: how far it is, its hash, its file, its bundle; `?since=` what changed after an earlier one of it."""
    job = _get(request, job_id)
    bundle = bundle_of(job=job)
    snapshots = [each for each in bundle if services.are_comparable(earlier=each, later=job)]
    since = next((each for each in snapshots if each.pk == read_id(request.GET, "since")), None)
    context = {
        "job": job,
        # The others of its bundle end later, and their lines would say "waiting" for ever.
        "is_open": job.is_open or any(each.is_open for each in bundle),
        "is_shape": job.format in tuple(Shape),
        "bundle": bundle,
        "snapshots": snapshots,
        "since": since,
        "same_audits": urlencode({"stage": "recorded", **_shared_with_lists(job)}),
        "difference": services.compare(earlier=since, later=job) if since else None,
    }
    template = "research/exports/_export.html" if request.htmx else "research/exports/export.html"  # type: ignore[attr-defined]
    return render(request, template, context)


def _shared_with_lists(job: "ExportJob") -> dict[str, str]:
    """Those of its filters that a list of audits has as well."""
    return {name: str(job.filters[name]) for name in ("campaign", "domain", "outcome") if job.filters.get(name)}


@requires_role(*RESEARCHERS)
@require_POST
def cancel_export(request: HttpRequest, job_id: UUID) -> HttpResponse:
    """Stop it; its worker notices within a batch of rows."""
    jobs.cancel(job=_get(request, job_id))
    return redirect("auditing:export", job_id=job_id)


@requires_role(*RESEARCHERS)
@require_safe
def export_file(request: HttpRequest, job_id: UUID) -> HttpResponseBase:
    """The file, whole or from where a download broke off."""
    return file_of(request, _get(request, job_id))


@requires_role(*RESEARCHERS)
@require_GET
def export_stream(request: HttpRequest, dataset: str) -> HttpResponseBase:
    """A data set as JSONL at once, without a job: for small looks and pipes."""
    if dataset not in DATASETS:
        raise Http404
    try:
        filters = Filters.read_all(request.GET)
    except FilterRefusedError as error:
        return HttpResponse(str(error), status=400, content_type="text/plain; charset=utf-8")
    rows = services.rows_of(
        owner=researcher_of(request), dataset=dataset, filters=filters, salt=f"stream {request.user.pk}"
    )
    return streamed(request, _lines(dataset, rows), MEDIA[Format.JSONL])


def file_of(request: HttpRequest, job: "ExportJob") -> HttpResponseBase:
    """The file of a finished export, or 404 until then."""
    path = services.path_of(job=job)
    if job.state != job.State.DONE or not path.is_file():
        raise Http404
    return send_file(
        request,
        path=path,
        name=services.file_name(job=job),
        media_type=MEDIA[job.format],
        tag=f"{job.pk}-{job.attempts}",
    )


def get_job(user: "User", job_id: UUID) -> "ExportJob":
    """An export of one's own, or 404."""
    job = find_own_export(owner=user, job_id=job_id)
    if job is None:
        raise Http404
    return job


def _get(request: HttpRequest, job_id: UUID) -> "ExportJob":
    return get_job(researcher_of(request), job_id)


def _lines(dataset: str, rows: Iterator[Any]) -> Iterator[bytes]:
    """Chunks of lines, the columns in their published order."""
    columns = DATASETS[dataset].names
    # One JSON line at a time would cost one chunk of the answer each.
    while taken := list(islice(rows, LINES)):
        lines = [
            json.dumps({column: plain(row[column]) for column in columns}, ensure_ascii=False) + "\n" for row in taken
        ]
        yield "".join(lines).encode()
