"""A channel is only said to be there while its messages arrive."""

import asyncio

from play.runtime.bus.channel_subscriptions import ChannelSubscriptions


async def test_a_channel_that_is_wanted_again_while_it_is_given_up_has_to_be_confirmed_again():
    channels = ChannelSubscriptions()
    channels.begin_connection()
    channels.add("game:x")
    assert await channels.next_commands() == [(True, ["game:x"])]
    channels.confirm("game:x", True)
    channels.discard("game:x")
    assert await channels.next_commands() == [(False, ["game:x"])]
    channels.add("game:x")
    assert not channels.has("game:x")
    waiting = asyncio.create_task(channels.wait("game:x", 5))
    await asyncio.sleep(0)
    assert await channels.next_commands() == []
    channels.confirm("game:x", False)
    assert not waiting.done()
    assert await channels.next_commands() == [(True, ["game:x"])]
    channels.confirm("game:x", True)
    assert await waiting and channels.has("game:x")


async def test_channels_that_come_and_go_while_redis_is_away_take_no_room():
    channels = ChannelSubscriptions()
    channels.begin_connection()
    channels.end_connection()
    for number in range(100):
        channels.add(f"game:{number}")
        channels.discard(f"game:{number}")
    channels.add("game:x")
    assert not channels._touched
    channels.begin_connection()
    assert await channels.next_commands() == [(True, ["game:x"])]
