"""Charts as files, for whoever was shown them; and stored blocks by address.

Blocks: for anybody, as a trustless IPFS gateway: ciphertext only, unreadable without its key.

Source: specs.ipfs.tech/http-gateways/trustless-gateway (raw and CAR, by CID alone, no paths). Reads Block.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe

from hdag.core import cid
from hdag.rendering.charts import drawing
from hdag.rendering.charts.engine import EngineError
from hdag.selectors import find_block
from hdag.store import content

if TYPE_CHECKING:
    from hdag.models import Block

RAW, CAR = "application/vnd.ipld.raw", "application/vnd.ipld.car"
KINDS = {"raw": RAW, "car": CAR}
# The gateway specification's own value for content-addressed answers: 336 days, immutable.
FOREVER = "public, max-age=29030400, immutable"
SCOPES = ("block", "entity", "all")


@require_safe
def chart_file(request: HttpRequest, digest: str, key: str, kind: str) -> HttpResponse:
    """A chart of a page as SVG or PNG in either look, its numbers as CSV, or its specification.

    404 for whoever was not shown it, and once it is forgotten; 503 while the drawing program is away.
    """
    chart = drawing.find_offered(digest=digest, key=key, person=request.user.pk)
    if chart is None or kind not in drawing.KINDS:
        raise Http404("Open the page of the chart again: its files are kept for a day.")
    try:
        body = drawing.file_of(chart=chart, kind=kind)
    except EngineError:
        return _plain_response(503, "The chart cannot be drawn now.")
    response = HttpResponse(body, content_type=drawing.KINDS[kind])
    response["Content-Disposition"] = f'attachment; filename="{chart.name}.{kind}"'
    return response


class _RefusedError(Exception):
    """The request is none that this gateway answers."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


@require_safe
def show_block(request: HttpRequest, name: str) -> HttpResponseBase:
    """GET /ipfs/<cid>?format=raw|car (or the Accept header). 400 for what is no CID of ours, 406 for another format,
    404 for an unknown block, 410 after erasure. A long text's raw block is its manifest; its CAR holds the parts too.
    """
    try:
        cid.parse(text=name)
        media_type = _wanted(request)
        block = _get_block(name)
    except cid.CidError as error:
        return _plain_response(400, str(error))
    except _RefusedError as error:
        return _plain_response(error.status, str(error))
    # A CAR may be written in more than one order of blocks, so its tag is a weak one.
    tag = f'"{name}.raw"' if media_type == RAW else f'W/"{name}.car"'
    # An address names its content for ever: whoever has the tag has the block.
    if request.headers.get("If-None-Match") == tag:
        return _headed(HttpResponse(status=304), name, media_type, tag)
    data = content.block_bytes(block)
    if media_type == RAW:
        return _headed(HttpResponse(data, content_type=RAW), name, media_type, tag)
    parts = [] if request.GET.get("dag-scope") == "block" else content.parts_of(block)
    file = StreamingHttpResponse(cid.car(root=name, blocks=[(name, data), *parts]), content_type=f"{CAR}; version=1")
    return _headed(file, name, media_type, tag)


def _wanted(request: HttpRequest) -> str:
    """The media type that the request asks for: ?format= first, then the Accept header. Raises _RefusedError."""
    # The query wins over the Accept header: a link in a page cannot set headers.
    wanted = request.GET.get("format")
    if request.GET.get("dag-scope", "all") not in SCOPES:
        raise _RefusedError(400, f"dag-scope is one of {', '.join(SCOPES)}.")
    if wanted is not None:
        if wanted not in KINDS:
            raise _RefusedError(406, "This gateway gives format=raw and format=car; nothing of it is decrypted.")
        return KINDS[wanted]
    accepted = [entry.split(";")[0].strip() for entry in request.headers.get("Accept", "").split(",")]
    for media_type in accepted:
        if media_type in KINDS.values():
            return media_type
    raise _RefusedError(406, "Ask for format=raw or format=car; nothing of it is decrypted.")


def _get_block(name: str) -> Block:
    """The block of that address. Raises _RefusedError: 404 when there is none, 410 after erasure."""
    block = find_block(cid=name)
    if block is None:
        raise _RefusedError(404, "There is no such block.")
    # Parts have no key of their own: they are gone when their root's key is.
    if (block.part_of or block).wrapped_key is None:
        raise _RefusedError(410, "This text was erased: the key of this block was deleted.")
    return block


def _headed(response: HttpResponseBase, name: str, media_type: str, tag: str) -> HttpResponseBase:
    ending = "bin" if media_type == RAW else "car"
    response["ETag"] = tag
    response["Cache-Control"] = FOREVER
    response["X-Content-Type-Options"] = "nosniff"
    response["Content-Disposition"] = f'attachment; filename="{name}.{ending}"'
    response["Access-Control-Allow-Origin"] = "*"  # public, immutable, unreadable: browsers elsewhere may check it
    response["Vary"] = "Accept"
    return response


def _plain_response(status: int, sentence: str) -> HttpResponse:
    response = HttpResponse(f"{sentence}\n", status=status, content_type="text/plain; charset=utf-8")
    # An error is of this moment only: an unknown block may arrive later.
    response["Cache-Control"] = "no-store"
    response["X-Content-Type-Options"] = "nosniff"
    return response
