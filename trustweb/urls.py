"""Which app answers which address."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from drf_spectacular.views import SpectacularAPIView

from accounts import second_factor
from accounts.views import sessions
from auditing import urls as corridor
from auditing.research import urls as research
from trustweb import docs, health

# One way to sign in: the admin site's own form would ask for a password alone, as often as somebody likes.
admin.site.login = second_factor.open_admin_site  # type: ignore[method-assign]

urlpatterns: list[URLPattern | URLResolver] = [
    # First, because programs ask for nothing else: each pattern before theirs would be tried in vain.
    path("", include(([*corridor.urlpatterns, *research.urlpatterns], "auditing"))),
    path("healthz", health.show_health, name="healthz"),
    path("healthz/reading", health.show_health, {"forgiven": True}, name="healthz-reading"),
    path("admin/", admin.site.urls),
    path("api/schema", SpectacularAPIView.as_view(), name="schema"),
    path("api/docs", docs.show_api, name="api-docs"),
    path("accounts/2fa/totp/activate/", second_factor.ActivateFactor.as_view(), name="mfa_activate_totp"),
    # Codes are shown once, by the answer that makes them: allauth's pages would read them back.
    path("accounts/2fa/recovery-codes/", sessions.recovery_codes, name="mfa_view_recovery_codes"),
    path("accounts/2fa/recovery-codes/generate/", sessions.recovery_codes, name="mfa_generate_recovery_codes"),
    path("accounts/2fa/recovery-codes/download/", sessions.recovery_codes, name="mfa_download_recovery_codes"),
    path("accounts/", include("allauth.urls")),
    path("", include("accounts.urls")),
    path("", include("hdag.urls")),
]

handler400 = "trustweb.middleware.failures.show_bad_request"
handler403 = "trustweb.middleware.failures.show_forbidden"
handler404 = "trustweb.middleware.failures.show_not_found"
handler500 = "trustweb.middleware.failures.show_server_error"
