"""Polling for a change in another process, a database or a page."""

import asyncio
import time
from collections.abc import Callable
from typing import Any


async def until(holds: Callable[[], Any], seconds: float, every: float = 0.02) -> bool:
    """Waits until something holds, for `seconds` at most; returns whether it holds."""
    end = time.monotonic() + seconds
    for _ in range(1 + int(seconds / every)):
        if holds():
            return True
        if time.monotonic() >= end:
            break
        await asyncio.sleep(every)
    return bool(holds())
