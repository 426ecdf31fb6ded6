"""Addresses of the treasury and of a provider's credit."""

from django.urls import path

from auditing.research.treasury import api, views

urlpatterns = [
    path("treasury", views.treasury, name="treasury"),
    path("credit", views.credit, name="credit"),
    path("api/v1/credit", api.Credit.as_view(), name="api_credit"),
]
