"""/api/v1/stake: points that an auditor has at stake, and notices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.bodies import WholeNumberField, read_body
from accounts.api.idempotency import idempotent
from accounts.api.views import APIView
from accounts.permissions import Role, Scope, get_person, role_permission
from auditing.research.own_record.selectors.own_stake import find_withdrawal, own_stake
from auditing.selectors.clock import database_now
from auditing.services.points import stakes
from auditing.services.seating.auditors import auditor_of

if TYPE_CHECKING:
    from auditing.models import Withdrawal


class PointsSchema(serializers.Serializer[Any]):
    """So many points. key: of your own making, so that a request sent twice counts once."""

    points = WholeNumberField(min_value=1, max_value=10**9)
    key = serializers.UUIDField(required=False)


class NoticeSchema(serializers.Serializer[Any]):
    """Notice of points at stake."""

    id = serializers.UUIDField()
    points = serializers.IntegerField()
    asked_at = serializers.DateTimeField()
    due_at = serializers.DateTimeField()
    paid_at = serializers.DateTimeField(allow_null=True)
    paid = serializers.IntegerField(help_text="Less than points where some was lost meanwhile.")
    taken_back_at = serializers.DateTimeField(allow_null=True)


class StakeSchema(serializers.Serializer[Any]):
    """What is at stake, and what follows under the newest policy."""

    points = serializers.IntegerField(help_text="Released: what can be put at stake.")
    stake = serializers.IntegerField()
    own = serializers.IntegerField(help_text="Put there by oneself, less what is lost.")
    under_notice = serializers.IntegerField()
    withdrawable = serializers.IntegerField()
    tickets = serializers.IntegerField(help_text="In a draw, 1 to 8.")
    notice_days = serializers.IntegerField()
    notices = NoticeSchema(many=True)


class Stake(APIView):
    """The own stake."""

    permission_classes = [role_permission(Role.REVIEWER, Role.ADJUDICATOR)]
    scope = Scope.AUDIT

    @extend_schema(responses={200: StakeSchema})
    def get(self, request: Request) -> Response:
        """What is at stake, and every notice."""
        return Response(_stake(request))

    @extend_schema(request=PointsSchema, responses={201: StakeSchema})
    @idempotent
    def post(self, request: Request) -> Response:
        """Put released points at stake; 409 where there are not so many."""
        given = _points(request)
        auditor = auditor_of(user=get_person(request))
        stakes.put(auditor=auditor, points=given["points"], key=given.get("key") or uuid4())
        return Response(_stake(request), status=status.HTTP_201_CREATED)


class StakeNotices(APIView):
    """Notices of points at stake."""

    permission_classes = [role_permission(Role.REVIEWER, Role.ADJUDICATOR)]
    scope = Scope.AUDIT

    @extend_schema(request=PointsSchema, responses={201: NoticeSchema})
    @idempotent
    def post(self, request: Request) -> Response:
        """Give notice: the points are paid when it ends, less what is lost until then; 409 where there are fewer."""
        auditor = auditor_of(user=get_person(request))
        row = stakes.give_notice(auditor=auditor, points=_points(request)["points"], now=database_now())
        row.refresh_from_db()
        return Response(_notice(row), status=status.HTTP_201_CREATED)


class StakeNotice(APIView):
    """One notice."""

    permission_classes = [role_permission(Role.REVIEWER, Role.ADJUDICATOR)]
    scope = Scope.AUDIT

    @extend_schema(responses={200: NoticeSchema})
    def delete(self, request: Request, withdrawal_id: UUID) -> Response:
        """Take it back; 404 for one of somebody else, 409 for one that has ended."""
        row = find_withdrawal(auditor=auditor_of(user=get_person(request)), key=withdrawal_id)
        if row is None:
            raise Http404
        stakes.take_back(withdrawal=row, now=database_now())
        row.refresh_from_db()
        return Response(_notice(row))


def _points(request: Request) -> dict[str, Any]:
    return read_body(PointsSchema, request)


def _stake(request: Request) -> dict[str, Any]:
    own = own_stake(auditor=auditor_of(user=get_person(request)))
    return {
        "points": own.balances.points,
        "stake": own.stake.total,
        "own": own.stake.own,
        "under_notice": own.stake.under_notice,
        "withdrawable": own.stake.withdrawable,
        "tickets": own.tickets,
        "notice_days": own.notice_days,
        "notices": [_notice(row) for row in own.withdrawals],
    }


def _notice(row: Withdrawal) -> dict[str, Any]:
    names = ("points", "asked_at", "due_at", "paid_at", "paid", "taken_back_at")
    return {"id": row.pk, **{name: getattr(row, name) for name in names}}
