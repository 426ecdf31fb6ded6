"""Studies: the list, asking for a run, following it, and its report drawn from its figures."""

import re
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django import forms
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.forms import WholeNumberField
from accounts.parameters import read_number, read_text
from accounts.permissions import requires_role
from auditing.permissions import may_manage
from auditing.research.exports.tables import chosen_table
from auditing.research.permissions import RESEARCHERS, researcher_of
from auditing.research.studies import services
from auditing.research.studies.instruments.figures import charts_of
from auditing.research.studies.instruments.reports import as_html, report_from
from auditing.research.studies.instruments.runner import Report, find_studies
from auditing.research.studies.selectors import find_run, newest_runs
from auditing.services import jobs
from hdag.rendering.states import word_of

if TYPE_CHECKING:
    from auditing.research.models import StudyRun

# name=value; no line breaks and no NUL, which PostgreSQL refuses.
_OPTION = re.compile(r"([a-z_]{1,40})=([^\n\r\x00]{0,200})")


class StudyForm(forms.Form):
    """Which study, how large, from which seed."""

    study = forms.ChoiceField(choices=[])
    seed = WholeNumberField(min_value=0, max_value=2**31 - 1, initial=1)
    full = forms.BooleanField(required=False, label="Full size instead of a quick look")
    options = forms.CharField(
        required=False,
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="One name=value a line, for example dataset=gsm8k",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [(entry.name, f"{word_of(entry.name)}: {entry.title}") for entry in find_studies().values()]
        self.fields["study"].choices = choices  # type: ignore[attr-defined]

    def clean_options(self) -> dict[str, str]:
        """Lines of name=value."""
        options = {}
        for line in filter(None, map(str.strip, self.cleaned_data["options"].splitlines())):
            match = _OPTION.fullmatch(line)
            if match is None:
                raise forms.ValidationError(f"{line[:40]!r} is not name=value.")
            options[match[1]] = match[2].strip()
        return options


@requires_role(*RESEARCHERS)
@require_http_methods(["GET", "HEAD", "POST"])
def study_list(request: HttpRequest) -> HttpResponse:
    """Every study and the newest runs."""
    form = StudyForm(request.POST or None, initial={"study": read_text(request.GET, "study")})
    if request.method == "POST" and form.is_valid():
        return redirect("auditing:study_run", run_id=services.ask(owner=researcher_of(request), **form.cleaned_data).pk)
    context = {
        "form": form,
        "studies": find_studies().values(),
        "runs": newest_runs()[:30],
    }
    return render(request, "research/studies/page.html", context, status=400 if form.errors else 200)


@requires_role(*RESEARCHERS)
@require_GET
def study_page(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """One run: its progress, then its tables and charts."""
    run = _get(run_id)
    report = report_of(run)
    context = {
        "job": run,
        "study": find_studies().get(run.study),
        "tables": report.tables,
        "notes": report.notes,
        "charts": charts_of(report.tables),
        "simulated": report.simulated,
        "may_cancel": _may_cancel(request, run),
        # Shown so that people see that nothing is lost by going on.
        "pieces": run.pieces.count(),
        "coverage": report.coverage,
        "may_take_up": _is_unfinished(run) and _may_steer(request, run),
    }
    answer = chosen_table(
        tables=report.tables, asked=read_number(request.GET, "csv"), name=run.study, simulated=bool(report.simulated)
    )
    template = "research/studies/_study.html" if request.htmx else "research/studies/study.html"  # type: ignore[attr-defined]
    return answer or render(request, template, context)


def _is_unfinished(run: "StudyRun") -> bool:
    return run.state in (run.State.FAILED, run.State.CANCELLED) or services.is_partial(report=run.report)


@requires_role(*RESEARCHERS)
@require_GET
def study_json(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """The figures of a finished run."""
    run = _get(run_id)
    if run.report is None:
        raise Http404
    answer = JsonResponse({**_head(run), **run.report}, json_dumps_params={"indent": 1, "ensure_ascii": False})
    answer["Content-Disposition"] = content_disposition_header(True, f"{run.study}-{run.seed}.json") or "attachment"
    return answer


@requires_role(*RESEARCHERS)
@require_GET
def study_html(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """The report as one file that needs nothing beside it."""
    run = _get(run_id)
    if run.report is None:
        raise Http404
    answer = HttpResponse(as_html(report=report_of(run), head=_head(run)))
    answer["Content-Disposition"] = content_disposition_header(True, f"{run.study}-{run.seed}.html") or "attachment"
    return answer


@requires_role(*RESEARCHERS)
@require_POST
def cancel_study(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """Its owner, or an admin, stops a run."""
    run = _get(run_id)
    if not _may_cancel(request, run):
        raise Http404
    jobs.cancel(job=run)
    return redirect("auditing:study_run", run_id=run_id)


@requires_role(*RESEARCHERS)
@require_POST
def take_up_study(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """Its owner, or an admin, lets a run that stopped go on."""
    run = _get(run_id)
    if not _may_steer(request, run):
        raise Http404
    services.take_up(row=run)
    return redirect("auditing:study_run", run_id=run_id)


def report_of(run: "StudyRun") -> Report:
    """The stored report, an empty one before it is there."""
    return report_from(run.report) if run.report else Report(run.study, [])


def _head(run: "StudyRun") -> dict[str, Any]:
    return {"study": run.study, "seed": run.seed, "full": run.full, "options": run.options}


def _get(run_id: UUID) -> "StudyRun":
    run = find_run(run_id=run_id)
    if run is None:
        raise Http404
    return run


def _may_cancel(request: HttpRequest, run: "StudyRun") -> bool:
    return run.is_open and _may_steer(request, run)


def _may_steer(request: HttpRequest, run: "StudyRun") -> bool:
    return run.owner_id == request.user.pk or may_manage(user=request.user)
