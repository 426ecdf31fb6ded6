"""Addresses of the pages that hand traces in."""

from django.urls import include, path

from auditing.research.importing import api
from auditing.research.importing.views import submission

urlpatterns = [
    path("", include("auditing.research.importing.views.files")),
    path("api/v1/traces/file", api.TraceFile.as_view(), name="api_trace_file"),
    path("submit", submission.submit_page, name="submit"),
]
