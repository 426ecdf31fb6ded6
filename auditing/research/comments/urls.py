"""Addresses of comments."""

from django.urls import path

from auditing.research.comments import api, views

urlpatterns = [
    path("audits/<uuid:audit_id>/segments/<str:label>/comments", views.comments_page, name="comments"),
    path("audits/<uuid:audit_id>/comments/<uuid:comment_id>/remove", views.remove, name="remove_comment"),
    path("api/v1/audits/<uuid:audit_id>/comments", api.AuditComments.as_view(), name="api_comments"),
    path("api/v1/audits/<uuid:audit_id>/comments/<uuid:comment_id>", api.AuditComment.as_view(), name="api_comment"),
]
