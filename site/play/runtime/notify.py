"""Send hints to the hubs after a commit; a lost hint only delays a page."""

from django.db import transaction

from play.runtime.layer import REVOKED
from play.runtime.runtime import call_in_each
from play.runtime.topics import Rev, Topic


def publish(topic: Topic, rev: Rev | None = None) -> None:
    """Hint to the hubs of all processes that a topic has changed; from any thread.

    Call it when the transaction has been committed (`transaction.on_commit`).
    """
    call_in_each(lambda runtime: runtime.publish(topic, rev))


def end_sessions() -> None:
    """Have other processes close the sockets of ended sessions, after the running commit."""
    transaction.on_commit(
        lambda: call_in_each(lambda runtime: runtime.channel.publish_to_all(REVOKED, ""))
    )


def refresh_name(user: int) -> None:
    """Have pages read again how to name a user, once the running transaction commits.

    Call it from any thread after a rename, and for both users after a block, which hides them from
    each other.
    """
    transaction.on_commit(lambda: call_in_each(lambda runtime: runtime.publish_name(user)))
