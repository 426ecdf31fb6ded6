"""The page at /api/docs: the API's own description, drawn by the server without a line of script."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema

_METHODS = ("get", "post", "put", "patch", "delete")


class TokenScheme(OpenApiAuthenticationExtension):
    """Tells the description how a program proves who it is; found by drf-spectacular once this module is loaded."""

    target_class = "accounts.api.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """A bearer token in the header."""
        return {"type": "http", "scheme": "bearer"}


class ScopedSchema(AutoSchema):
    """Describes an operation with the scopes of which a token needs one.

    OpenAPI 3.0 knows scopes of OAuth alone ("Security Requirement Object"), hence a field of our own.
    """

    def get_extensions(self) -> dict[str, Any]:
        """`x-token-scopes`."""
        view: Any = self.view
        return {"x-token-scopes": view.scopes_for(self.method)}


@require_safe
def show_api(request: HttpRequest) -> HttpResponse:
    """Every operation under /api with its parameters, its body and its answers."""
    schema = SchemaGenerator().get_schema(request=None, public=True)
    return render(request, "trustweb/api.html", {"title": schema["info"]["title"], "rooms": list_rooms(schema)})


def list_rooms(schema: dict[str, Any]) -> list[tuple[str, list[dict[str, Any]]]]:
    """Operations grouped by tag, in the order of their paths.

    >>> list_rooms({"paths": {"/api/v1/traces": {"get": {"tags": ["traces"], "responses": {"200": {}}}}}})[0][0]
    'traces'
    """
    rooms: dict[str, list[dict[str, Any]]] = {}
    for path, methods in sorted(schema.get("paths", {}).items()):
        # OpenAPI 3.0 "Path Item Object": keys are methods, but also `parameters` and `summary`, hence the fixed list.
        for method in _METHODS:
            if method in methods:
                operation = describe_operation(path, method, methods[method])
                rooms.setdefault(operation["tag"], []).append(operation)
    return sorted(rooms.items())


def describe_operation(path: str, method: str, operation: dict[str, Any]) -> dict[str, Any]:
    """What the page shows of one operation."""
    body = operation.get("requestBody", {}).get("content", {})
    return {
        "id": operation.get("operationId", f"{method} {path}"),
        "tag": (operation.get("tags") or ["other"])[0],
        "path": path,
        "method": method.upper(),
        "text": operation.get("description", "").strip(),
        "scopes": " or ".join(operation.get("x-token-scopes", [])),
        "parameters": [_describe_parameter(parameter) for parameter in operation.get("parameters", [])],
        "bodies": [(media, _name_of(content.get("schema", {}))) for media, content in body.items()],
        "answers": [
            (status, answer.get("description", ""), _answer_type(answer))
            for status, answer in sorted(operation.get("responses", {}).items())
        ],
    }


def _describe_parameter(parameter: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": parameter.get("name", ""),
        "place": parameter.get("in", ""),
        "required": parameter.get("required", False),
        "type": _name_of(parameter.get("schema", {})),
        "text": parameter.get("description", ""),
    }


def _answer_type(answer: dict[str, Any]) -> str:
    contents = answer.get("content", {}).values()
    return next((_name_of(content.get("schema", {})) for content in contents), "")


def _name_of(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"].rsplit("/", 1)[-1])
    if schema.get("type") == "array":
        return f"list of {_name_of(schema.get('items', {}))}"
    return str(schema.get("format") or schema.get("type") or "any")


# Whatever an operation does, it may refuse so; what a request with a body adds stands below.
REFUSALS = {
    "401": "No token, or one that is not valid any more.",
    "403": "Not with these roles, or not within the scopes of this token.",
    "404": "There is no such thing, or it is not yours to see.",
    "405": "This method is not for this address.",
    "429": "Too often: Retry-After says when again.",
    "503": "Not at the moment; nothing was done or promised: Retry-After says when again.",
}
REFUSALS_OF_BODIES = {
    "400": "The request cannot be read, or says something that cannot be.",
    "402": "It costs more points than there are.",
    "409": "It contradicts what stands already, or comes too late.",
    "413": "It is too long.",
    "415": "Its media type is not read here.",
    "422": "The Idempotency-Key came with another request before.",
}


def describe_refusals(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """Every operation of the description with the refusals that all have in common (a hook of drf-spectacular)."""
    result["components"]["schemas"]["Refusal"] = {
        "type": "object",
        "description": "`code` is a word for programs; `detail` says why, or each field that is wrong says it.",
        "properties": {"detail": {"type": "string"}, "code": {"type": "string", "example": "UnknownField"}},
        "required": ["code"],
    }
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}}
    for operations in result["paths"].values():
        for method in operations.keys() & set(_METHODS):
            operation = operations[method]
            of_bodies = REFUSALS_OF_BODIES if method in ("post", "put") else {"400": REFUSALS_OF_BODIES["400"]}
            refusals = REFUSALS | of_bodies
            for status, description in refusals.items():
                operation["responses"].setdefault(status, {"description": description, "content": content})
    return result
