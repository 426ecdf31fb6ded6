"""JSON as the ledger reads it: no duplicate keys, no NaN, no bottomless nesting; whatever is wrong is a 400."""

from collections.abc import Mapping
from tempfile import SpooledTemporaryFile
from typing import IO, Any

from django.conf import settings
from rest_framework.exceptions import APIException, ParseError, UnsupportedMediaType
from rest_framework.parsers import BaseParser

from hdag.core.errors import BadRecordError
from hdag.core.strict_json import read_json

IN_MEMORY, CHUNK = 2**20, 2**16  # bytes of a file


class TooLargeError(APIException):
    """The request is larger than this address takes."""

    status_code = 413
    default_detail = "The request is too large."
    default_code = "too_large"


class FileParser(BaseParser):
    """A body that is a file: kept in memory while it is small, else in a file without a name, never twice.

    The view says by `most_bytes()` how much it takes.
    """

    media_type = "application/octet-stream"

    def parse(
        self, stream: IO[bytes], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        """The file, at its beginning. Raises TooLargeError, UnsupportedMediaType."""
        context = parser_context or {}
        if context["request"].META.get("HTTP_CONTENT_ENCODING", "identity") != "identity":
            raise UnsupportedMediaType(self.media_type, detail="Send the body uncompressed, or as an archive.")
        most = left = context["view"].most_bytes()
        file = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115  read, and closed, with the request
        while chunk := stream.read(min(CHUNK, left + 1)):
            left -= len(chunk)
            if left < 0:
                file.close()
                raise TooLargeError(f"The file has more than {most} bytes; cut it into several, between two records.")
            file.write(chunk)
        file.seek(0)
        return file


class LinesParser(FileParser):
    """The same under the name of JSON lines."""

    media_type = "application/x-ndjson"


class ArchiveParser(FileParser):
    """The same under the name of a zip."""

    media_type = "application/zip"


class StrictJSONParser(BaseParser):
    """Bytes -> JSON value; the body is read up to the trace limit and not a byte further."""

    media_type = "application/json"

    def parse(
        self, stream: IO[bytes], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        """The JSON value of the body. Raises ParseError, TooLarge, UnsupportedMediaType."""
        request = (parser_context or {}).get("request")
        # A gzip bomb is a few kilobytes on the wire: what we cannot measure before reading we do not read.
        if request is not None and request.META.get("HTTP_CONTENT_ENCODING", "identity") != "identity":
            raise UnsupportedMediaType("application/json", detail="Send the body uncompressed.")
        # Twice, because escapes make JSON longer than its text: a newline is one byte there and two here.
        limit = settings.TRUST_MAX_TRACE_BYTES * 2
        # One byte more than allowed tells "too large" from "exactly full", and Content-Length is not believed.
        body = stream.read(limit + 1)
        if len(body) > limit:
            raise TooLargeError(f"The request has more than {limit} bytes.")
        try:
            return read_json(body, where="body")
        except BadRecordError as error:
            raise ParseError(str(error)) from error
