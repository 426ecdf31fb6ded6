"""Addresses of the API, version 1."""

from django.urls import path

from auditing.api import model_tier
from auditing.api.intake import graphs, traces
from auditing.api.voting import desk, openings, seats

urlpatterns = [
    path("traces", traces.TraceList.as_view(), name="api_traces"),
    path("audits/<uuid:audit_id>/graph", graphs.AuditGraph.as_view(), name="api_graph"),
    path("endpoints", model_tier.EndpointList.as_view(), name="api_endpoints"),
    path("endpoints/<uuid:endpoint_id>/probe", model_tier.EndpointProbe.as_view(), name="api_endpoint_probe"),
    path("endpoints/<uuid:endpoint_id>/consents", model_tier.EndpointConsents.as_view(), name="api_consents"),
    path("consents/<int:number>/withdraw", model_tier.ConsentWithdrawn.as_view(), name="api_withdraw_consent"),
    path("desk/next", desk.NextSeat.as_view(), name="api_desk_next"),
    path("seats/<uuid:seat_id>/pass", seats.PassOn.as_view(), name="api_pass_on"),
    path("seats/<uuid:seat_id>/dispute", seats.Dispute.as_view(), name="api_dispute"),
    path("seats/<uuid:seat_id>/opening", openings.SeatOpening.as_view(), name="api_opening"),
    path("seats/<uuid:seat_id>/commitment", seats.SeatCommitment.as_view(), name="api_commitment"),
]
