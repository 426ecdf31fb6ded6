"""POST /api/v1/desk/next: the reviewer's seat as data, for programs that vote through the same services as the page."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.bodies import check_no_body
from accounts.api.idempotency import HEADER, idempotent
from accounts.api.one_statement import InOneStatement
from accounts.permissions import Role, get_person, role_permission
from auditing.selectors.clock import database_now
from auditing.selectors.voting.neighbourhood import neighbourhood_of
from auditing.selectors.voting.panes import Neighbour, panes_of, sealing_of
from auditing.selectors.voting.waiting import why_empty
from auditing.services.seating.assignment import claim
from auditing.services.seating.auditors import auditor_of
from auditing.services.seating.claims import claim_at_once
from auditing.services.seating.disclosure import open_panes


class NeighbourSchema(serializers.Serializer[Any]):
    """A segment beside the current one, as far as it is shown."""

    label = serializers.CharField()  # type: ignore[assignment]  # a field of the answer, not the field's own label
    level = serializers.CharField()
    text = serializers.CharField()
    state = serializers.CharField()


class DeskSchema(serializers.Serializer[Any]):
    """A seat with its panes; `seat` is null when there is none, and `reason` says why."""

    seat = serializers.UUIDField(allow_null=True)
    reason = serializers.CharField()
    label = serializers.CharField(required=False)  # type: ignore[assignment]  # as above
    level = serializers.CharField(required=False)
    problem = serializers.CharField(required=False)
    text = serializers.CharField(required=False, help_text="current reasoning; without a seat, the reason in words")
    frees_at = serializers.DateTimeField(required=False, allow_null=True)
    dependencies = NeighbourSchema(many=True, required=False)
    implications = NeighbourSchema(many=True, required=False)
    withheld = serializers.CharField(required=False)
    guidelines = serializers.IntegerField(required=False, allow_null=True)
    due_at = serializers.DateTimeField(required=False)
    sealing = serializers.DictField(required=False, help_text="the public half of the commitment, and the reveal key")


class NextSeat(InOneStatement):
    """Claim the next seat, or be told again of the one that is held."""

    permission_classes = [role_permission(Role.REVIEWER, Role.ADJUDICATOR)]
    whole_way_headers = (HEADER,)

    @extend_schema(request=None, responses={200: DeskSchema})
    @idempotent
    def post(self, request: Request) -> Response:
        """The seat held, the next one, or why there is none."""
        check_no_body(request)
        # POST, because it takes a seat. Safe to repeat: who holds a seat is told of that one again.
        claimed = claim_at_once(person=self.person_key(request), token=self.token) if self.token else None
        if claimed is None:
            self.identify(request)
            claimed = claim(person=get_person(request).pk)
        if claimed is None:
            # 200, not 404: an empty desk is an ordinary answer, and programs branch on `reason`.
            why = why_empty(auditor=auditor_of(user=get_person(request)), now=database_now())
            return Response({"seat": None, "reason": why.reason, "text": why.text, "frees_at": why.frees_at})
        seat = claimed.seat
        near = neighbourhood_of(round=seat.round)
        open_panes(seat=seat, near=near)
        panes = panes_of(seat=seat, near=near)
        sealing = sealing_of(seat=seat, text=near.own, own=claimed.own, point=claimed.reveal_point)
        return Response(
            {
                "seat": seat.pk,
                "reason": "",
                "label": panes.label,
                "level": panes.level,
                "problem": panes.problem,
                "text": panes.text,
                "dependencies": [_neighbour(neighbour) for neighbour in panes.dependencies],
                "implications": [_neighbour(neighbour) for neighbour in panes.implications],
                "withheld": panes.withheld,
                "guidelines": claimed.guidelines,
                "due_at": seat.round.due_at,
                "sealing": sealing,
            }
        )


def _neighbour(neighbour: Neighbour) -> dict[str, str]:
    return {
        "label": neighbour.label,
        "level": neighbour.level,
        "text": neighbour.text,
        "state": neighbour.words,
    }
