"""The log of everything that happened, for admins."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_safe

from accounts.listing import read_query
from accounts.parameters import read_choice, read_text
from accounts.permissions import Role, requires_role
from auditing.research.downloads import csv_answer
from auditing.research.reports.selectors.event_log import COLUMNS, FILTERS, NEWEST, fact_words, log_page, log_rows
from auditing.research.reports.selectors.event_words import sentence


@requires_role(Role.ADMIN)
@require_safe
def event_log(request: HttpRequest) -> HttpResponse:
    """Every event, newest first; `?format=csv` is what the address narrows them to, as a file."""
    query = read_query(request.GET, filters=FILTERS, columns=COLUMNS, default=NEWEST)
    if read_choice(request.GET, "format", ("csv",)):
        return csv_answer(rows=list(log_rows(query=query)), name="log.csv")
    page = log_page(query=query, after=read_text(request.GET, "after"))
    lines = [(event, sentence(event=event), fact_words(event)) for event in page.rows]
    context = {"page": page, "lines": lines, "query": query, "filters": query.filters, "columns": COLUMNS}
    is_part = request.htmx.target == "listing"  # type: ignore[attr-defined]
    return render(request, f"auditing/report/{'_events' if is_part else 'events'}.html", context)


urlpatterns = [path("log", event_log, name="event_log")]
