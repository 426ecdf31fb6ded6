"""Addresses of the policy lab, adjudication, appeals and points; included under the namespace of auditing."""

from django.urls import path

from auditing.views.consensus import adjudication, appeals, rules
from auditing.views.points import statement
from auditing.views.policy import policies

urlpatterns = [
    path("policies", policies.policy_list, name="policies"),
    path("policies/new", policies.edit_policy, name="edit_policy"),
    path("policies/questions", policies.questions, name="policy_questions"),
    path("policies/preview", policies.preview_policy, name="preview_policy"),
    path("policies/figure.csv", policies.figure_of_form, name="figure_of_form"),
    path("policies/<int:number>", policies.policy_page, name="policy"),
    path("policies/<int:number>/<slug:name>.csv", policies.figure, name="policy_figure"),
    path("policies/<int:number>/roll-back", policies.roll_back_policy, name="roll_back_policy"),
    path("policies/<int:number>/replay", policies.replay_policy, name="replay_policy"),
    path("campaigns/<uuid:campaign_id>/rule", rules.rule_page, name="campaign_rule"),
    path("adjudication", adjudication.queue, name="adjudication"),
    path("adjudication/<uuid:round_id>", adjudication.case, name="adjudicate"),
    path("audits/<uuid:audit_id>/appeal", appeals.appeal_page, name="appeal"),
    path("audits/<uuid:audit_id>/before", appeals.compare_page, name="compare"),
    path("points", statement.statement, name="points"),
    path("points.csv", statement.statement_csv, name="points_csv"),
]
