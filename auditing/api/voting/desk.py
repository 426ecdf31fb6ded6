"""POST /api/v1/desk/next: the reviewer's seat as data, for programs that vote through the same services as the page."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.permissions import Role, get_person, role_permission
from auditing.api.idempotency import idempotent
from auditing.selectors.clock import database_now
from auditing.selectors.voting.desk import Neighbour, desk_of
from auditing.selectors.voting.neighbourhood import neighbourhood_of
from auditing.selectors.voting.waiting import why_empty
from auditing.services.seating.assignment import claim_next
from auditing.services.seating.auditors import auditor_of
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


class NextSeat(APIView):
    """Claim the next seat, or be told again of the one that is held."""

    permission_classes = [role_permission(Role.REVIEWER, Role.ADJUDICATOR)]

    @extend_schema(request=None, responses={200: DeskSchema})
    @idempotent
    def post(self, request: Request) -> Response:
        """The seat held, the next one, or why there is none."""
        # POST, because it takes a seat. Safe to repeat: who holds a seat is told of that one again.
        auditor, now = auditor_of(user=get_person(request)), database_now()
        seat = claim_next(auditor=auditor, now=now)
        if seat is None:
            # 200, not 404: an empty desk is an ordinary answer, and programs branch on `reason`.
            why = why_empty(auditor=auditor, now=now)
            return Response({"seat": None, "reason": why.reason, "text": why.text, "frees_at": why.frees_at})
        near = neighbourhood_of(row=seat.round.segment)
        open_panes(seat=seat, near=near)
        desk_view = desk_of(seat=seat, near=near, is_drawn=False)
        return Response(
            {
                "seat": seat.pk,
                "reason": "",
                "label": desk_view.label,
                "level": desk_view.level,
                "problem": desk_view.problem,
                "text": desk_view.text,
                "dependencies": [_neighbour(neighbour) for neighbour in desk_view.dependencies],
                "implications": [_neighbour(neighbour) for neighbour in desk_view.implications],
                "withheld": desk_view.withheld,
                "guidelines": desk_view.guidelines.version if desk_view.guidelines else None,
                "due_at": seat.round.due_at,
                "sealing": desk_view.sealing,
            }
        )


def _neighbour(neighbour: Neighbour) -> dict[str, str]:
    return {
        "label": neighbour.label,
        "level": neighbour.level,
        "text": neighbour.text,
        "state": neighbour.words,
    }
