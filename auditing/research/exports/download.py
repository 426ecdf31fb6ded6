"""Large answers: files that resume where they broke off (RFC 9110 ranges, RFC 6266 names), and streams of rows."""

import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.utils.http import content_disposition_header

CHUNK = 256 * 1024
_RANGE = re.compile(r"bytes=(\d{1,18})?-(\d{1,18})?")


def find_range(*, header: str, size: int) -> tuple[int, int] | None:
    """(first, last) of a single byte range, None when the header asks for none. Raises ValueError when it lies outside.

    >>> find_range(header="bytes=2-", size=10), find_range(header="bytes=-3", size=10), find_range(header="", size=10)
    ((2, 9), (7, 9), None)
    """
    hit = _RANGE.fullmatch(header.strip())
    if not hit or hit.groups() == (None, None):
        return None  # several ranges, other units: RFC 9110 lets a server send the whole
    if hit[1] is None:
        # "bytes=-3" asks for the last three bytes, and "bytes=-0" for none, which cannot be satisfied.
        first, last = max(0, size - int(hit[2])), size - 1
        if int(hit[2]) == 0:
            raise ValueError(header)
    else:
        first, last = int(hit[1]), min(size - 1, int(hit[2]) if hit[2] else size - 1)
    # Past the end of the file is an error (416); "5-2" is no range at all and is ignored (RFC 9110 section 14.1.1).
    if first > last:
        if hit[2] is not None and hit[1] is not None and int(hit[2]) < int(hit[1]):
            return None
        raise ValueError(header)
    return first, last


def send_file(request: HttpRequest, *, path: Path, name: str, media_type: str, tag: str) -> HttpResponseBase:
    """A file or the part of it that was asked for; `tag` names its content, so that a part never joins another file."""
    size, etag = path.stat().st_size, f'"{tag}"'
    asked = request.headers.get("Range", "") if request.method == "GET" else ""
    # The file is another one by now: send it whole, so that no part of it is appended to the old one.
    if request.headers.get("If-Range", etag) != etag:
        asked = ""
    try:
        byte_range = find_range(header=asked, size=size) if asked else None
    except ValueError:
        return HttpResponse(status=416, headers={"Content-Range": f"bytes */{size}", "Accept-Ranges": "bytes"})
    first, last = byte_range or (0, size - 1)
    answer = streamed(
        request, _read(path, first, last - first + 1) if request.method != "HEAD" else iter(()), media_type
    )
    # 206: Partial Content.
    answer.status_code = 206 if byte_range else 200
    answer["Content-Length"] = str(last - first + 1)
    if byte_range:
        answer["Content-Range"] = f"bytes {first}-{last}/{size}"
    answer["Accept-Ranges"], answer["ETag"] = "bytes", etag
    answer["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
    # Exports are personal: no proxy and no browser cache keeps one.
    answer["Cache-Control"] = "private, no-store"
    return answer


def streamed(request: HttpRequest, chunks: Iterator[bytes], media_type: str) -> StreamingHttpResponse:
    """Chunks as they come. Under ASGI Django would gather a plain iterator first, so there it gets an async one."""
    body: Any = _one_by_one(chunks) if isinstance(request, ASGIRequest) else chunks
    answer = StreamingHttpResponse(body, content_type=media_type)
    # A browser must not guess that a data set is a page.
    answer["X-Content-Type-Options"] = "nosniff"
    return answer


async def _one_by_one(chunks: Iterator[bytes]) -> AsyncIterator[bytes]:
    end = b""
    take = sync_to_async(lambda: next(chunks, end))
    while chunk := await take():
        yield chunk


def _read(path: Path, first: int, left: int) -> Iterator[bytes]:
    with path.open("rb") as file:
        file.seek(first)
        while left > 0 and (chunk := file.read(min(CHUNK, left))):
            left -= len(chunk)
            yield chunk
