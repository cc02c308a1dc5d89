"""Update sockets and names on open pages when accounts change.

Changes reach this process at once. Sockets of other processes keep a name until they reconnect, and
are closed when their process reads the revocation.
"""

from collections.abc import Callable
from dataclasses import replace

from django.db import transaction

from accounts.observers import AccountObserver
from play.domain.socket_session import SocketSession
from play.runtime import notify, open_sockets


class SocketObserver(AccountObserver):
    """Keeps the sockets of this process up to date."""

    def renamed(self, user_id: int) -> None:
        """Publish a user's new name to open pages."""
        notify.refresh_name(user_id)

    def blocks_changed(self, one_id: int, other_id: int) -> None:
        """Hide the names of two users from each other where they look on, or show them again."""
        notify.refresh_name(one_id)
        notify.refresh_name(other_id)

    def session_moved(self, old: str, new: str) -> None:
        """Move open sockets to the new session, so that logging out of it closes them too."""
        for box in open_sockets.every_open():
            if box.permit.session == old:
                box.permit = replace(box.permit, session=new)

    def session_ended(self, digest: str) -> None:
        """Close the sockets of a session that was logged out or replaced."""
        _end_sockets(lambda permit: permit.session == digest)

    def sessions_ended(self, user_id: int, keep: str) -> None:
        """Close the sockets of every session of a user but one."""
        _end_sockets(lambda permit: permit.user == user_id and permit.session != keep)


def _end_sockets(is_over: Callable[[SocketSession], bool]) -> None:
    transaction.on_commit(lambda: open_sockets.revoke(is_over))
    notify.end_sessions()
