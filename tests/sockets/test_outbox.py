"""Web server and workers tell open pages from threads of their own: each message once a turn, none lost for another."""

import asyncio
from collections import Counter

import pytest
from celery.signals import worker_process_init
from channels.layers import channel_layers
from django.conf import settings
from redis import Redis

from accounts import broadcast
from accounts.broadcast import Outbox
from tests.tools.patience import PATIENCE


async def heard(outbox: Outbox, put: list[tuple[str, str]], last: str) -> Counter[str]:
    """How often each topic reaches a page of group "hens" until it hears `last`; all are put within one turn."""
    layer, topics = channel_layers.make_backend("default"), Counter[str]()
    channel = await layer.new_channel()
    await layer.group_add("hens", channel)
    with outbox._is_open:
        for group, topic in put:
            outbox.put(group=group, message={"type": "changed", "topic": topic})
    while not topics[last]:
        message = await asyncio.wait_for(layer.receive(channel), PATIENCE)
        topics[message["topic"]] += 1
    await layer.close_pools()
    return topics


def test_what_is_put_many_times_within_a_turn_is_sent_once() -> None:
    put = [*[("hens", "audits")] * 50, ("hens", "desk")]
    assert asyncio.run(heard(Outbox(), put, "desk")) == Counter(audits=1, desk=1)


def test_a_message_that_cannot_be_sent_stops_no_other() -> None:
    put = [("no group's name: \u2014", "lost"), ("hens", "desk")]
    assert asyncio.run(heard(Outbox(), put, "desk")) == Counter(desk=1)


def test_the_next_turn_follows() -> None:
    outbox = Outbox()
    for topic in ("first", "second"):
        assert asyncio.run(heard(outbox, [("hens", topic)], topic))[topic] == 1


def lists_of_members_read() -> int:
    """How often Redis was asked who is in a group."""
    counts = Redis.from_url(settings.REDIS_URL).info("commandstats")
    return int(counts.get("cmdstat_zrange", {"calls": 0})["calls"])


def test_groups_that_no_page_has_joined_are_not_sent_to_one_by_one() -> None:
    before = lists_of_members_read()
    put = [(f"audit.{number}", "changed") for number in range(40)]
    assert asyncio.run(heard(Outbox(), [*put, ("hens", "desk")], "desk")) == Counter(desk=1)
    # Once to send, and the channel of the page reads such a list of its own; sent one by one they were 41.
    assert 1 <= lists_of_members_read() - before <= 3


def test_a_process_of_a_worker_gathers_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broadcast, "_outbox", None)
    worker_process_init.send(sender=None)
    assert broadcast._outbox is not None
