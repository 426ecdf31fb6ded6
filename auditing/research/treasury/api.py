"""/api/v1/credit: what a provider can pay traces with."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.views import APIView
from accounts.permissions import Role, Scope, get_person, role_permission
from auditing.selectors.campaigns.lookup import open_campaigns
from auditing.selectors.points.credit import credit_of, prices_of


class PriceSchema(serializers.Serializer[Any]):
    """What a trace costs in one campaign."""

    campaign = serializers.UUIDField()
    price = serializers.IntegerField()


class CreditSchema(serializers.Serializer[Any]):
    """A provider's credit, and the campaigns that ask a price."""

    credit = serializers.IntegerField()
    prices = PriceSchema(many=True)


class Credit(APIView):
    """What a provider can pay traces with."""

    permission_classes = [role_permission(Role.PROVIDER, Role.ADMIN)]
    scope = Scope.READ

    @extend_schema(responses={200: CreditSchema})
    def get(self, request: Request) -> Response:
        """The credit, and what a trace costs where; a campaign that is missing costs nothing."""
        person = get_person(request)
        prices = prices_of(campaigns=open_campaigns(user=person).select_related("policy"))
        rows = [{"campaign": campaign.pk, "price": price} for campaign, price in prices]
        return Response({"credit": credit_of(provider=person), "prices": rows})
