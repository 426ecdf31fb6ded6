"""Addresses of the policy lab and of forecasts."""

from django.urls import path

from auditing.research.policy_lab import api
from auditing.research.policy_lab.views import policies, routing

urlpatterns = [
    path("policies", policies.policy_list, name="policies"),
    path("policies/new", policies.edit_policy, name="edit_policy"),
    path("policies/questions", policies.questions, name="policy_questions"),
    path("policies/preview", policies.preview_policy, name="preview_policy"),
    path("policies/figure.csv", policies.figure_of_form, name="figure_of_form"),
    path("policies/<int:number>", policies.policy_page, name="policy"),
    path("policies/<int:number>/<slug:name>.csv", policies.figure, name="policy_figure"),
    path("policies/<int:number>/routing", routing.routing_page, name="routing"),
    path("policies/<int:number>/roll-back", policies.roll_back_policy, name="roll_back_policy"),
    path("policies/<int:number>/replay", policies.replay_policy, name="replay_policy"),
    path("api/v1/forecast", api.ForecastView.as_view(), name="api_forecast"),
    path("api/v1/campaigns/<uuid:campaign_id>/forecast", api.CampaignForecast.as_view(), name="api_campaign_forecast"),
]
