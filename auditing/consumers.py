"""The live socket: a page subscribes to topics and is told which changed; nothing else ever travels."""

import json
from typing import Any

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer

from auditing.selectors.topics import may_hear

MAX_TOPICS = 20
MAX_FRAME = 4_096
UNKNOWN, FORBIDDEN, GARBLED = 4401, 4403, 4400


class LiveConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]
    """One open page. Closes on a topic that its person may not hear, a large frame, or anything that is not JSON."""

    topics: set[str]

    async def connect(self) -> None:
        """People only."""
        self.topics = set()
        await self.accept()
        if not self.scope["user"].is_authenticated:
            await self.close(UNKNOWN)

    async def disconnect(self, code: int) -> None:
        """Leave every topic."""
        for topic in self.topics:
            await self.channel_layer.group_discard(topic, self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """{"subscribe": [topic, ...]}, nothing else."""
        wanted = _topics(text_data)
        if wanted is None or len(self.topics | set(wanted)) > MAX_TOPICS:
            await self.close(GARBLED)
            return
        for topic in wanted:
            if not await database_sync_to_async(may_hear)(user=self.scope["user"], topic=topic):
                await self.close(FORBIDDEN)
                return
            self.topics.add(topic)
            await self.channel_layer.group_add(topic, self.channel_name)

    async def changed(self, event: dict[str, Any]) -> None:
        """A topic rang."""
        await self.send(text_data=json.dumps({"topic": event["topic"]}))


def _topics(text: str | None) -> list[str] | None:
    """The topics of a subscription, or None for anything else."""
    if text is None or len(text) > MAX_FRAME:
        return None
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        return None
    wanted = said.get("subscribe") if isinstance(said, dict) and len(said) == 1 else None
    if not isinstance(wanted, list) or not all(isinstance(topic, str) and len(topic) < 80 for topic in wanted):
        return None
    return wanted
