"""Addresses of an auditor's own votes and points."""

from django.urls import path

from auditing.research.own_record import api
from auditing.research.own_record.views import record, stake, statement

urlpatterns = [
    path("record", record.record, name="record"),
    path("record/votes", record.votes, name="own_votes"),
    path("record/votes/<uuid:seat_id>", record.own_vote, name="own_vote"),
    path("record/votes/<uuid:seat_id>/dispute", record.dispute, name="dispute_vote"),
    path("record/my-weights.json", record.weights, name="own_weights"),
    path("record/votes/<uuid:seat_id>/panes", record.own_panes, name="own_panes"),
    path("record/votes/<uuid:seat_id>/receipt", record.receipt, name="vote_receipt"),
    path("record/recusals", record.recusals, name="recusals"),
    path("record/recusals/<int:number>", record.end_recusal, name="end_recusal"),
    path("record/policies/<int:number>", record.policy, name="policy_in_force"),
    path("record/stake", stake.stake, name="stake"),
    path("record/stake/put", stake.put, name="put_stake"),
    path("record/stake/notice", stake.give_notice, name="stake_notice"),
    path("record/stake/notices/<uuid:withdrawal_id>", stake.take_back, name="keep_stake"),
    path("api/v1/stake", api.Stake.as_view(), name="api_stake"),
    path("api/v1/stake/notices", api.StakeNotices.as_view(), name="api_stake_notices"),
    path("api/v1/stake/notices/<uuid:withdrawal_id>", api.StakeNotice.as_view(), name="api_stake_notice"),
    path("points", statement.statement, name="points"),
    path("points.csv", statement.statement_csv, name="points_csv"),
]
