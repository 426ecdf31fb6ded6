"""Pages travel compressed where the length of an answer can betray nothing (BREACH, CVE-2013-3587)."""

import re
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

COMPRESSED = ("text/html", "application/json", "text/csv", "text/plain", "image/svg+xml")
# Pages that may carry a token, a code, a link of invitation, a second factor or something of a vote that is sealed.
# Beside a text that a stranger wrote, the compressed length would tell how alike the two are.
SECRET = re.compile(r"/(accounts|admin|me|mail|join|people|desk|record|endpoints|api/v1/(tokens|seats))(/|$)")


class Compression(GZipMiddleware):
    """gzip for what a visitor's own browser or program asked for; everything else leaves as it is.

    BREACH needs somebody who makes the victim's browser ask again and again. Such a request is a stranger's
    navigation (our cookies are SameSite=Lax), and its answer is never compressed. Django masks the CSRF token anew in
    every answer and hides the exact length behind up to 100 random bytes.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Compress a whole answer to a GET; a stream keeps its length and its ranges."""
        if request.method != "GET" or response.status_code != 200 or response.streaming:
            return response
        media = response.headers.get("Content-Type", "").partition(";")[0]
        if media not in COMPRESSED or SECRET.match(request.path) or not is_asked_by_visitor(request):
            return response
        return super().process_response(request, response)


def is_asked_by_visitor(request: HttpRequest) -> bool:
    """Whether no other site can have caused this request with the visitor's session."""
    if settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return True  # nothing in the answer is anybody's
    if (site := request.headers.get("Sec-Fetch-Site")) is not None:
        return site in ("same-origin", "none")
    # Browsers send Sec-Fetch-Site to trustworthy origins alone; over plain HTTP the Referer has to do.
    referer = request.headers.get("Referer", "")
    return urlsplit(referer).netloc == request.get_host()
