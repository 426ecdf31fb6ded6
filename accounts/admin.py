"""What Django's admin site shows of people's second factors: that they are there, never their secrets."""

from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.http import HttpRequest

admin.site.unregister(Authenticator)  # allauth's own page shows `data`, from which anybody could make codes


@admin.register(Authenticator)
class FactorAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """An admin takes away the factor of somebody who lost it; the person sets up another one."""

    list_display = ("user", "type", "created_at", "last_used_at")
    exclude = ("data",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Only its person sets a factor up."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """A factor is not edited."""
        return False
