"""Signal handlers that update sockets and names on open pages when accounts change.

They reach this process at once. Sockets of other processes keep a name until they reconnect, and
are closed when their process reads the revocation.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from django.db import transaction

from play.domain.socket_session import SocketSession
from play.runtime import notify, open_sockets


def show_new_name(sender: object, user_id: int, **about: Any) -> None:
    """Publishes a user's new name to open pages."""
    notify.refresh_name(user_id)


def hide_names(sender: object, user_ids: tuple[int, ...], **about: Any) -> None:
    """Hides the names of two users from each other where they look on, or shows them again."""
    for user_id in user_ids:
        notify.refresh_name(user_id)


def session_moved(sender: object, old: str | None, new: str, **about: Any) -> None:
    """Moves open sockets to the new session, so that logging out of it closes them too."""
    for box in open_sockets.every_open():
        if old and box.permit.session == old:
            box.permit = replace(box.permit, session=new)


def session_ended(sender: object, session: str | None, **about: Any) -> None:
    """Closes the sockets of a session that was logged out or replaced."""
    if session:
        _end_sockets(lambda permit: permit.session == session)


def sessions_ended(sender: object, user_id: int, keep: str, **about: Any) -> None:
    """Closes the sockets of every session of a user but one."""
    _end_sockets(lambda permit: permit.user == user_id and permit.session != keep)


def _end_sockets(is_over: Callable[[SocketSession], bool]) -> None:
    transaction.on_commit(lambda: open_sockets.revoke(is_over))
    notify.end_sessions()
