"""Handing a file of traces in: a preview that stores nothing, a mapping of its fields, its good lines, its bad ones."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.views.decorators.http import require_http_methods

from accounts.permissions import Role, get_person, requires_role
from auditing.research.importing.forms import TraceFileForm
from auditing.research.importing.services import (
    ImportRefusedError,
    ignored_in_words,
    import_traces,
    read_lines,
    survey_lines,
)
from auditing.research.policy_lab.selectors.forecast import forecast_set
from auditing.selectors.points.credit import credit_of, price_of
from auditing.services.intake.submission import CampaignClosedError
from auditing.services.points.prices import PriceNotCoveredError
from hdag.readers.archives.surveys import Survey
from hdag.selectors import known_traces

SHOWN, SHOWN_BAD = 10, 50  # lines of a preview
# What a button asks of the file; without one it is taken whole or not at all.
PREVIEW, GOOD, BAD, FORECAST = "preview", "good", "bad", "forecast"


@requires_role(Role.PROVIDER, Role.ADMIN)
@require_http_methods(["GET", "HEAD", "POST"])
def import_page(request: HttpRequest) -> HttpResponse:
    """The form of a file. The file is sent with each step and kept by none: nobody stores what was not handed in."""
    person = get_person(request)
    form = TraceFileForm(request.POST or None, request.FILES or None, user=person)
    if request.method != "POST" or not form.is_valid():
        return _show(request, form)
    asked = {name for name in (PREVIEW, GOOD, BAD, FORECAST) if name in request.POST}
    try:
        if asked & {PREVIEW, GOOD, BAD}:
            return _take_step(request, form, asked)
        cleaned = form.cleaned_data
        survey = read_lines(lines=cleaned["file"], format=cleaned["format"], mapping=form.mapping)
        if FORECAST in asked:
            expected = forecast_set(traces=survey.traces, campaign=cleaned["campaign"], provider=person)
            return _show(request, form, set_forecast=expected, is_forecast=True)
        done = _store(request, form, survey.traces)
    except ImportRefusedError as error:
        # Nothing of a bad file is stored, so it can be mended and sent again; twenty lines show what is wrong.
        for problem in error.problems[:20]:
            form.add_error("file", problem)
    except (CampaignClosedError, PriceNotCoveredError) as error:
        form.add_error("campaign", str(error))
    else:
        messages.success(request, " ".join(filter(None, (done.sentence, ignored_in_words(survey)))))
        return redirect("auditing:audits")
    return _show(request, form)


def _take_step(request: HttpRequest, form: TraceFileForm, asked: set[str]) -> HttpResponse:
    """A step that takes a file with bad lines: its preview, its good lines, or its bad ones as a file."""
    cleaned = form.cleaned_data
    survey = survey_lines(lines=cleaned["file"], format=cleaned["format"], mapping=form.mapping)
    if BAD in asked:
        # octet-stream: nothing that somebody else wrote is shown by a browser under our address.
        answer = HttpResponse(survey.bad_file, content_type="application/octet-stream")
        answer["Content-Disposition"] = 'attachment; filename="bad-lines.jsonl"'
        return answer
    if GOOD in asked and survey.good:
        done = _store(request, form, survey.traces)
        bad = survey.bad[:SHOWN_BAD]
        return _show(request, form, survey=survey, ignored=ignored_in_words(survey), bad=bad, done=done)
    person, campaign = get_person(request), cleaned["campaign"]
    are_known = known_traces(provider=person, traces=survey.traces)
    new = [trace for trace, is_known in zip(survey.traces, are_known, strict=True) if not is_known]
    context = {
        "price": sum(price_of(campaign=campaign, domain=trace.domain) for trace in new),
        "credit": credit_of(provider=person),
        "survey": survey,
        "ignored": ignored_in_words(survey),
        "sample": _sample(survey, are_known),
        "bad": survey.bad[:SHOWN_BAD],
        "new": are_known.count(False),
        "known": are_known.count(True),
    }
    return _show(request, form, **context)


def _store(request: HttpRequest, form: TraceFileForm, traces: list[Any]) -> Any:
    return import_traces(
        provider=get_person(request),
        campaign=form.cleaned_data["campaign"],
        traces=traces,
        whole_to_models=form.cleaned_data["whole_to_models"],
        decomposer=form.cleaned_data["decomposer"],
        tags=form.cleaned_data["tags"],
    )


def _sample(survey: Survey, are_known: list[bool]) -> list[dict[str, Any]]:
    """The first traces with their line and whether they are known."""
    rows = [(line.number, trace) for line in survey.good for trace in line.traces]
    return [
        {"number": number, "trace": trace, "is_known": is_known}
        for (number, trace), is_known in zip(rows[:SHOWN], are_known, strict=False)
    ]


def _show(request: HttpRequest, form: TraceFileForm, **context: object) -> HttpResponse:
    # The browser keeps the chosen file while a script swaps the steps; a page without one asks for it again.
    template = "auditing/intake/_import.html" if request.htmx else "auditing/intake/import.html"  # type: ignore[attr-defined]
    status = 400 if form.errors and not request.htmx else 200  # type: ignore[attr-defined]
    return render(request, template, {"form": form, **context}, status=status)


urlpatterns = [path("submit/file", import_page, name="import")]
