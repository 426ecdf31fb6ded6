"""Addresses of the corridor: pages by room, the API under /api/v1."""

from django.urls import include, path

from auditing.views import conduct, gold
from auditing.views.campaigns import campaigns, home
from auditing.views.intake import decomposition, submission
from auditing.views.points import record
from auditing.views.report import audits
from auditing.views.routing import scratchpad, table
from auditing.views.voting import desk, openings

urlpatterns = [
    path("api/v1/", include("auditing.api.urls")),
    path("", include("auditing.views.policy.policy_urls")),
    path("", include("auditing.views.model_tier.consents")),
    path("", include("auditing.views.model_tier.endpoints")),
    path("", include("auditing.views.report.paused")),
    path("", include("auditing.views.intake.erasure")),
    path("", include("auditing.views.ledger.published")),
    path("", include("auditing.views.soundness.runs")),
    path("", include("auditing.views.ledger.pages")),
    path("", include("auditing.views.ledger.verifying")),
    path("", include("auditing.views.campaigns.news")),
    path("", include("auditing.views.campaigns.calibration")),
    path("home", home.home, name="home"),
    path("submit", submission.submit_page, name="submit"),
    path("audits", audits.audit_list, name="audits"),
    path("audits/<uuid:audit_id>", audits.audit_page, name="audit"),
    path("audits/<uuid:audit_id>/segments/<str:label>/computer", audits.computer_vote, name="computer_vote"),
    path("audits/<uuid:audit_id>/graph", decomposition.job_page, name="decomposition"),
    path("audits/<uuid:audit_id>/graph/again", decomposition.again, name="decompose_again"),
    path("audits/<uuid:audit_id>/report", audits.report_page, name="report"),
    path("audits/<uuid:audit_id>/report.json", audits.report_json, name="report_json"),
    path("audits/<uuid:audit_id>/hdag.json", audits.hdag_json, name="hdag_json"),
    path("audits/<uuid:audit_id>/withdraw", audits.withdraw_audit, name="withdraw"),
    path("campaigns", campaigns.campaign_list, name="campaigns"),
    path("campaigns/new", campaigns.new_campaign, name="new_campaign"),
    path("campaigns/<uuid:campaign_id>", campaigns.campaign_page, name="campaign"),
    path("campaigns/<uuid:campaign_id>/state", campaigns.change_campaign, name="change_campaign"),
    path("campaigns/<uuid:campaign_id>/edit", campaigns.edit_campaign, name="edit_campaign"),
    path("policies/<int:number>/routing", table.routing_page, name="routing"),
    path("scratchpad", scratchpad.scratchpad, name="scratchpad"),
    path("desk", desk.desk, name="desk"),
    path("desk/help", desk.desk_help, name="desk_help"),
    path("desk/waiting", desk.waiting_room, name="waiting_room"),
    path("desk/<uuid:seat_id>/decline", desk.decline_seat, name="decline"),
    path("desk/<uuid:seat_id>/danger", desk.report_seat, name="danger"),
    path("desk/<uuid:seat_id>/outline", desk.show_outline, name="outline"),
    path("desk/<uuid:seat_id>/premise", desk.name_missing_premise, name="missing_premise"),
    path("desk/<uuid:seat_id>/cut", desk.report_bad_cut, name="bad_cut"),
    path("desk/<uuid:seat_id>/renew", desk.renew_seat, name="renew"),
    path("desk/<uuid:seat_id>/draft", desk.save_draft, name="draft"),
    path("desk/openings", openings.openings_page, name="openings"),
    path("desk/openings/key", openings.keep_own, name="keep_own"),
    path("desk/openings/off", openings.turn_off, name="turn_off_own"),
    path("record", record.record, name="record"),
    path("record/votes", record.votes, name="own_votes"),
    path("record/votes/<uuid:seat_id>", record.own_vote, name="own_vote"),
    path("record/votes/<uuid:seat_id>/dispute", record.dispute, name="dispute_vote"),
    path("record/my-weights.json", record.weights, name="own_weights"),
    path("record/votes/<uuid:seat_id>/receipt", record.receipt, name="vote_receipt"),
    path("record/recusals/<int:number>", record.end_recusal, name="end_recusal"),
    path("record/policies/<int:number>", record.policy, name="policy_in_force"),
    path("conduct", conduct.conduct_list, name="conduct"),
    path("conduct/<uuid:auditor_id>", conduct.decide_conduct, name="decide_conduct"),
    path("gold", gold.gold_list, name="gold"),
    path("gold/disputes", gold.dispute_list, name="disputes"),
    path("gold/disputes/<int:number>", gold.decide_dispute, name="decide_dispute"),
    path("gold/<uuid:gold_id>", gold.change_gold, name="change_gold"),
    path("desk/drafts/forget", desk.forget_drafts, name="forget_drafts"),
]
