"""Addresses of stored blocks."""

from django.urls import path

from hdag import views

app_name = "hdag"
urlpatterns = [path("ipfs/<path:name>", views.show_block, name="block")]
