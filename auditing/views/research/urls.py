"""Addresses of the research pages, below /research."""

from django.urls import path

from auditing.views.research import exports, home

urlpatterns = [
    path("research", home.research_home, name="research"),
    path("research/exports", exports.export_list, name="exports"),
    path("research/exports/<uuid:job_id>", exports.export_page, name="export"),
    path("research/exports/<uuid:job_id>/cancel", exports.cancel_export, name="cancel_export"),
    path("research/exports/<uuid:job_id>/file", exports.export_file, name="export_file"),
    path("research/stream/<slug:dataset>.jsonl", exports.export_stream, name="export_stream"),
]
