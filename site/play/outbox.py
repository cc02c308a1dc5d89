"""Hints to the hubs, after a commit. A hint may be lost; a page is then late, never wrong."""

from collections.abc import Callable
from contextlib import suppress

from django.db import transaction

from play.desk import LISTENERS
from play.hub import Hub, Rev, Topic, hub
from play.live import Live


def publish(topic: Topic, rev: Rev | None = None) -> None:
    """Tells every hub of this process that a topic has changed; from any thread.

    Call it when the transaction has been committed (`transaction.on_commit`).
    """
    _everywhere(lambda each: each.hint(topic, rev))


def renamed(user: int) -> None:
    """Shows a user's games under the name that the running transaction gives; from any thread."""
    transaction.on_commit(lambda: _everywhere(lambda each: each.renamed(user)))


def when_over(listener: Callable[[Live], None]) -> None:
    """Has a function called with each game that this process ends; called when an app is ready.

    That happens in the event loop, after the commit; so the function has to return at once.
    """
    LISTENERS.append(listener)


def _everywhere(do: Callable[[Hub], None]) -> None:
    for loop, each in hub.every():
        with suppress(RuntimeError):  # that loop has just closed: nobody looks at it any more
            loop.call_soon_threadsafe(do, each)
