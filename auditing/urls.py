"""Addresses of the corridor: pages by room, the API under /api/v1."""

from django.urls import include, path

from auditing.views.consensus import adjudication, rules
from auditing.views.routing import scratchpad
from auditing.views.voting import desk, openings

urlpatterns = [
    path("api/v1/", include("auditing.api.urls")),
    path("", include("auditing.views.ledger.published")),
    path("", include("auditing.views.voting.choice")),
    path("campaigns/<uuid:campaign_id>/rule", rules.rule_page, name="campaign_rule"),
    path("adjudication", adjudication.queue, name="adjudication"),
    path("adjudication/<uuid:round_id>", adjudication.case, name="adjudicate"),
    path("scratchpad", scratchpad.scratchpad, name="scratchpad"),
    path("desk", desk.desk, name="desk"),
    path("desk/help", desk.desk_help, name="desk_help"),
    path("desk/waiting", desk.waiting_room, name="waiting_room"),
    path("desk/votes", desk.newest_votes, name="last_votes"),
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
    path("desk/drafts/forget", desk.forget_drafts, name="forget_drafts"),
]
