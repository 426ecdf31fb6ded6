"""One-time messages, where there is a page to show them on."""

from django.contrib.messages.middleware import MessageMiddleware
from django.http import HttpRequest


class Messages(MessageMiddleware):
    """Django's, but for programs: whoever asks the API without a cookie comes back with none, so nothing is kept."""

    def process_request(self, request: HttpRequest) -> None:
        """Open the reader's messages."""
        if request.META.get("HTTP_COOKIE") or not request.path.startswith("/api/v1/"):
            super().process_request(request)
