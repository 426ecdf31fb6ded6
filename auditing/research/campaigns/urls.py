"""Addresses of campaigns and of the start page."""

from django.urls import include, path

from auditing.research.campaigns.views import campaigns, home

urlpatterns = [
    path("", include("auditing.research.campaigns.views.cockpit")),
    path("", include("auditing.research.campaigns.views.questions")),
    path("home", home.home, name="home"),
    path("campaigns", campaigns.campaign_list, name="campaigns"),
    path("campaigns/new", campaigns.new_campaign, name="new_campaign"),
    path("campaigns/<uuid:campaign_id>", campaigns.campaign_page, name="campaign"),
    path("campaigns/<uuid:campaign_id>/state", campaigns.change_campaign, name="change_campaign"),
    path("campaigns/<uuid:campaign_id>/edit", campaigns.edit_campaign, name="edit_campaign"),
]
