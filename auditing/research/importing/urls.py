"""Addresses of the pages that hand traces in."""

from django.urls import include, path

from auditing.research.importing.views import submission

urlpatterns = [
    path("", include("auditing.research.importing.views.files")),
    path("submit", submission.submit_page, name="submit"),
]
