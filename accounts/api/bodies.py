"""What the body of a request may hold: a field that nobody reads is refused, or a typo would lose what it says."""

from collections.abc import Collection, Mapping
from typing import Any, NoReturn

from rest_framework import serializers
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.request import Request
from rest_framework.serializers import ListSerializer, Serializer

from accounts.parameters import DAY, DECIMAL, WHOLE_NUMBER, Spelling

_LONGEST = 60  # characters of a strange name that are said again


class ChoiceField(serializers.ChoiceField):
    """One of some words; whoever names another is told all of them."""

    def fail(self, key: str, **values: Any) -> NoReturn:
        """Raises ValidationError."""
        if key == "invalid_choice":
            word = str(values["input"])[:_LONGEST]
            raise ValidationError(f"{word!r} is none of: {', '.join(map(str, self.choices))}.", code=key)
        super().fail(key, **values)


class _Spelt(serializers.Field):  # type: ignore[type-arg]
    """A field that reads one spelling of a text; what JSON itself calls a number is one."""

    spelling: Spelling

    def to_internal_value(self, data: Any) -> Any:
        """The value. Raises ValidationError."""
        if isinstance(data, str) and (refusal := self.spelling.refusal(data)):
            raise ValidationError(refusal, code="invalid")
        return super().to_internal_value(data)


class WholeNumberField(_Spelt, serializers.IntegerField):
    """A whole number, in plain digits where it comes as a text."""

    spelling = WHOLE_NUMBER


class DecimalNumberField(_Spelt, serializers.DecimalField):
    """A number, in plain digits where it comes as a text."""

    spelling = DECIMAL


class DayField(_Spelt, serializers.DateField):
    """A day, year first."""

    spelling = DAY


class UnknownFieldError(APIException):
    """A field of the body has a name that this request does not read."""

    status_code = 400

    def __init__(self, name: str, readable: Collection[str]) -> None:
        """name: with the path to it, "tool_calls[0].nam"."""
        fields = f"its fields are: {', '.join(sorted(readable))}" if readable else "this request has no fields"
        super().__init__(f"unknown field {name[:_LONGEST]!r}; {fields}.")


def check_fields(body: object, readable: Collection[str], where: str = "") -> None:
    """Raises UnknownFieldError (400) for a member that is not `readable`; what is no object is left to its reader."""
    if isinstance(body, Mapping) and (unknown := body.keys() - set(readable)):
        raise UnknownFieldError(where + min(unknown), readable)


def check_as(kind: type[Serializer[Any]], body: object) -> None:
    """The same for the fields that a serializer describes, and for those of the objects inside."""
    _check_inside(kind(), body, "")


def read_body(kind: type[Serializer[Any]], request: Request) -> dict[str, Any]:
    """The body as a serializer reads it. Raises UnknownFieldError and ValidationError (400)."""
    check_as(kind, request.data)
    serializer = kind(data=request.data)
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)


def check_no_body(request: Request) -> None:
    """For requests that read none. Raises UnknownFieldError (400) for a field all the same."""
    # What is not JSON says nothing that somebody could miss here.
    if (request.content_type or "").startswith("application/json"):
        check_fields(request.data, ())


def _check_inside(field: object, value: object, where: str) -> None:
    if isinstance(field, ListSerializer) and isinstance(value, list):
        for index, member in enumerate(value):
            _check_inside(field.child, member, f"{where.removesuffix('.')}[{index}].")
    elif isinstance(field, Serializer) and isinstance(value, Mapping):
        readable = [name for name, inner in field.fields.items() if not inner.read_only]
        check_fields(value, readable, where)
        for name in value:
            _check_inside(field.fields[name], value[name], f"{where}{name}.")
