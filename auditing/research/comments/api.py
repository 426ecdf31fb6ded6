"""/api/v1/audits/<id>/comments: what was said of a finished audit, by pseudonym; say something; take it back."""

from typing import Any
from uuid import UUID

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.bodies import WholeNumberField, read_body
from accounts.api.idempotency import idempotent
from accounts.api.views import APIView
from accounts.parameters import read_text
from accounts.permissions import Role, Scope, get_person, has_role, role_permission
from auditing.permissions import may_read_audit, may_read_reasons
from auditing.research.comments import selectors
from auditing.research.comments.services import LONGEST, CommentRefusedError, comment, take_back
from auditing.selectors.intake.lookup import find_audit


class CommentAsked(serializers.Serializer[Any]):
    """A comment to write: a segment by its name, words, and the place by its code points or the words there."""

    segment = serializers.CharField(max_length=12)
    text = serializers.CharField(max_length=LONGEST, trim_whitespace=False)
    quote = serializers.CharField(max_length=1_000, required=False, default="", allow_blank=True)
    start = WholeNumberField(required=False, min_value=0, max_value=10**9)
    end = WholeNumberField(required=False, min_value=0, max_value=10**9)


class AuditComments(APIView):
    """Comments on one audit."""

    permission_classes = [role_permission(*Role.values)]
    scope = Scope.MANAGE
    asked = (OpenApiParameter("segment", str, description="Its name; a voter reads those where they voted."),)

    @extend_schema(operation_id="comments_list", responses={200: dict}, parameters=[*asked])
    def get(self, request: Request, audit_id: UUID) -> Response:
        """Oldest first; without `segment` those of the whole audit, for whoever reads its reasons."""
        audit, person = find_audit(key=audit_id), get_person(request)
        if audit is None:
            raise Http404
        if label := read_text(request.query_params, "segment", most=12):
            segment = selectors.find_segment(audit=audit, label=label)
            if segment is None or not selectors.standing_at(audit=audit, user=person, segment=segment).may_read:
                raise Http404
            lines = selectors.discussion_of(audit=audit, segment=segment, user=person).lines
        else:
            reads = may_read_audit(user=person, audit=audit) and may_read_reasons(user=person, audit=audit)
            if not reads or not selectors.is_open(audit=audit):
                raise Http404
            lines = selectors.comments_of(audit=audit, user=person)
        return Response({"comments": [line.as_json() for line in lines]})

    @extend_schema(operation_id="comments_create", request=CommentAsked, responses={201: dict})
    @idempotent
    def post(self, request: Request, audit_id: UUID) -> Response:
        """Say something of a segment that one voted on, or of one's own trace."""
        values, audit, person = read_body(CommentAsked, request), find_audit(key=audit_id), get_person(request)
        segment = selectors.find_segment(audit=audit, label=values["segment"]) if audit is not None else None
        # 404 for all three, so that ids cannot be tried.
        if audit is None or segment is None:
            raise Http404
        if not selectors.standing_at(audit=audit, user=person, segment=segment).may_read:
            raise Http404
        place = (values["start"], values["end"]) if {"start", "end"} <= values.keys() else None
        try:
            row = comment(
                audit=audit, segment=segment, by=person, text=values["text"], words=values["quote"], place=place
            )
        except CommentRefusedError as error:
            raise serializers.ValidationError({"text": [str(error)]}) from None
        lines = selectors.discussion_of(audit=audit, segment=segment, user=person).lines
        return Response(next(line.as_json() for line in lines if line.id == row.pk), status=201)


class AuditComment(APIView):
    """One comment."""

    permission_classes = [role_permission(*Role.values)]
    scope = Scope.MANAGE

    @extend_schema(operation_id="comments_delete", responses={204: None})
    def delete(self, request: Request, audit_id: UUID, comment_id: UUID) -> Response:
        """Take back one's own; an admin removes any."""
        audit = find_audit(key=audit_id)
        row = selectors.find_comment(audit=audit, key=comment_id) if audit is not None else None
        is_admin = has_role(request.user, Role.ADMIN)
        if row is None or not take_back(row=row, by=get_person(request), is_admin=is_admin):
            raise Http404
        return Response(status=204)
