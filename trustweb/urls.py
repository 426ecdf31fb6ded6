"""Which app answers which address."""

from importlib.util import find_spec

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from drf_spectacular.views import SpectacularAPIView

from trustweb import docs, health

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", health.show_health, name="healthz"),
    path("admin/", admin.site.urls),
    path("api/schema", SpectacularAPIView.as_view(), name="schema"),
    path("api/docs", docs.show_api, name="api-docs"),
    path("accounts/", include("allauth.urls")),
]
for _module in ("accounts.urls", "hdag.urls", "auditing.urls"):  # until every app has landed
    if find_spec(_module):
        urlpatterns.append(path("", include(_module)))

handler400 = "trustweb.failures.show_bad_request"
handler403 = "trustweb.failures.show_forbidden"
handler404 = "trustweb.failures.show_not_found"
handler500 = "trustweb.failures.show_server_error"
