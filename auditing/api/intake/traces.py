"""POST /api/v1/traces: a provider hands a trace in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.http import Http404
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.bodies import ChoiceField, check_as
from accounts.api.idempotency import idempotent
from accounts.api.views import APIView
from accounts.permissions import Person, Role, Scope, get_person, role_permission
from auditing.selectors.campaigns.lookup import find_campaign, open_campaigns
from auditing.selectors.intake.decomposition import DECOMPOSERS, RULES
from auditing.services.intake.submission import limits, submit
from hdag.core.errors import BadRecordError
from hdag.readers.provider_tags import read_tags
from hdag.readers.records import read_record

if TYPE_CHECKING:
    from auditing.models import Campaign


class ToolCallSchema(serializers.Serializer[Any]):
    """A recorded tool call."""

    name = serializers.CharField()
    arguments = serializers.CharField(required=False)
    output = serializers.CharField(required=False)


class TraceSchema(serializers.Serializer[Any]):
    """A trace: at least one of thinking, answer, steps must not be blank."""

    campaign = serializers.UUIDField(required=False, help_text="May be left out where only one is open to you.")
    id = serializers.CharField(
        required=False, allow_null=True, help_text="Your own id of it: shown, searched and exported."
    )
    title = serializers.CharField(required=False, allow_null=True)
    tags = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="Words to sort by: searched and exported."
    )
    problem = serializers.CharField(allow_null=True, allow_blank=True)
    thinking = serializers.CharField(required=False, allow_null=True)
    answer = serializers.CharField(required=False, allow_null=True)
    steps = serializers.ListField(child=serializers.CharField(allow_blank=True), required=False)
    tool_calls = ToolCallSchema(many=True, required=False)
    domain = serializers.CharField(required=False, allow_null=True)
    model = serializers.CharField(required=False, allow_null=True, help_text="Never shown to auditors.")
    reference_answer = serializers.CharField(required=False, allow_null=True, help_text="Never shown to auditors.")
    copy = serializers.BooleanField(required=False, help_text="Ask for another trace of the same text.")
    whole_to_models = serializers.BooleanField(required=False, help_text="Language models may see the whole trace.")
    decomposer = ChoiceField(
        choices=DECOMPOSERS, required=False, help_text="Who makes the graph; llm needs whole_to_models. Default: rules."
    )


class SubmissionSchema(serializers.Serializer[Any]):
    """Where the submission led."""

    audit = serializers.UUIDField()
    trace = serializers.UUIDField()
    stage = serializers.CharField()
    is_new = serializers.BooleanField()


# Fields about the submission, not of the trace: they must not reach its digest, or `copy` would change the text's id.
OURS = ("campaign", "copy", "whole_to_models", "decomposer", "tags")


class TraceList(APIView):
    """Hand in a trace."""

    permission_classes = [role_permission(Role.PROVIDER, Role.ADMIN)]
    scope = Scope.TRACES

    @extend_schema(
        request=TraceSchema,
        responses={201: SubmissionSchema, 200: SubmissionSchema},
        examples=[OpenApiExample("steps", value={"problem": "What is 2 + 2?", "steps": ["2 + 2 = 4"], "answer": "4"})],
    )
    @idempotent
    def post(self, request: Request) -> Response:
        """Store the trace and open its audit; the same trace again answers 200 with the audit it has."""
        body = request.data
        check_as(TraceSchema, body)
        if not isinstance(body, dict):
            raise BadRecordError(where="body", field="", reason="must be an object")
        flags = {name: read_flag(body, name) for name in ("copy", "whole_to_models")}
        trace = read_record(
            {key: value for key, value in body.items() if key not in OURS}, where="body", limits=limits()
        )
        campaign, decomposer = find_named_campaign(body=body, user=get_person(request)), read_decomposer(body)
        given = body.get("tags", [])
        tags = read_tags(words=given if isinstance(given, list) else [given], where="body")
        person = get_person(request)
        (done,) = submit(provider=person, traces=[trace], campaign=campaign, decomposer=decomposer, tags=tags, **flags)
        answer = {
            "audit": done.audit.pk,
            "trace": done.audit.trace_id,
            "stage": done.audit.stage,
            "is_new": done.is_new,
        }
        # Idempotent: a client that lost the answer sends the same bytes again and gets 200 with the same audit.
        return Response(answer, status=status.HTTP_201_CREATED if done.is_new else status.HTTP_200_OK)


def read_decomposer(body: dict[str, Any]) -> str:
    """The decomposer that a body names, by default the rules. Raises BadRecordError."""
    name = body.get("decomposer", RULES)
    if not isinstance(name, str) or name not in dict(DECOMPOSERS):  # a list cannot be looked up
        raise BadRecordError(where="body", field="decomposer", reason=f"must be one of {', '.join(dict(DECOMPOSERS))}")
    return str(name)


def read_flag(body: dict[str, Any], name: str) -> bool:
    value = body.get(name, False)
    # Strict: bool("false") is true, and consent to show a whole trace must not rest on that.
    if not isinstance(value, bool):
        raise BadRecordError(where="body", field=name, reason="must be true or false")
    return value


def find_named_campaign(*, body: dict[str, Any], user: Person, where: str = "body") -> Campaign:
    """The campaign that a body names, or the only one that is open to `user`. Raises BadRecordError, Http404.

    where: what names it, for errors: a file is the body itself, and its campaign stands in the address.
    """
    name = body.get("campaign")
    if name is None:
        # Where there is a choice nobody but the provider can make it.
        open_to_user = open_campaigns(user=user)[:5]
        if len(open_to_user) == 1:
            return open_to_user[0]
        names = "; ".join(f"{campaign.pk} ({campaign.title})" for campaign in open_to_user)
        why = f"several are open to you: {names}" if names else "no campaign is open to you"
        raise BadRecordError(where=where, field="campaign", reason=f"is missing, and {why}")
    try:
        key = UUID(str(name))
    except ValueError as error:
        raise BadRecordError(where=where, field="campaign", reason="is not an id") from error
    campaign = find_campaign(key=key)
    if campaign is None:
        raise Http404
    return campaign
