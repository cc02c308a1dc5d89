"""An observer of accounts that notes what it is told."""

from accounts.models import Revocation
from accounts.observers import AccountObserver

events: list[tuple[object, ...]] = []  # name of the method and its arguments, in order
revocations: list[int] = []  # rows at each end of sessions


class NotingObserver(AccountObserver):
    """Notes names and ends of sessions."""

    def renamed(self, user_id: int) -> None:
        """Note a new name."""
        events.append(("renamed", user_id))

    def sessions_ended(self, user_id: int, keep: str) -> None:
        """Note the end of a user's sessions, and the revocations before it."""
        events.append(("sessions_ended", user_id, keep))
        revocations.append(Revocation.objects.count())
