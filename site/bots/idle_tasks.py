"""Work that workers of computer players do while nobody waits for a computer.

An app above registers a task when it is ready. Each worker makes one of its own, and runs it
beside its games: the task looks at `is_free` before each piece of work.
"""

from collections.abc import Callable
from typing import Protocol

from play.runtime.game_service import GameService


class IdleTask(Protocol):
    """A task of one worker."""

    async def run(self) -> None:
        """Work until cancelled."""


# Takes the worker's game service and name, and whether no computer player has to act.
IdleTaskFactory = Callable[[GameService, str, Callable[[], bool]], IdleTask]

FACTORIES: list[IdleTaskFactory] = []


def register_idle_task(factory: IdleTaskFactory) -> None:
    """Register a task; call it when an app is ready."""
    FACTORIES.append(factory)
