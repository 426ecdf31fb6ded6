"""POST /api/v1/forecast: what an audit of a trace would take, before anything is handed in; and of a campaign."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.bodies import check_as
from accounts.api.idempotency import idempotent
from accounts.api.views import APIView
from accounts.permissions import Role, Scope, get_person, role_permission
from auditing.api.intake.traces import OURS, TraceSchema, find_named_campaign
from auditing.research.policy_lab.selectors.forecast import forecast_submission
from auditing.research.policy_lab.selectors.model_calls import forecast_campaign
from auditing.selectors.campaigns.lookup import find_campaign
from auditing.services.intake.submission import limits
from hdag.core.errors import BadRecordError
from hdag.readers.records import read_record

if TYPE_CHECKING:
    from auditing.research.policy_lab.selectors.forecast import TraceForecast


class SpreadSchema(serializers.Serializer[Any]):
    """A mean, and what 95 of 100 traces stay within."""

    mean = serializers.FloatField()
    high = serializers.FloatField()


class ErrorSchema(serializers.Serializer[Any]):
    """A simulated share with its 95 % interval."""

    share = serializers.FloatField()
    low = serializers.FloatField()
    high = serializers.FloatField()


class ForecastSchema(serializers.Serializer[Any]):
    """What an audit would take. Planned, not promised: `accuracy` is assumed of reviewers, `minutes` may be."""

    units = serializers.IntegerField(help_text="Judged by people or models.")
    decided = serializers.IntegerField(help_text="Decided by the computer alone.")
    seats = SpreadSchema(help_text="Of people, adjudicators left out.")
    model_seats = SpreadSchema()
    rounds = SpreadSchema(help_text="Of people; waves, where the policy plans them.")
    adjudications = SpreadSchema()
    points = SpreadSchema(help_text="If every seat earns its reward.")
    hours = SpreadSchema()
    days = serializers.FloatField(help_text="At the latest in 95 of 100, from when people are seated.")
    reviewers_needed = serializers.IntegerField()
    reviewers_at_hand = serializers.IntegerField()
    reviewers_naming_the_field = serializers.IntegerField()
    adjudicators_at_hand = serializers.IntegerField()
    right_not_passed = ErrorSchema()
    right_undecided = ErrorSchema()
    wrong_passed = ErrorSchema()
    accuracy = serializers.FloatField()
    minutes = serializers.FloatField(help_text="Minutes a verdict.")
    minutes_measured = serializers.BooleanField()
    feasible = serializers.BooleanField(help_text="Enough reviewers are at hand.")
    problems = serializers.ListField(child=serializers.CharField())


class ForecastView(APIView):
    """What an audit would take."""

    permission_classes = [role_permission(Role.PROVIDER, Role.ADMIN)]
    scope = Scope.TRACES

    @extend_schema(request=TraceSchema, responses={200: ForecastSchema})
    @idempotent
    def post(self, request: Request) -> Response:
        """Seats, people, time, points and both errors of a trace; nothing is stored."""
        body = request.data
        check_as(TraceSchema, body)
        if not isinstance(body, dict):
            raise BadRecordError(where="body", field="", reason="must be an object")
        record = {key: value for key, value in body.items() if key not in OURS}
        trace = read_record(record, where="body", limits=limits())
        expected = forecast_submission(
            trace=trace, campaign=find_named_campaign(body=body, user=get_person(request)), provider=get_person(request)
        )
        if expected is None:
            raise BadRecordError(where="body", field="", reason="holds nothing that can be audited")
        return Response(_answer(expected))


class CallsSchema(serializers.Serializer[Any]):
    """Calls to one endpoint. `measured_on` calls its averages rest on; 0: a guess."""

    endpoint = serializers.CharField()
    calls = serializers.IntegerField()
    tokens_in = serializers.IntegerField()
    tokens_out = serializers.IntegerField()
    cost = serializers.DecimalField(max_digits=18, decimal_places=6)
    seconds = serializers.FloatField()
    measured_on = serializers.IntegerField()


class CampaignForecastSchema(serializers.Serializer[Any]):
    """What is left to ask of models, and what each further trace asks, in the mean of `measured_on_audits` audits."""

    left = CallsSchema(many=True)
    each_trace = CallsSchema(many=True, help_text="Empty before any audit was routed.")
    measured_on_audits = serializers.IntegerField()
    under_this_policy = serializers.BooleanField()
    says = serializers.CharField()


class CampaignForecast(APIView):
    """What models will be asked in a campaign."""

    permission_classes = [role_permission(Role.ADMIN)]
    scope = Scope.READ

    @extend_schema(operation_id="campaign_forecast", responses={200: CampaignForecastSchema})
    def get(self, request: Request, campaign_id: UUID) -> Response:
        """Calls, tokens, money and time; lists are empty where texts of the campaign may go to no endpoint."""
        campaign = find_campaign(key=campaign_id)
        if campaign is None:
            raise Http404
        expected = forecast_campaign(campaign=campaign)
        unasked = {"left": [], "each_trace": [], "measured_on_audits": 0, "under_this_policy": False}
        says = "No language model is asked: there is none that texts of this campaign may go to."
        return Response(expected.as_json() if expected else {**unasked, "says": says})


def _answer(expected: TraceForecast) -> dict[str, Any]:
    forecast, hours = expected.forecast, expected.hours
    errors = {
        "right_not_passed": forecast.not_passed,
        "right_undecided": forecast.undecided,
        "wrong_passed": forecast.passed,
    }
    return {
        "units": forecast.units,
        "decided": expected.decided,
        "seats": asdict(forecast.people),
        "model_seats": asdict(forecast.models),
        "rounds": asdict(forecast.rounds),
        "adjudications": asdict(forecast.adjudications),
        "points": asdict(forecast.points),
        "hours": {"mean": hours[0], "high": hours[1]},
        "days": expected.days,
        "reviewers_needed": expected.needed,
        "reviewers_at_hand": expected.people.reviewers,
        "reviewers_naming_the_field": expected.people.naming,
        "adjudicators_at_hand": expected.people.adjudicators,
        **{name: {"share": rate.share, "low": rate.low, "high": rate.high} for name, rate in errors.items()},
        "accuracy": expected.accuracy,
        "minutes": expected.minutes.each,
        "minutes_measured": expected.minutes.is_measured,
        "feasible": expected.is_feasible,
        "problems": list(expected.problems),
    }
