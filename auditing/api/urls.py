"""Addresses of the API, version 1."""

from django.urls import path

from auditing.api import audits, desk, exports, graphs, openings, seats, soundness, traces

urlpatterns = [
    path("traces", traces.TraceList.as_view(), name="api_traces"),
    path("audits", audits.AuditList.as_view(), name="api_audits"),
    path("audits/<uuid:audit_id>", audits.AuditDetail.as_view(), name="api_audit"),
    path("audits/<uuid:audit_id>/soundness", soundness.AuditSoundness.as_view(), name="api_soundness"),
    path("audits/<uuid:audit_id>/graph", graphs.AuditGraph.as_view(), name="api_graph"),
    path("exports", exports.ExportList.as_view(), name="api_exports"),
    path("exports/<uuid:job_id>", exports.ExportDetail.as_view(), name="api_export"),
    path("exports/<uuid:job_id>/file", exports.ExportFile.as_view(), name="api_export_file"),
    path("desk/next", desk.NextSeat.as_view(), name="api_desk_next"),
    path("seats/<uuid:seat_id>/pass", seats.PassOn.as_view(), name="api_pass_on"),
    path("seats/<uuid:seat_id>/opening", openings.SeatOpening.as_view(), name="api_opening"),
    path("seats/<uuid:seat_id>/commitment", seats.SeatCommitment.as_view(), name="api_commitment"),
]
