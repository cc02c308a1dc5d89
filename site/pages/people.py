"""What follows elsewhere from what happens to people: sockets and names on open pages.

Only this process is reached: sockets of another one keep a name until they come back, and are cut
off with the next reading of their session.
"""

from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session

from play import mailbox, outbox


def renamed(sender: object, user_id: int, **about: Any) -> None:
    """Open pages show the new name."""
    outbox.renamed(user_id)


def session_moved(sender: object, old: str | None, new: str, **about: Any) -> None:
    """Open sockets belong to the session that goes on, so that logging out ends them too."""
    for box in mailbox.every_open():
        if old and box.session == old:
            box.session = new


def session_ended(sender: object, session: str | None, **about: Any) -> None:
    """Who has become somebody else on this browser does so on its open pages as well."""
    if session:
        mailbox.revoke(session)


def sessions_ended(sender: object, user_id: int, keep: str, **about: Any) -> None:
    """Cuts off the sockets of every session of a user but one."""
    keys = {box.session for box in mailbox.every_open() if box.session} - {keep}
    for session in Session.objects.filter(session_key__in=keys).iterator():
        if session.get_decoded().get(SESSION_KEY) == str(user_id):
            mailbox.revoke(session.session_key)
