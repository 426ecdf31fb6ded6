"""Addresses of the corridor: pages by room, the API under /api/v1."""

from django.urls import include, path

app_name = "auditing"
urlpatterns = [
    path("api/v1/", include("auditing.api.urls")),
]
