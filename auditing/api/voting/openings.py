"""POST /api/v1/seats/<id>/opening: in strict mode a reviewer opens the own vote once its window has closed."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.idempotency import idempotent
from accounts.api.throttles import ScopedRateThrottle
from accounts.api.views import APIView
from accounts.permissions import Role, Scope, get_person, role_permission
from auditing.core.voting.commitment import MalformedOpeningError, parse_commitment, parse_opening
from auditing.core.voting.seal import LONGEST_RATIONALE
from auditing.selectors.clock import database_now
from auditing.services.seating.auditors import auditor_of
from auditing.services.voting.own_openings import open_own
from auditing.services.voting.reveal import Opened

_TEXT = ("rnonce", "rationale")


class OpeningSchema(serializers.Serializer[Any]):
    """What the commitment hides. Both of rnonce and rationale are left out when the text was lost: the vote counts."""

    vote = serializers.IntegerField(help_text="0 fail, 1 pass, 2 abstain")
    confidence_bp = serializers.IntegerField(required=False, allow_null=True)
    rationale_digest = serializers.RegexField("^[0-9a-f]{64}$")
    nonce = serializers.RegexField("^[0-9a-f]{64}$")
    rnonce = serializers.RegexField("^[0-9a-f]{64}$", required=False)
    rationale = serializers.CharField(required=False)


class SeatOpening(APIView):
    """Open one's own vote; the same opening again is the same vote."""

    permission_classes = [role_permission(Role.REVIEWER, Role.ADJUDICATOR)]
    scope = Scope.AUDIT
    throttle_classes = [ScopedRateThrottle]
    # 100 a minute: votes and openings share one budget, each of them a transaction.
    throttle_scope = "commitments"

    @extend_schema(request=OpeningSchema, responses={200: dict})
    @idempotent
    def post(self, request: Request, seat_id: UUID) -> Response:
        """Open one's own sealed vote, once its window has closed; 409 before and after, 400 where it does not fit."""
        vote = open_own(
            seat_id=seat_id,
            auditor=auditor_of(user=get_person(request)),
            opened=read_opened(request.data),
            now=database_now(),
        )
        return Response({"seat": vote.seat_id, "opened_at": vote.revealed_at})


def read_opened(body: Any) -> Opened:
    """The opening that a client sent. Raises MalformedOpeningError naming the field."""
    if not isinstance(body, dict):
        raise MalformedOpeningError("the body must be an object")
    opening = parse_opening(fields={key: value for key, value in body.items() if key not in _TEXT})
    text = body.get("rationale")
    # The vote is in the opening, the reasons are beside it: who lost the text still has the vote counted.
    if text is None:
        return Opened(opening=opening)
    if not isinstance(text, str) or len(text.encode("utf-8", "replace")) > LONGEST_RATIONALE:
        raise MalformedOpeningError(f"rationale must be a text of at most {LONGEST_RATIONALE} bytes")
    return Opened(opening=opening, rnonce=parse_commitment(text=body.get("rnonce")), text=text)
