"""Every refusal has a word that programs compare, beside the sentence or the fields that people read."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import exception_handler

# By class and not by Django REST framework's own words: those of the services are classes too (auditing/api/errors.py).
CODES: tuple[tuple[type[Exception], str], ...] = (
    (exceptions.ValidationError, "Invalid"),
    (exceptions.ParseError, "Unreadable"),
    (Http404, "NotFound"),
    (PermissionDenied, "PermissionDenied"),
)
NOBODY = "Nobody is signed in. Send a token in the header, as Authorization: Bearer TOKEN; it is made on API tokens."


def answer(error: Exception, context: dict[str, Any]) -> Response | None:
    """What Django REST framework answers, with `code`; None for what is no refusal."""
    response = exception_handler(error, context)
    if response is not None:
        words = response.data if isinstance(response.data, dict) else {"detail": response.data}
        if isinstance(error, exceptions.NotAuthenticated):
            # Also where the header says Token, or the token alone: something was sent, and nothing that is read.
            words = {"detail": NOBODY}
        elif isinstance(error, exceptions.UnsupportedMediaType) and "Unsupported" in str(error.detail):
            # Django REST framework's own sentence: that of a parser says by itself what to send.
            words = {"detail": f"{error.detail} Send it with {_types_read_at(context)}."}
        response.data = {**words, "code": code_of(error)}
    return response


def _types_read_at(context: dict[str, Any]) -> str:
    """The headers that this address reads a body by, as one writes them: most tools send another one unasked."""
    types = " or ".join(parser.media_type for parser in context["view"].parser_classes)
    return f"Content-Type: {types}"


def code_of(error: Exception) -> str:
    """The word of a refusal: the name of its class without "Error", unless the table says another.

    >>> code_of(exceptions.Throttled()), code_of(exceptions.ParseError())
    ('Throttled', 'Unreadable')
    """
    named = next((code for error_class, code in CODES if isinstance(error, error_class)), "")
    return named or type(error).__name__.removesuffix("Error")
