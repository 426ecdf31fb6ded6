"""/api/v1/campaigns: those one may see; for whoever runs one its people and what is done with it."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.bodies import ChoiceField, WholeNumberField, read_body
from accounts.api.idempotency import idempotent
from accounts.api.queries import check_filters, check_found
from accounts.api.views import APIView
from accounts.listing import read_query, sorts_of
from accounts.parameters import read_text
from accounts.permissions import Scope, get_person, role_permission
from auditing.permissions import may_manage
from auditing.research.campaigns.access import VIEWERS, check_may_name, get_own_campaign
from auditing.research.campaigns.selectors.listing import COLUMNS, FILTERS, NEWEST, campaign_rows, managed_by
from auditing.research.campaigns.services import steering as cockpit
from auditing.research.campaigns.services.campaigns import NAMED, NamingRefusedError, set_state
from auditing.selectors.campaigns.lookup import STATES, named_people
from auditing.selectors.clock import database_now

REMIND, EXTEND, PASS_ON = "remind", "extend", "pass_on"
MOST_NAMED = 5_000


class PeopleAsked(serializers.Serializer[Any]):
    """Who has one role in a campaign from now on; an empty list names nobody."""

    role = ChoiceField(choices=sorted(NAMED))
    emails = serializers.ListField(child=serializers.EmailField(max_length=254), max_length=MOST_NAMED)


class SteeringAsked(serializers.Serializer[Any]):
    """What is done with a campaign: `days` goes with extend, `person` (a public id) with pass_on."""

    verb = ChoiceField(choices=[*STATES, REMIND, EXTEND, PASS_ON])
    days = WholeNumberField(required=False, min_value=1, max_value=365)
    person = serializers.UUIDField(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a verb that lacks what it needs."""
        for verb, field in ((EXTEND, "days"), (PASS_ON, "person")):
            if attrs["verb"] == verb and field not in attrs:
                raise serializers.ValidationError({field: [f"is needed to {verb.replace('_', ' ')}."]})
        return attrs


class CampaignList(APIView):
    """Campaigns."""

    permission_classes = [role_permission(*VIEWERS)]
    scope = Scope.READ
    asked = (
        OpenApiParameter("q", str, description="In title, id or field."),
        OpenApiParameter("state", str, enum=list(STATES)),
        OpenApiParameter("sort", str, enum=sorts_of(COLUMNS)),
        OpenApiParameter("after", str, description="The `next` of the page before."),
    )

    @extend_schema(operation_id="campaigns_list", responses={200: dict}, parameters=[*asked])
    def get(self, request: Request) -> Response:
        """One page of those the caller may see, newest first; `runs`: the caller may name its people and steer it."""
        asked = request.query_params
        check_filters(asked, filters=FILTERS, columns=COLUMNS)
        query = read_query(asked, filters=FILTERS, columns=COLUMNS, default=NEWEST)
        page = check_found(campaign_rows(user=request.user, query=query, after=read_text(asked, "after")))
        is_admin, managed = may_manage(user=request.user), managed_by(user=get_person(request))
        lines = [
            {
                "id": row.pk,
                "title": row.title,
                "state": row.state,
                "field": row.domain,
                "language": row.language,
                "policy": row.policy.number,
                "deadline": row.deadline,
                "recorded": row.done,  # type: ignore[attr-defined]
                "audits": row.total,  # type: ignore[attr-defined]
                "runs": is_admin or row.pk in managed,
            }
            for row in page.rows
        ]
        return Response({"campaigns": lines, "next": page.next or None})


class CampaignPeople(APIView):
    """Who is named in a campaign, for those who run it."""

    permission_classes = [role_permission(*VIEWERS)]
    scope = Scope.MANAGE

    @extend_schema(operation_id="campaign_people", responses={200: dict})
    def get(self, request: Request, campaign_id: UUID) -> Response:
        """Each role with those named; `everybody`: nobody is, and whoever has the role on this site counts."""
        campaign = get_own_campaign(user=request.user, key=campaign_id)
        return Response({"people": named_people(campaign=campaign)})

    @extend_schema(operation_id="campaign_people_update", request=PeopleAsked, responses={200: dict})
    def put(self, request: Request, campaign_id: UUID) -> Response:
        """Name those who have one role, all at once; an address that nobody with the role has changes nothing."""
        campaign, person = get_own_campaign(user=request.user, key=campaign_id), get_person(request)
        values = read_body(PeopleAsked, request)
        check_may_name(user=person, role=values["role"])
        try:
            unknown = cockpit.name_in(campaign=campaign, actor=person, **values)
        except NamingRefusedError as error:
            raise serializers.ValidationError({"emails": [str(error)]}) from None
        if unknown:
            words = f"Nobody with this role has these addresses: {', '.join(unknown[:10])}"
            raise serializers.ValidationError({"emails": [words]})
        campaign.refresh_from_db()
        return Response({"people": named_people(campaign=campaign)})


class CampaignSteering(APIView):
    """What those who run a campaign do with it."""

    permission_classes = [role_permission(*VIEWERS)]
    scope = Scope.MANAGE

    @extend_schema(operation_id="campaign_steer", request=SteeringAsked, responses={200: dict})
    @idempotent
    def post(self, request: Request, campaign_id: UUID) -> Response:
        """Pause, open, close, remind, extend, or pass on what somebody has not opened; `changed` counts what did."""
        campaign, person = get_own_campaign(user=request.user, key=campaign_id), get_person(request)
        values, now = read_body(SteeringAsked, request), database_now()
        verb, changed = values["verb"], 1
        if verb == REMIND:
            changed = cockpit.remind(campaign=campaign, actor=person, now=now)
        elif verb == EXTEND:
            cockpit.extend(campaign=campaign, actor=person, by=timedelta(days=values["days"]), now=now)
        elif verb == PASS_ON:
            changed = cockpit.pass_seats_on(campaign=campaign, person=values["person"], actor=person)
        else:
            changed = int(set_state(campaign=campaign, state=verb, actor=person, now=now))
        campaign.refresh_from_db()
        return Response({"changed": changed, "state": campaign.state, "deadline": campaign.deadline})
