"""Addresses of the signs of conduct."""

from django.urls import path

from auditing.research.conduct import views

urlpatterns = [
    path("conduct", views.conduct_list, name="conduct"),
    path("conduct/<uuid:auditor_id>", views.decide_conduct, name="decide_conduct"),
]
