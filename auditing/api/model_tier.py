"""/api/v1/endpoints: servers that answer as language models; for admins. Keys go in and never come out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.bodies import ChoiceField, DecimalNumberField, WholeNumberField, check_no_body, read_body
from accounts.api.idempotency import idempotent
from accounts.api.views import APIView
from accounts.permissions import Role, get_person, role_permission
from auditing.selectors.campaigns.lookup import find_campaign
from auditing.selectors.model_tier.consents import listed_consents
from auditing.selectors.model_tier.lookup import find_endpoint, listed_endpoints
from auditing.selectors.policy.lookup import find_version
from auditing.services.model_tier.consents import ConsentRefusedError, agree, withdraw
from auditing.services.model_tier.endpoints import probe_endpoint
from auditing.services.model_tier.new_endpoint import SETTABLE, EndpointRefusedError, NewEndpoint, add_endpoint
from hdag.chat.dialects.table import DIALECTS

if TYPE_CHECKING:
    from auditing.models import ModelConsent
    from hdag.models import Endpoint


def _money(help_text: str = "") -> DecimalNumberField:
    return DecimalNumberField(max_digits=12, decimal_places=4, min_value=0, required=False, help_text=help_text)


class EndpointAdded(serializers.Serializer[Any]):
    """A new endpoint; what is left out comes from its dialect."""

    name = serializers.CharField(max_length=60)
    model = serializers.CharField(max_length=120)
    base_url = serializers.CharField(max_length=300, required=False, default="")
    dialect = ChoiceField(choices=list(DIALECTS), required=False, default="unknown")
    family = serializers.CharField(max_length=60, required=False, default="")
    key_variable = serializers.CharField(max_length=60, required=False, default="")
    key = serializers.CharField(max_length=500, required=False, default="", write_only=True)
    max_concurrency = WholeNumberField(min_value=1, max_value=1000, required=False, default=4)
    timeout_seconds = WholeNumberField(min_value=1, max_value=600, required=False, default=120)
    batches = serializers.BooleanField(required=False, default=False, help_text="At half price, where a day is left.")
    may_see = ChoiceField(choices=["segments only", "whole traces"], required=False)
    price_in = _money(help_text="Per million tokens.")
    price_out = _money(help_text="Per million tokens.")
    price_cached = _money(help_text="Per million cached tokens in.")
    daily_cap = _money()
    audit_cap = _money()
    terms = serializers.DictField(
        required=False, default=dict, help_text=f"Where it differs from its dialect: {', '.join(SETTABLE)}."
    )


_FURTHER = (
    "max_concurrency",
    "timeout_seconds",
    "batches",
    "may_see",
    "price_in",
    "price_out",
    "price_cached",
    "daily_cap",
    "audit_cap",
)


class EndpointList(APIView):
    """All endpoints, and adding one."""

    permission_classes = [role_permission(Role.ADMIN)]

    @extend_schema(operation_id="endpoints_list", responses={200: dict})
    def get(self, request: Request) -> Response:
        """All endpoints by name."""
        return Response({"endpoints": [_shown(row) for row in listed_endpoints()]})

    @extend_schema(operation_id="endpoint_add", request=EndpointAdded, responses={201: dict})
    @idempotent
    def post(self, request: Request) -> Response:
        """Store an endpoint."""
        fields = read_body(EndpointAdded, request)
        # The key travels apart from the row: whatever prints the row cannot print the key.
        key = fields.pop("key")
        terms = fields.pop("terms")
        if unknown := sorted(terms.keys() - set(SETTABLE)):
            raise ValidationError({"terms": [f"{unknown[0]} is none of {', '.join(SETTABLE)}."]})
        further = {name: fields.pop(name) for name in _FURTHER if name in fields} | terms
        # Unnamed is not unknown: the address may say which it is.
        if "dialect" not in request.data:
            fields["dialect"] = ""
        try:
            row = add_endpoint(wanted=NewEndpoint(**fields, further=further), actor=get_person(request), key=key)
        except EndpointRefusedError as error:
            raise ValidationError({"detail": str(error)}) from None
        return Response(_shown(row), status=201)


class ConsentGiven(serializers.Serializer[Any]):
    """Which texts may go to the endpoint's server."""

    campaign = serializers.UUIDField(required=False, allow_null=True, default=None, help_text="Left out: no campaign.")
    policy = WholeNumberField(min_value=1, max_value=2**31 - 1, help_text="The policy's number.")
    extent = ChoiceField(choices=["segments only", "whole traces"], required=False, default="segments only")


class EndpointConsents(APIView):
    """Which texts may go to one endpoint's server."""

    permission_classes = [role_permission(Role.ADMIN)]

    @extend_schema(operation_id="consents_list", responses={200: dict})
    def get(self, request: Request, endpoint_id: UUID) -> Response:
        """Every consent, withdrawn ones too."""
        rows = listed_consents().filter(endpoint=endpoint_id)
        return Response({"consents": [_consent_shown(row) for row in rows]})

    @extend_schema(operation_id="consent_give", request=ConsentGiven, responses={201: dict})
    @idempotent
    def post(self, request: Request, endpoint_id: UUID) -> Response:
        """Agree that texts of a campaign, under a policy, go there."""
        wanted = read_body(ConsentGiven, request)
        row, policy = find_endpoint(key=endpoint_id), find_version(number=wanted["policy"])
        campaign = find_campaign(key=wanted["campaign"]) if wanted["campaign"] else None
        if row is None or policy is None or (wanted["campaign"] and campaign is None):
            raise Http404
        try:
            consent = agree(
                endpoint=row, policy=policy, campaign=campaign, extent=wanted["extent"], actor=get_person(request)
            )
        except ConsentRefusedError as error:
            raise ValidationError({"detail": str(error)}) from None
        return Response(_consent_shown(consent), status=201)


class ConsentWithdrawn(APIView):
    """Taking a consent back."""

    permission_classes = [role_permission(Role.ADMIN)]

    @extend_schema(operation_id="consent_withdraw", request=None, responses={200: dict})
    @idempotent
    def post(self, request: Request, number: int) -> Response:
        """From the next call on, nothing more goes there."""
        check_no_body(request)
        if not withdraw(number=number, actor=get_person(request)):
            raise Http404
        return Response({"id": number, "withdrawn": True})


class EndpointProbe(APIView):
    """Probing one endpoint."""

    permission_classes = [role_permission(Role.ADMIN)]

    @extend_schema(operation_id="endpoint_probe", request=None, responses={200: dict})
    @idempotent
    def post(self, request: Request, endpoint_id: UUID) -> Response:
        """Ask it every question of the product in each answer mode, and keep what works best."""
        check_no_body(request)
        row = find_endpoint(key=endpoint_id)
        if row is None:
            raise Http404
        report = probe_endpoint(row=row, actor=get_person(request))
        return Response({**_shown(row), "works": report.best is not None})


def _consent_shown(row: ModelConsent) -> dict[str, Any]:
    return {
        "id": row.pk,
        "endpoint": row.endpoint.name,
        "server": row.server,
        "campaign": row.campaign_id,
        "policy": row.policy.number,
        "extent": row.extent,
        "given_at": row.created,
        "withdrawn_at": row.withdrawn_at,
    }


def _shown(row: Endpoint) -> dict[str, Any]:
    """What anybody may know of an endpoint; whether it holds a key, never the key."""
    return {
        "id": row.pk,
        "name": row.name,
        "base_url": row.base_url,
        "model": row.model,
        "family": row.family,
        "dialect": row.dialect,
        "answer_mode": row.answer_mode,
        "may_see": row.may_see,
        "terms": {name: value for name in SETTABLE if (value := getattr(row, name)) not in ("", None)},
        "batches": row.batches,
        "enabled": row.enabled,
        "key_variable": row.key_variable,
        "holds_key": bool(row.wrapped_key),
        "probed_at": row.probed_at,
        "probe": row.probe,
    }
