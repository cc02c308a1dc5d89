"""Run functions that query the database in threads of their own."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from django.db import connection

T = TypeVar("T")


async def run_in_thread(function: Callable[[], T]) -> T:
    """Run a function in a thread that returns its connection to the pool."""

    def run() -> T:
        try:
            return function()
        finally:
            connection.close()

    return await asyncio.to_thread(run)
