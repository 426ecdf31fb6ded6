"""Addresses of soundness runs."""

from django.urls import include, path

from auditing.research.soundness import api

urlpatterns = [
    path("", include("auditing.research.soundness.views.runs")),
    path("api/v1/audits/<uuid:audit_id>/soundness", api.AuditSoundness.as_view(), name="api_soundness"),
]
