"""Addresses of the front page and of people's own pages."""

from django.urls import path

from accounts.views import front, joining, lists, profile, roles, sessions

app_name = "accounts"
urlpatterns = [
    path("", front.front, name="front"),
    path("theme", front.choose_theme, name="theme"),
    path("me", profile.profile, name="profile"),
    path("me/views", lists.keep_view, name="keep_view"),
    path("me/tokens", profile.token_list, name="tokens"),
    path("me/tokens/<uuid:public_id>/revoke", profile.revoke_token, name="revoke_token"),
    path("me/sessions", sessions.session_list, name="sessions"),
    path("mail/stop/<str:token>", profile.stop_mail, name="stop_mail"),
    path("people", roles.role_list, name="roles"),
    path("people/joining", joining.joining_page, name="joining"),
    path("people/joining/rule", joining.choose_way, name="choose_way"),
    path("people/invitations/<uuid:public_id>/take-back", joining.take_back, name="take_back"),
    path("people/requests/<uuid:public_id>", joining.answer_request, name="answer_request"),
    path("join", joining.join, name="join"),
    path("join/<str:secret>", joining.open_invitation, name="open_invitation"),
]
