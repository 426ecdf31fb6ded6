"""The websocket of open pages: a page subscribes to topics and is told which of them changed; nothing else travels."""

import json
from time import monotonic
from typing import Any

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.contrib.sessions.backends.base import SessionBase

from accounts import pace
from accounts.broadcast import group_of
from accounts.models import User
from accounts.second_factor import has_passed
from auditing.selectors.campaigns.topics import may_hear

MAX_TOPICS = 20
MAX_FRAME = 4_096
MESSAGES, WINDOW_SECONDS = 50, 10.0  # what a page may send
# Close codes of our own (RFC 6455, section 7.4.2: 4000 to 4999), after the HTTP status of the same meaning.
UNKNOWN, FORBIDDEN, GARBLED, TOO_MANY = 4401, 4403, 4400, 4429


class LiveConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]
    """One open page. Closes on a topic that its person may not hear, a large frame, or anything that is not JSON.

    What a person may hear is asked again at every change, and a role that is taken away closes the page at once.
    """

    topics: set[str]
    person: str
    window: tuple[float, int] = (0.0, 0)

    async def connect(self) -> None:
        """Accept people who are signed in, nobody else."""
        self.topics = set()
        await self.accept()  # first: only an accepted socket can be closed with a code that the page can read
        if not self.scope["user"].is_authenticated:
            await self.close(UNKNOWN)
            return
        if await database_sync_to_async(pace.guesses_too_often)(limits={pace.person_key(self.scope["user"].pk): 1}):
            await self.close(TOO_MANY)
            return
        self.person = group_of(user_key=self.scope["user"].pk)
        await self.channel_layer.group_add(self.person, self.channel_name)

    async def disconnect(self, code: int) -> None:
        """Leave every topic."""
        # A socket that was refused has no person.
        groups = [*self.topics, self.person] if hasattr(self, "person") else [*self.topics]
        for group in groups:
            await self.channel_layer.group_discard(group, self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Take {"subscribe": [topic, ...]}, nothing else."""
        # Counted before anything is parsed: a flood must cost us as little as possible.
        if not self._is_calm():
            await self.close(TOO_MANY)
            return
        wanted = _topics(text_data)
        if wanted is None or len(self.topics | set(wanted)) > MAX_TOPICS:
            await self.close(GARBLED)
            return
        for topic in wanted:
            # A page asks only for topics that its own markup names: any other one is no mistake.
            if not await self._may_hear(topic):
                # Counted with the pages that do not exist: ids of topics are ids of pages.
                await database_sync_to_async(pace.count_guess)(who=pace.person_key(self.scope["user"].pk))
                await self.close(FORBIDDEN)
                return
            self.topics.add(topic)
            await self.channel_layer.group_add(topic, self.channel_name)

    async def changed(self, event: dict[str, Any]) -> None:
        """A topic changed. The channel layer calls this by the name that broadcast.py gives the message."""
        if await self._may_hear(event["topic"]):
            await self.send(text_data=json.dumps({"topic": event["topic"]}))
        else:
            await self.close(FORBIDDEN)

    async def standing_changed(self, event: dict[str, Any]) -> None:
        """A role was taken from this person: the page asks again from the start."""
        await self.close(FORBIDDEN)

    async def _may_hear(self, topic: str) -> bool:
        """Asked of the database, not of what was true when the page was opened."""
        return bool(await database_sync_to_async(_may_hear_now)(self.scope["user"].pk, self.scope["session"], topic))

    def _is_calm(self) -> bool:
        """Whether this page has sent no more than MESSAGES in the window."""
        began, count = self.window  # a fixed window: when it began, messages since
        now = monotonic()
        self.window = (began, count + 1) if now - began < WINDOW_SECONDS else (now, 1)
        return self.window[1] <= MESSAGES


def _may_hear_now(user_key: int, session: SessionBase, topic: str) -> bool:
    user = User.objects.filter(pk=user_key, is_active=True).first()
    # Signed out elsewhere: the session is gone, though this socket still has it in memory.
    if user is None or session.session_key is None or not session.exists(session.session_key):
        return False
    return has_passed(session=session, user=user) and may_hear(user=user, topic=topic)


def _topics(text: str | None) -> list[str] | None:
    """The topics of a subscription, or None for anything else."""
    if text is None or len(text) > MAX_FRAME:
        return None
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):  # "[[[[..." a thousand deep
        return None
    if not isinstance(message, dict) or len(message) != 1:
        return None
    wanted = message.get("subscribe")
    if not isinstance(wanted, list) or not all(isinstance(topic, str) and len(topic) < 80 for topic in wanted):
        return None
    return wanted
