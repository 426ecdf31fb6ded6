"""Addresses of campaigns and of the start page."""

from django.urls import include, path

from auditing.research.campaigns import api
from auditing.research.campaigns.views import campaigns, home

urlpatterns = [
    path("", include("auditing.research.campaigns.views.campaign")),
    path("", include("auditing.research.campaigns.views.cockpit")),
    path("", include("auditing.research.campaigns.views.questions")),
    path("home", home.home, name="home"),
    path("campaigns", campaigns.campaign_list, name="campaigns"),
    path("campaigns/new", campaigns.new_campaign, name="new_campaign"),
    path("campaigns/<uuid:campaign_id>/state", campaigns.change_campaign, name="change_campaign"),
    path("campaigns/<uuid:campaign_id>/edit", campaigns.edit_campaign, name="edit_campaign"),
    path("api/v1/campaigns", api.CampaignList.as_view(), name="api_campaigns"),
    path("api/v1/campaigns/<uuid:campaign_id>/people", api.CampaignPeople.as_view(), name="api_campaign_people"),
    path("api/v1/campaigns/<uuid:campaign_id>/steer", api.CampaignSteering.as_view(), name="api_campaign_steer"),
]
