"""Addresses of the front page and of people's own pages."""

from django.urls import path

from accounts.views import front, profile, roles

app_name = "accounts"
urlpatterns = [
    path("", front.front, name="front"),
    path("theme", front.choose_theme, name="theme"),
    path("me", profile.profile, name="profile"),
    path("me/tokens", profile.token_list, name="tokens"),
    path("me/tokens/<uuid:public_id>/revoke", profile.revoke_token, name="revoke_token"),
    path("people", roles.role_list, name="roles"),
]
