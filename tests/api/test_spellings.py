"""Numbers and days have one spelling in forms and in the API: what else Python reads is refused in one sentence."""

import json
from typing import Any

import pytest
from django.test import Client
from rest_framework import serializers

from accounts.api.bodies import DecimalNumberField, WholeNumberField
from accounts.forms import ProfileForm
from auditing.research.exports.selectors.scope import FilterRefusedError, Filters
from auditing.research.qualification.views.forms import EndpointForm
from auditing.research.studies.views import StudyForm
from tests.factories.worlds import make_user
from tests.pages.test_corridor_pages import signed_in

NUMBERS = ["1_0", "٣", "1e1", "0x1", "1 0"]
DAYS = ["2026-W48-1", "20261129", "٢٠٢٦-١١-٢٩", "11/29/2026", "2026-1-2"]
NO_NUMBER = "is not a whole number in plain digits, such as 12."
NO_DAY = "is not a day such as 2026-11-29."


@pytest.fixture
def program(db: None) -> Client:
    return signed_in(make_user("researcher@example.org", "researcher"))


@pytest.fixture(autouse=True)
def _folder(settings: Any, tmp_path: Any) -> None:
    settings.EXPORT_DIR = tmp_path / "exports"


def ask(client: Client, **filters: str) -> Any:
    body = {"dataset": "votes", "format": "csv", **filters}
    return client.post("/api/v1/exports", json.dumps(body), content_type="application/json")


@pytest.mark.parametrize("number", NUMBERS)
def test_a_program_is_told_how_a_number_is_written(program: Client, number: str) -> None:
    answer = ask(program, policy=number)
    assert (answer.status_code, answer.json()) == (400, {"policy": [f"{number!r} {NO_NUMBER}"], "code": "Invalid"})


@pytest.mark.parametrize("day", DAYS)
def test_a_program_is_told_how_a_day_is_written(program: Client, day: str) -> None:
    answer = ask(program, since=day)
    assert (answer.status_code, answer.json()) == (400, {"since": [f"{day!r} {NO_DAY}"], "code": "Invalid"})


@pytest.mark.parametrize("day", DAYS)
def test_the_stream_of_rows_refuses_the_same_days(day: str) -> None:
    with pytest.raises(FilterRefusedError, match=r"until: .* is not a day such as 2026-11-29"):
        Filters.read({"until": day})


@pytest.mark.parametrize("day", DAYS)
def test_the_form_refuses_the_same_days(program: Client, day: str) -> None:
    sent = {"dataset": "votes", "format": "csv", "gold": "any", "simulated": "any", "imported": "without"}
    answer = program.post("/research/exports", sent | {"since": day})
    assert (answer.status_code, answer.context["form"].errors) == (400, {"since": [f"{day!r} {NO_DAY}"]})


def test_plain_digits_are_read_as_text_and_as_what_json_calls_a_number() -> None:
    numbers, decimals = WholeNumberField(), DecimalNumberField(max_digits=6, decimal_places=2)
    assert [numbers.run_validation(value) for value in (12, "12", " 12 ", "-3")] == [12, 12, 12, -3]
    assert [str(decimals.run_validation(value)) for value in (0.5, ".5", "12")] == ["0.50", "0.50", "12.00"]


@pytest.mark.parametrize("number", ["1_0.5", "1e1", "٣.٥", "NaN"])
def test_a_program_is_told_how_a_decimal_is_written(number: str) -> None:
    with pytest.raises(serializers.ValidationError, match=r"is not a number in plain digits, such as 0\.5"):
        DecimalNumberField(max_digits=6, decimal_places=2).run_validation(number)


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize(
    ("form", "field"), [(ProfileForm, "weekly_capacity"), (EndpointForm, "timeout_seconds"), (StudyForm, "seed")]
)
def test_every_form_says_how_a_number_is_written(db: None, form: Any, field: str, number: str) -> None:
    assert form({field: number}).errors[field] == [f"{number!r} {NO_NUMBER}"]


def test_prices_of_an_endpoint_are_written_in_plain_digits(db: None) -> None:
    assert EndpointForm({"price_in": "1_0"}).errors["price_in"] == [
        "'1_0' is not a number in plain digits, such as 0.5."
    ]
