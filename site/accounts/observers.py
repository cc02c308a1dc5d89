"""Interface to parts of the site above `accounts` that follow users and their sessions.

The setting ACCOUNT_OBSERVERS names the classes, in the order in which they are called. An error of
one is raised to the caller. Sessions are named by the digests of their keys.
"""

from functools import cache

from django.conf import settings
from django.utils.module_loading import import_string


class AccountObserver:
    """Base class of observers; each method does nothing unless it is overridden."""

    def renamed(self, user_id: int) -> None:
        """A user has another name, or a guest an account; after the commit, from any thread."""

    def blocks_changed(self, one_id: int, other_id: int) -> None:
        """One of two users blocks or unblocks the other; after the commit."""

    def session_moved(self, old: str, new: str) -> None:
        """A session goes on for the same user under a new key."""

    def session_ended(self, digest: str) -> None:
        """A session has ended; before its revocation is written."""

    def sessions_ended(self, user_id: int, keep: str) -> None:
        """All sessions of a user but `keep` have ended; before the revocation is written."""


@cache
def observers() -> tuple[AccountObserver, ...]:
    """Return one object of each class that ACCOUNT_OBSERVERS names."""
    return tuple(import_string(path)() for path in settings.ACCOUNT_OBSERVERS)
