"""The header Idempotency-Key on requests that make something: a repeat gives the first answer, another body 422.

The rules are those of the IETF draft "The Idempotency-Key HTTP Header Field": unusable key 400, the first request still
running 409, the key used for something else 422. Errors are not kept: the same key may be sent with the mistake mended.
"""

import hashlib
import json
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from rest_framework.exceptions import ParseError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.permissions import get_person
from accounts.services import request_keys

HEADER = "Idempotency-Key"
LONGEST = 200


def idempotent(method: Callable[..., Response]) -> Callable[..., Response]:
    """Around `post` of an API view."""

    @wraps(method)
    def kept(view: Any, request: Request, *args: Any, **kwargs: Any) -> Response:
        key = request.headers.get(HEADER)
        if key is None:
            return method(view, request, *args, **kwargs)
        if not (key.isascii() and key.isprintable() and 1 <= len(key.strip()) <= LONGEST):
            raise ParseError(f"{HEADER} must be 1 to {LONGEST} printable ASCII characters.")
        user = get_person(request)
        try:
            earlier = request_keys.begin(user=user, key=key, digest=_digest(request))
        except request_keys.OtherRequestError as error:
            return Response({"detail": str(error), "code": "OtherRequest"}, status=422)
        except request_keys.StillRunningError as error:
            return Response({"detail": str(error), "code": "StillRunning"}, status=409, headers={"Retry-After": "2"})
        if earlier is not None:
            return Response(earlier.answer, status=earlier.status)
        return _done(method, view, request, user, key, args, kwargs)

    return kept


def _done(
    method: Callable[..., Response], view: Any, request: Request, user: Any, key: str, args: Any, kwargs: Any
) -> Response:
    try:
        response = method(view, request, *args, **kwargs)
    except Exception:
        request_keys.forget(user=user, key=key)
        raise
    if response.status_code >= 400:
        request_keys.forget(user=user, key=key)
        return response
    # Through JSON once, so that the stored answer is the sent one: ids and dates are texts there.
    answer = json.loads(json.dumps(response.data, cls=DjangoJSONEncoder))
    request_keys.finish(user=user, key=key, status=response.status_code, answer=answer)
    return response


def _digest(request: Request) -> bytes:
    """SHA-256 of what is asked: method, address and the JSON value, however its members are ordered."""
    body = json.dumps(request.data, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(f"{request.method} {request.path}\n{body}".encode()).digest()
