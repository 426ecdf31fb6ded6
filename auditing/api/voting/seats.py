"""POST /api/v1/seats/<id>/commitment: a reviewer's sealed vote."""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING, Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.bodies import ChoiceField, read_body
from accounts.api.idempotency import HEADER, idempotent
from accounts.api.one_statement import InOneStatement
from accounts.api.throttles import ScopedRateThrottle
from accounts.api.views import APIView
from accounts.permissions import Role, Scope, get_person, role_permission
from auditing.core.errors import BadParameterError
from auditing.core.voting.commitment import MalformedOpeningError, parse_commitment
from auditing.core.voting.desk_signs import Counts, counts_from
from auditing.selectors.clock import database_now
from auditing.selectors.consensus.cases import ADJUDICATION_REASONS
from auditing.selectors.voting.lookup import find_seat_of
from auditing.services.consensus.adjudication import NotYoursError, ReasonMissingError, state_reason
from auditing.services.gold.disputes import LONGEST, dispute_vote
from auditing.services.seating.auditors import auditor_of
from auditing.services.seating.declining import ROUTES, pass_on
from auditing.services.voting.commitment import NoSuchSeatError, Sealed, WindowClosedError, accept_from
from auditing.services.voting.desk_signs import keep_signs

if TYPE_CHECKING:
    from datetime import datetime

    from auditing.models import Auditor

# Seat, audit, round and auditor are missing on purpose: the server knows them, and no client may name others.
KEYS = {"commitment", "rationale_digest", "sealed", "kept", "raw_ms", "active_ms", "signs", "guidelines", "contested"}


class DeskSignsSchema(serializers.Serializer[Any]):
    """Counts of work at the desk, each optional: no content, and no consequence."""

    left = serializers.IntegerField(required=False, help_text="how often the window lost the focus")
    away_ms = serializers.IntegerField(required=False)
    pastes = serializers.IntegerField(required=False, help_text="into the reason")
    pasted = serializers.IntegerField(required=False, help_text="characters that pastes brought")
    edits = serializers.IntegerField(required=False, help_text="of the reason, by hand")


class CommitmentSchema(serializers.Serializer[Any]):
    """A sealed vote: everything the system can compute itself is left out on purpose."""

    commitment = serializers.RegexField("^[0-9a-f]{64}$")
    rationale_digest = serializers.RegexField("^[0-9a-f]{64}$")
    sealed = serializers.CharField(
        allow_null=True, help_text="base64 of the opening sealed to the reveal key; null in strict mode"
    )
    kept = serializers.CharField(
        required=False, help_text="strict mode: base64 of the opening under the reviewer's own key, unreadable here"
    )
    raw_ms = serializers.IntegerField(required=False)
    active_ms = serializers.IntegerField(required=False)
    signs = DeskSignsSchema(
        required=False, help_text="what was counted at the desk; shown to the reviewer, decides nothing"
    )
    guidelines = serializers.IntegerField(required=False, help_text="version of the guidelines that were shown")
    contested = ChoiceField(
        choices=ADJUDICATION_REASONS,
        required=False,
        help_text="an adjudicator's seat: why the segment was contested, unless that was said before",
    )


class ReceiptSchema(serializers.Serializer[Any]):
    """What the system promises."""

    seat = serializers.UUIDField()
    commitment = serializers.CharField()
    committed_at = serializers.DateTimeField()
    receipt = serializers.CharField()


class SeatCommitment(InOneStatement):
    """Seal a vote. The first one is final; the same bytes again give the same receipt."""

    permission_classes = [role_permission(Role.REVIEWER, Role.ADJUDICATOR)]
    throttle_classes = [ScopedRateThrottle]
    throttle_scope = "commitments"
    whole_way_headers = (HEADER,)

    @extend_schema(request=CommitmentSchema, responses={200: ReceiptSchema})
    @idempotent
    def post(self, request: Request, seat_id: UUID) -> Response:
        """Seal a vote for good: the same bytes again get the same receipt, other bytes of this seat 409."""
        vote, counts = read_sealed(request.data), _signs(request.data)
        if isinstance(request.data, dict) and "contested" in request.data:
            self.identify(request)
            _state_reason(seat_id, auditor_of(user=get_person(request)), request.data["contested"], database_now())
        stored = accept_from(
            seat_id=seat_id,
            person=self.person_key(request),
            vote=vote,
            guidelines=_guidelines(request.data),
            token=self.token,
        )
        if counts is not None:
            keep_signs(vote=stored, counts=counts)
        return Response(
            {
                "seat": stored.seat_id,
                "commitment": bytes(stored.digest).hex(),
                "committed_at": stored.committed_at,
                "receipt": stored.receipt,
            }
        )


def _state_reason(seat_id: UUID, auditor: Auditor, reason: Any, now: datetime) -> None:
    """Put the reason code on record with the vote. Raises MalformedOpeningError for a code that there is not."""
    seat = find_seat_of(key=seat_id, auditor=auditor)
    if seat is None or not seat.round.adjudicates:
        return
    try:
        state_reason(round=seat.round, auditor=auditor, reason=reason, now=now)
    except ReasonMissingError as error:
        raise MalformedOpeningError("contested names no reason that there is") from error
    except NotYoursError:
        # The seat is left, or its vote is in: accepting the vote says which.
        return


class PassOnSchema(serializers.Serializer[Any]):
    """Why a segment is passed on; every reason has its route."""

    because = ChoiceField(choices=list(ROUTES))


class PassOn(APIView):
    """Give a seat back with a reason; the next of the draw is offered it."""

    permission_classes = [role_permission(Role.REVIEWER, Role.ADJUDICATOR)]
    scope = Scope.AUDIT

    @extend_schema(request=PassOnSchema, responses={200: dict})
    @idempotent
    def post(self, request: Request, seat_id: UUID) -> Response:
        """What was done, in words; 404 for a seat of somebody else, 409 for one that was left already."""
        asked = read_body(PassOnSchema, request)
        seat = find_seat_of(auditor=auditor_of(user=get_person(request)), key=seat_id)
        if seat is None:
            raise NoSuchSeatError(NoSuchSeatError.__doc__)
        route = ROUTES[asked["because"]]
        if not pass_on(seat=seat, route=route, actor=get_person(request)):
            raise WindowClosedError(
                "This seat is not yours any more: it was voted on, passed on, or its window has closed."
            )
        return Response({"seat": seat.pk, "because": route.word, "done": route.done})


class DisputeSchema(serializers.Serializer[Any]):
    """Why the truth of one's own gold is wrong."""

    text = serializers.CharField(max_length=LONGEST)


class Dispute(APIView):
    """Dispute the gold that one's own seat was judged by, once its audit is settled."""

    permission_classes = [role_permission(Role.REVIEWER, Role.ADJUDICATOR)]
    scope = Scope.AUDIT

    @extend_schema(request=DisputeSchema, responses={200: dict})
    @idempotent
    def post(self, request: Request, seat_id: UUID) -> Response:
        """The number of the dispute; 404 for a seat of somebody else, 409 where there is no gold or it is disputed."""
        asked = read_body(DisputeSchema, request)
        seat = find_seat_of(auditor=auditor_of(user=get_person(request)), key=seat_id)
        if seat is None:
            raise NoSuchSeatError(NoSuchSeatError.__doc__)
        row = dispute_vote(seat=seat, by=get_person(request), text=asked["text"])
        return Response({"seat": seat.pk, "dispute": row.pk})


def read_sealed(body: Any) -> Sealed:
    """The sealed vote that a client sent. Raises MalformedOpeningError naming the field."""
    if not isinstance(body, dict):
        raise MalformedOpeningError("the body must be an object")
    # A misspelt "kept" would be dropped in silence and the opening lost: unknown fields are refused.
    if unknown := body.keys() - KEYS:
        raise MalformedOpeningError(f"unknown field {min(unknown)[:60]!r}")
    return Sealed(
        digest=parse_commitment(text=body.get("commitment")),
        rationale_digest=parse_commitment(text=body.get("rationale_digest")),
        sealed=None if _is_strict(body) else _base64("sealed", body.get("sealed")),
        kept=_base64("kept", body.get("kept")) if "kept" in body else None,
        raw_ms=_milliseconds(body, "raw_ms"),
        active_ms=_milliseconds(body, "active_ms"),
    )


def _is_strict(body: dict[str, Any]) -> bool:
    """Strict mode is asked for by a null beside the kept opening, never by leaving something out."""
    return "kept" in body and body.get("sealed", "") is None


def _base64(name: str, text: Any) -> bytes:
    try:
        data = base64.b64decode(text if isinstance(text, str) else "", validate=True)
    except (binascii.Error, ValueError):
        data = b""
    # A rationale of the greatest length, encrypted, stays below this.
    if not 1 <= len(data) <= 70_000:
        raise MalformedOpeningError(f"{name} must be the base64 of an encrypted opening")
    return data


def _milliseconds(body: dict[str, Any], name: str) -> int:
    value = body.get(name, 0)
    # `type(...) is int`: True is an int in Python, and JSON's true is no duration.
    if type(value) is not int or not 0 <= value < 2**31:
        raise MalformedOpeningError(f"{name} must be a whole number of milliseconds")
    return value


def _signs(body: Any) -> Counts | None:
    """What the client counted at the desk; None where it counts nothing."""
    if "signs" not in body:
        return None
    values = body["signs"]
    if not isinstance(values, dict):
        raise MalformedOpeningError("signs must be an object of counts")
    try:
        return counts_from(values=values)
    except BadParameterError as error:
        raise MalformedOpeningError(str(error)) from error


def _guidelines(body: Any) -> int | None:
    """The version of the campaign's guidelines that the voter was shown; None when the client names none."""
    version = body.get("guidelines")
    if version is not None and (type(version) is not int or not 0 <= version < 2**31):
        raise MalformedOpeningError("guidelines must be a version of this campaign's guidelines")
    return version
