"""Addresses of stored blocks and of the files of charts."""

from django.urls import path

from hdag import views

app_name = "hdag"
urlpatterns = [
    path("ipfs/<path:name>", views.show_block, name="block"),
    path("charts/<slug:digest>/<slug:key>.<str:kind>", views.chart_file, name="chart_file"),
]
