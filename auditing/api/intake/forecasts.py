"""POST /api/v1/forecast: what an audit of a trace would take, before anything is handed in."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.permissions import Role, get_person, role_permission
from auditing.api.idempotency import idempotent
from auditing.api.intake.traces import OURS, TraceSchema, find_named_campaign
from auditing.selectors.policy.forecast import forecast_submission
from auditing.services.intake.importing import limits
from hdag.core.errors import BadRecordError
from hdag.readers.records import read_record

if TYPE_CHECKING:
    from auditing.selectors.policy.forecast import TraceForecast


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

    @extend_schema(request=TraceSchema, responses={200: ForecastSchema})
    @idempotent
    def post(self, request: Request) -> Response:
        """Seats, people, time, points and both errors of a trace; nothing is stored."""
        body = request.data
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
