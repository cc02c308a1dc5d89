"""Threads in which the event loop has the database read and written."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from django.db import connections


class DatabaseThread(ThreadPoolExecutor):
    """One thread with a database connection of its own; what it is given runs in order."""

    def __init__(self, name: str) -> None:
        super().__init__(1, name)

    async def close(self) -> None:
        """Wait for what was given, close its connection, and end the thread."""
        await asyncio.get_running_loop().run_in_executor(self, connections.close_all)
        self.shutdown()
