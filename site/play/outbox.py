"""Hints to the hubs, after a commit. A hint may be lost; a page is then late, never wrong."""

from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from django.db import transaction

from play.bus import bus
from play.desk import LISTENERS
from play.hub import hub
from play.live import Live
from play.perloop import PerLoop
from play.topics import Rev, Topic, concerned

T = TypeVar("T")


def publish(topic: Topic, rev: Rev | None = None) -> None:
    """Tells every hub, of this process and of others, that a topic has changed; from any thread.

    Call it when the transaction has been committed (`transaction.on_commit`).
    """
    _each(hub, lambda each: each.hint(topic, rev))
    _each(bus, lambda each: each.say(topic, rev))


def renamed(user: int) -> None:
    """Shows a user's games under the name that the running transaction gives; from any thread."""

    def tell() -> None:
        _each(hub, lambda each: each.renamed(user))
        _each(bus, lambda each: each.say(("renamed", str(user))))

    transaction.on_commit(tell)


def changed(live: Live) -> None:
    """Tells the hubs of other processes what of theirs a game's change concerns; in the loop."""
    here = bus()
    if here.is_alone:
        return
    say = here.say
    say(("game", live.slug), live.rev)
    for topic in concerned(live):
        say(topic)


def when_over(listener: Callable[[Live], None]) -> None:
    """Has a function called with each game that this process ends; called when an app is ready.

    That happens in the event loop, after the commit; so the function has to return at once.
    """
    LISTENERS.append(listener)


def _each(made: PerLoop[T], do: Callable[[T], None]) -> None:
    for loop, each in made.every():
        with suppress(RuntimeError):  # that loop has just closed: nobody looks at it any more
            loop.call_soon_threadsafe(do, each)
