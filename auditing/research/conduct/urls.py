"""Addresses of the signs of conduct, and of the cases about reviewers."""

from django.urls import path

from auditing.research.conduct import views

urlpatterns = [
    path("conduct", views.conduct_list, name="conduct"),
    path("conduct/<uuid:auditor_id>", views.decide_conduct, name="decide_conduct"),
    path("conduct/rings", views.flag, name="flag_ring"),
    path("conduct/rings/<int:number>", views.clear, name="clear_ring"),
    path("conduct/cases/<uuid:case_id>/appeal", views.appeal_case, name="appeal_case"),
    path("conduct/cases/<uuid:case_id>/ruling", views.rule_case, name="rule_case"),
    path("conduct/cases/<uuid:case_id>.json", views.case_record, name="case_record"),
]
