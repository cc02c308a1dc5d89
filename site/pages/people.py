"""What follows elsewhere from what happens to people: sockets and names on open pages.

Only this process is reached, at once. Sockets of another one keep a name until they come back, and
are cut off when it reads of the revocation.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from django.db import transaction

from play import mailbox, outbox
from play.permit import Permit


def renamed(sender: object, user_id: int, **about: Any) -> None:
    """Open pages show the new name."""
    outbox.renamed(user_id)


def session_moved(sender: object, old: str | None, new: str, **about: Any) -> None:
    """Open sockets belong to the session that goes on, so that logging out ends them too."""
    for box in mailbox.every_open():
        if old and box.permit.session == old:
            box.permit = replace(box.permit, session=new)


def session_ended(sender: object, session: str | None, **about: Any) -> None:
    """Who has logged out of this browser, or become somebody else on it, has done so on its open
    pages as well."""
    if session:
        _cut_off(lambda permit: permit.session == session)


def sessions_ended(sender: object, user_id: int, keep: str, **about: Any) -> None:
    """Cuts off the sockets of every session of a user but one."""
    _cut_off(lambda permit: permit.user == user_id and permit.session != keep)


def _cut_off(is_over: Callable[[Permit], bool]) -> None:
    transaction.on_commit(lambda: mailbox.revoke(is_over))
