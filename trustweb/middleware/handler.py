"""Django's ASGI handler for requests that belong to threads: each is answered from its first line to its last in one.

Django starts a chain of middlewares in the event loop, changes to a thread and back wherever one of them is written for
threads only, and gives every request a thread of its own, in which the connections to PostgreSQL and Redis are made
anew. Ours is at home in a thread from beginning to end, and the threads stay: their connections rest with them.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Condition
from typing import IO, Any

from asgiref.sync import ThreadSensitiveContext, sync_to_async
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.core.signals import request_started
from django.db import close_old_connections, connections
from django.http import FileResponse, HttpRequest
from django.http.response import HttpResponseBase
from django.urls import set_script_prefix

# Two cores answer no faster with more; PostgreSQL allows 100 connections by default, and other programs need some.
THREADS = 12
# Programs, which come with a token, ask as fast as they are answered. They have a thread for each core: more would not
# answer them faster, and a person's page would wait for its turn among all of them.
PROGRAMS = min(max(2, os.cpu_count() or 2), 4)
MOST_HELD_BACK = 0.1  # seconds that a request of a program waits for people's before it begins all the same
# What only pages need. A program asks the API with a token and no cookie: it has no session, no form, no zone.
FOR_PAGES = frozenset(
    {
        "whitenoise.middleware.WhiteNoiseMiddleware",
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
        "allauth.account.middleware.AccountMiddleware",
        "accounts.second_factor.SecondFactor",
        "django_htmx.middleware.HtmxMiddleware",
        "trustweb.middleware.reader_zone.ReaderZone",
    }
)
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]


class PeopleFirst:
    """A program's request begins when no person's is being answered: a reader should not share the interpreter's lock.

    Only for a moment: people who ask without a pause cannot keep programs waiting for ever.
    """

    def __init__(self, most: float = MOST_HELD_BACK) -> None:
        """most: seconds that a program waits."""
        self._most, self._answering, self._changed = most, 0, Condition()

    @contextmanager
    def person(self) -> Iterator[None]:
        """While a person's request is being answered."""
        with self._changed:
            self._answering += 1
        try:
            yield
        finally:
            with self._changed:
                self._answering -= 1
                if not self._answering:
                    self._changed.notify_all()

    def let_people_go_first(self) -> None:
        """Return when nobody's request is being answered, or after the longest wait."""
        with self._changed:
            self._changed.wait_for(lambda: not self._answering, self._most)


class ProgramsHandler(ASGIHandler):
    """The way of a program through the API: every middleware but those of pages."""

    def load_middleware(self, is_async: bool = False) -> None:
        """Django makes its chain of the settings alone."""
        everybodys = settings.MIDDLEWARE
        settings.MIDDLEWARE = [name for name in everybodys if name not in FOR_PAGES]
        try:
            super().load_middleware(is_async=False)
        finally:
            settings.MIDDLEWARE = everybodys

    def get_response(self, request: HttpRequest) -> Any:
        """Nobody is known before the API has read the token."""
        request.user = AnonymousUser()
        return super().get_response(request)


def _is_programs(scope: dict[str, Any]) -> bool:
    """Whether a token is shown to the API, and no cookie."""
    shown = {name for name, _ in scope["headers"]}
    return scope["path"].startswith("/api/v1/") and b"authorization" in shown and b"cookie" not in shown


class OneThreadHandler(ASGIHandler):
    """Answers each request in one thread; what streams is sent from the event loop."""

    def __init__(self) -> None:
        """Threads begin with the requests that need them: before that the process may still be forked."""
        super().__init__()
        self.of_programs = ProgramsHandler()
        self.threads = ThreadPoolExecutor(THREADS, thread_name_prefix="request")
        self.programs = ThreadPoolExecutor(PROGRAMS, thread_name_prefix="program")
        self.turns = PeopleFirst()

    def load_middleware(self, is_async: bool = False) -> None:
        """The chain for threads, whatever the server is."""
        super().load_middleware(is_async=False)

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Read the request, have it answered, send the answer."""
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        # In the thread's own context and no copy of ours: the cache's connection to Redis rests in it.
        is_program = any(name == b"authorization" for name, _ in scope["headers"])
        threads, answer = (self.programs, self._of_program) if is_program else (self.threads, self._of_person)
        response = await asyncio.get_running_loop().run_in_executor(threads, answer, scope, body)
        if response.streaming:
            await self._stream(response, receive, send)
        else:
            await self.send_response(response, send)

    def _of_person(self, scope: dict[str, Any], body: IO[bytes]) -> Any:
        with self.turns.person():
            return self.answer(scope, body)

    def _of_program(self, scope: dict[str, Any], body: IO[bytes]) -> Any:
        self.turns.let_people_go_first()
        return self.answer(scope, body)

    def answer(self, scope: dict[str, Any], body: IO[bytes]) -> Any:
        """The whole life of a request; only an answer that streams is left open."""
        set_script_prefix(get_script_prefix(scope))
        request_started.send(sender=self.__class__, scope=scope)
        request, refusal = self.create_request(scope, body)
        way = self.of_programs if _is_programs(scope) else self
        response: Any = way.get_response(request) if request else refusal
        response._handler_class = self.__class__  # of whom request_finished tells
        if response.streaming:
            close_old_connections()  # its end is told in another thread, which closes none of this one
        else:
            response.close()
            body.close()
        return response

    async def _stream(self, response: HttpResponseBase, receive: Receive, send: Send) -> None:
        """Send piece by piece, until the end or until nobody listens."""
        if isinstance(response, FileResponse):
            response.block_size = self.chunk_size
        async with ThreadSensitiveContext():
            tasks = [
                asyncio.create_task(self.send_response(response, send)),
                asyncio.create_task(self._wait_for_leave(receive)),
            ]
            try:
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in tasks:
                    task.cancel()
                ends = await asyncio.gather(*tasks, return_exceptions=True)
                await sync_to_async(response.close)()
                await sync_to_async(connections.close_all)()  # this context's thread ends, and with it what it opened
        if isinstance(ends[0], Exception):
            raise ends[0]

    async def _wait_for_leave(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
