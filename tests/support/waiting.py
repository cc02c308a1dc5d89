"""Wait for events in tests, and turn the time of the event loop.

No test sleeps. A test that shows that something does not happen waits for a later event, calls the
periodic step itself, or turns a clock.
"""

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable
from typing import Any

TIMEOUT_S = 30.0  # for an event on a busy machine
POLL_INTERVAL_S = 0.01


async def wait_until(
    condition: Callable[[], Any | Awaitable[Any]],
    awaited: str | Callable[[], str],
    timeout_s: float = TIMEOUT_S,
) -> Any:
    """Poll a function, perhaps a coroutine function, until it returns something true; return that.

    `awaited` says in the failure's message what was awaited.
    """
    deadline_s = time.monotonic() + timeout_s
    while True:
        found = condition()
        if inspect.isawaitable(found):
            found = await found
        if found:
            return found
        check_deadline(deadline_s, awaited, timeout_s)
        await asyncio.sleep(POLL_INTERVAL_S)


def wait_until_sync(
    condition: Callable[[], Any],
    awaited: str | Callable[[], str],
    timeout_s: float = TIMEOUT_S,
) -> Any:
    """Do the same in a thread without an event loop."""
    deadline_s = time.monotonic() + timeout_s
    while not (found := condition()):
        check_deadline(deadline_s, awaited, timeout_s)
        time.sleep(POLL_INTERVAL_S)
    return found


def check_deadline(deadline_s: float, awaited: str | Callable[[], str], timeout_s: float) -> None:
    """Raise AssertionError after the deadline (time.monotonic)."""
    if time.monotonic() >= deadline_s:
        text = awaited if isinstance(awaited, str) else awaited()
        raise AssertionError(f"did not happen within {timeout_s:g} s: {text}")


async def run_ready() -> None:
    """Let the event loop run its ready callbacks, and those that they schedule."""
    for _ in range(10):
        await asyncio.sleep(0)


async def turn_loop_clock(seconds: float) -> None:
    """Turn the running loop's time forward, and run the timers that have become due.

    What is ready runs before. The loop has to be the test's own: its time stays ahead. Give a timer
    that must not run before an interval of a minute, which no test takes.
    """
    await run_ready()
    loop = asyncio.get_running_loop()
    if not isinstance(loop.time, TurnedTime):
        loop.time = TurnedTime(loop.time)  # type: ignore[method-assign]
    loop.time.ahead_s += seconds
    await run_ready()


class TurnedTime:
    """The time of an event loop, ahead of its own clock."""

    def __init__(self, own_time: Callable[[], float]) -> None:
        self._own_time = own_time
        self.ahead_s = 0.0

    def __call__(self) -> float:
        return self._own_time() + self.ahead_s
