"""Regression: with redis-py's default of 5 s, every idle websocket died after 5.0 s."""

import asyncio

from channels.layers import ChannelLayerManager

from tests.tools.patience import PATIENCE


async def test_a_page_that_hears_nothing_for_six_seconds_still_hears_the_seventh():
    layer = ChannelLayerManager()["default"]  # our own: the shared one holds connections of other loops
    name = await layer.new_channel()
    waiting = asyncio.create_task(layer.receive(name))
    done, _ = await asyncio.wait({waiting}, timeout=6.5)
    assert not done, waiting.exception()
    await layer.send(name, {"type": "changed"})
    assert await asyncio.wait_for(waiting, PATIENCE) == {"type": "changed"}
    await layer.close_pools()
