"""Hints to the hubs, after a commit. A hint may be lost; a page is then late, never wrong."""

from contextlib import suppress

from play.hub import Rev, Topic, hub


def publish(topic: Topic, rev: Rev | None = None) -> None:
    """Tells every hub of this process that a topic has changed; from any thread.

    Call it when the transaction has been committed (`transaction.on_commit`).
    """
    for loop, each in hub.every():
        with suppress(RuntimeError):  # that loop has just closed: nobody looks at it any more
            loop.call_soon_threadsafe(each.hint, topic, rev)
