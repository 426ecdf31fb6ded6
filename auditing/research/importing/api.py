"""POST /api/v1/traces/file: a program hands a file of traces in, as the page takes it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from django.http import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ParseError
from rest_framework.request import Request

from accounts.api.parsers import ArchiveParser, FileParser, LinesParser
from accounts.api.queries import check_choice
from accounts.api.views import APIView
from accounts.parameters import read_text
from accounts.permissions import Role, Scope, get_person, role_permission
from auditing.api.intake.traces import find_named_campaign, read_decomposer
from auditing.research.exports.download import streamed
from auditing.research.importing.forms import largest_file
from auditing.research.importing.services import ImportRefusedError, Row, hand_in, survey_lines, try_out
from auditing.selectors.intake.decomposition import BY_MODEL, DECOMPOSERS, RULES
from auditing.services.intake.submission import NotAgreedError, submit
from hdag.readers import FORMATS
from hdag.readers.mapping import PRESETS
from hdag.readers.provider_tags import read_tags

if TYPE_CHECKING:
    from hdag.readers.archives.surveys import Survey

LINES = "application/x-ndjson"
FLAGS = ("true", "false")


def _asked(name: str, text: str, choices: tuple[str, ...] = ()) -> OpenApiParameter:
    return OpenApiParameter(name, str, description=text, enum=choices or None)


class FileLineSchema(serializers.Serializer[Any]):
    """A line of the answer: one of a record, or the last one, which sums up."""

    record = serializers.IntegerField(required=False, help_text="Its number in the file, from 1.")
    refused = serializers.JSONField(required=False, help_text="Of a record why, with its place; at the end how many.")
    audit = serializers.UUIDField(required=False)
    trace = serializers.UUIDField(required=False)
    is_new = serializers.BooleanField(required=False)
    opened = serializers.IntegerField(required=False)
    known = serializers.IntegerField(required=False)
    ignored = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="Fields of records that no trace holds."
    )


class TraceFile(APIView):
    """A file of traces."""

    permission_classes = [role_permission(Role.PROVIDER, Role.ADMIN)]
    parser_classes = [FileParser, LinesParser, ArchiveParser]
    scope = Scope.TRACES
    asks_beside_a_file = True
    asked = (
        _asked("campaign", "May be left out where only one is open to you."),
        _asked("kind", "What the records are; by default found for each.", tuple(FORMATS)),
        _asked("preset", "A known data set, whose fields are read as ours.", tuple(PRESETS)),
        _asked("tags", "Words to sort by, with commas between."),
        _asked("whole_to_models", "Language models may see the whole traces.", FLAGS),
        _asked("decomposer", "Who makes the graphs; llm needs whole_to_models.", tuple(dict(DECOMPOSERS))),
        _asked("dry_run", "Say what would happen, and store nothing.", FLAGS),
    )

    @staticmethod
    def most_bytes() -> int:
        """Of a file."""
        return largest_file()

    @extend_schema(
        operation_id="traces_file_create",
        parameters=list(asked),
        request={name.media_type: OpenApiTypes.BINARY for name in (FileParser, LinesParser, ArchiveParser)},
        responses={(200, LINES): FileLineSchema},
    )
    def post(self, request: Request) -> HttpResponseBase:
        """JSON lines, a JSON document, a history of aider, an .eval log or a zip of such files; a line for each record.

        The whole file is read before anything is stored: one that is hostile, damaged or no file of traces is refused
        as a whole. Then every trace that can be read is handed in, and each record that cannot be is named with its
        place. The same file again opens nothing twice.
        """
        names = request.query_params
        for parameter in self.asked:
            if parameter.enum:
                check_choice(names, parameter.name, [str(word) for word in parameter.enum])
        person, is_whole = get_person(request), names.get("whole_to_models") == "true"
        decomposer = read_decomposer({"decomposer": names.get("decomposer") or RULES})
        if decomposer in BY_MODEL and not is_whole:
            raise NotAgreedError(NotAgreedError.__doc__)
        tags = read_tags(words=read_text(names, "tags", most=500).split(","), where="address")
        named = {"campaign": names["campaign"]} if names.get("campaign") else {}
        campaign = find_named_campaign(body=named, user=person, where="address")
        survey = _read(request, names.get("kind", ""), names.get("preset", ""))
        if names.get("dry_run") == "true":
            return _answer(request, try_out(survey=survey, provider=person))
        take = partial(
            submit,
            provider=person,
            campaign=campaign,
            whole_to_models=is_whole,
            decomposer=decomposer,
            tags=tags,
        )
        return _answer(request, hand_in(survey=survey, submit_some=lambda traces: take(traces=traces)))


def _read(request: Request, format: str, preset: str) -> Survey:
    if not request.data:
        raise ParseError("The body is empty: it holds no file.")
    file: Any = request.data
    try:
        return survey_lines(lines=file, format=format, mapping=PRESETS.get(preset, {}))
    except ImportRefusedError as error:
        raise ParseError("; ".join(error.problems)) from error
    finally:
        file.close()


def _answer(request: Request, rows: Iterator[Row]) -> HttpResponseBase:
    lines = (json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in rows)
    answer = streamed(request._request, lines, LINES)
    answer["Cache-Control"] = "private, no-store"
    return answer
