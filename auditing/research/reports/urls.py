"""Addresses under which audits are read, shared and appealed."""

from django.urls import include, path

from auditing.research.reports import api
from auditing.research.reports.views import appeals, audits, decomposition

urlpatterns = [
    path("", include("auditing.research.reports.views.paused")),
    path("", include("auditing.research.reports.views.shares")),
    path("", include("auditing.research.reports.views.events")),
    path("", include("auditing.research.reports.views.sheets")),
    path("audits", audits.audit_list, name="audits"),
    path("audits/withdraw", audits.withdraw_many, name="withdraw_many"),
    path("audits/<uuid:audit_id>", audits.audit_page, name="audit"),
    path("audits/<uuid:audit_id>/segments/<str:label>/computer", audits.computer_vote, name="computer_vote"),
    path(
        "audits/<uuid:audit_id>/segments/<str:label>/computer.json",
        audits.computer_vote_file,
        name="computer_vote_file",
    ),
    path("audits/<uuid:audit_id>/graph", decomposition.job_page, name="decomposition"),
    path("audits/<uuid:audit_id>/graph/again", decomposition.again, name="decompose_again"),
    path("audits/<uuid:audit_id>/report", audits.report_page, name="report"),
    path("audits/<uuid:audit_id>/report.json", audits.report_json, name="report_json"),
    path("audits/<uuid:audit_id>/hdag.json", audits.hdag_json, name="hdag_json"),
    path("audits/<uuid:audit_id>/withdraw", audits.withdraw_audit, name="withdraw"),
    path("audits/<uuid:audit_id>/appeal", appeals.appeal_page, name="appeal"),
    path("audits/<uuid:audit_id>/before", appeals.compare_page, name="compare"),
    path("api/v1/audits", api.AuditList.as_view(), name="api_audits"),
    path("api/v1/audits/<uuid:audit_id>", api.AuditDetail.as_view(), name="api_audit"),
    path("api/v1/audits/<uuid:audit_id>/hdag", api.AuditHdag.as_view(), name="api_hdag"),
]
