"""Django's ASGI handler with one change of thread a request.

Django starts a chain of middlewares in the event loop and changes to a thread and back wherever one of them is written
for threads only. Ours are all at home in a thread, as every view and every query is, so that the whole chain runs in
one; each change back into the loop would cost a few hundred microseconds and two wake-ups.
"""

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest
from django.http.response import HttpResponseBase


class OneThreadHandler(ASGIHandler):
    """Answers each request in one thread; what streams is sent from the event loop as before."""

    def load_middleware(self, is_async: bool = False) -> None:
        """The chain for threads, whatever the server is."""
        super().load_middleware(is_async=False)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        """The chain's answer, from the thread that belongs to this request."""
        return await sync_to_async(self.get_response, thread_sensitive=True)(request)
