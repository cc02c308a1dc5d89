"""Redis channels that this process wants, and those that Redis has confirmed.

A channel has at most one pending command, and each confirmation is compared with the channels
wanted by then. So any order of joins and leaves ends with exactly the wanted channels.
"""

import asyncio
from collections.abc import Callable

MAX_CHANNELS_PER_COMMAND = 500


class ChannelSubscriptions:
    """The subscriptions of one connection at a time; `confirmed` is called with each new one."""

    def __init__(self, confirmed: Callable[[str], None] = lambda channel: None) -> None:
        self._on_confirmed = confirmed
        self._wanted: set[str] = set()
        self._confirmed: set[str] = set()
        self._under_way: set[str] = set()  # a command was sent, and is not confirmed
        self._touched: set[str] = set()  # may need a command
        self._missing: set[str] = set()  # to be confirmed before the connection has recovered
        self._waiting: dict[str, asyncio.Future[bool]] = {}
        self._is_down = False  # the last connection failed or was lost
        self._has_work = asyncio.Event()

    def add(self, channel: str) -> None:
        """Mark a channel as wanted."""
        self._wanted.add(channel)
        self._touch(channel)

    def discard(self, channel: str) -> None:
        """Mark a channel as no longer wanted."""
        self._wanted.discard(channel)
        self._resolve(channel, False)
        self._touch(channel)

    def has(self, channel: str) -> bool:
        """Return whether a channel is wanted, and messages on it arrive."""
        return channel in self._confirmed and channel in self._wanted

    def is_confirmed(self, channel: str) -> bool:
        """Return whether messages on a channel arrive, even if it is no longer wanted."""
        return channel in self._confirmed

    async def wait(self, channel: str, timeout_s: float) -> bool:
        """Wait until a wanted channel is confirmed; return False at once while Redis is away.

        Return False too if that takes longer than `timeout_s`, or if it is wanted no more.
        """
        if self.has(channel):
            return True
        if self._is_down or channel not in self._wanted:
            return False
        if channel not in self._waiting:
            self._waiting[channel] = asyncio.get_running_loop().create_future()
        done, _ = await asyncio.wait([self._waiting[channel]], timeout=timeout_s)
        return bool(done) and self.has(channel)

    def begin_connection(self) -> None:
        """Note a new connection, which has no channels yet."""
        self._is_down = False
        self._confirmed.clear()
        self._under_way.clear()
        self._touched, self._missing = set(self._wanted), set(self._wanted)
        self._has_work.set()

    def end_connection(self) -> None:
        """Note that the connection is lost, and wake all waiters."""
        self._is_down = True
        self._confirmed.clear()
        for channel in list(self._waiting):
            self._resolve(channel, False)

    async def next_commands(self) -> list[tuple[bool, list[str]]]:
        """Wait for work; return batches to subscribe to (True) and to unsubscribe from (False)."""
        await self._has_work.wait()
        self._has_work.clear()
        touched = self._touched - self._under_way
        self._touched.clear()
        added = [each for each in touched & self._wanted if each not in self._confirmed]
        dropped = [each for each in touched & self._confirmed if each not in self._wanted]
        self._under_way.update(added, dropped)
        self._confirmed.difference_update(dropped)  # wanted again, they are not there at once
        self._missing &= self._under_way
        return [*_split(True, added), *_split(False, dropped)]

    def confirm(self, channel: str, is_subscribed: bool) -> bool:
        """Note a confirmation; return whether it was the last one that a new connection lacked."""
        self._under_way.discard(channel)
        (self._confirmed.add if is_subscribed else self._confirmed.discard)(channel)
        if (channel in self._wanted) != is_subscribed:
            self._touch(channel)
        elif is_subscribed:
            self._on_confirmed(channel)
            self._resolve(channel, True)
        was_missing = channel in self._missing
        self._missing.discard(channel)
        return was_missing and not self._missing

    def _touch(self, channel: str) -> None:
        if not self._is_down:  # a new connection subscribes to all channels wanted by then
            self._touched.add(channel)
            self._has_work.set()

    def _resolve(self, channel: str, result: bool) -> None:
        waiting = self._waiting.pop(channel, None)
        if waiting is not None and not waiting.done():
            waiting.set_result(result)


def _split(is_wanted: bool, channels: list[str]) -> list[tuple[bool, list[str]]]:
    """Return batches of channels, each of a bounded size."""
    starts = range(0, len(channels), MAX_CHANNELS_PER_COMMAND)
    return [(is_wanted, channels[start : start + MAX_CHANNELS_PER_COMMAND]) for start in starts]
