"""The session in whose name a socket writes, and the revocations that end it. Pure."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SocketSession:
    """The permission of a socket to write for its user."""

    session: str | None  # digest of the session that opened the socket, see accounts.login.sessions
    user: int | None
    since: int  # id of a revocation: those up to it do not end the permission


@dataclass(frozen=True, slots=True)
class Revoked:
    """A row of `accounts.Revocation`."""

    id: int
    session: str
    user: int | None
    keep: str
    everybody: bool = False

    def ends(self, permit: SocketSession) -> bool:
        """Return whether this revocation ends a permission."""
        if self.id <= permit.since:
            return False
        if self.everybody:
            return permit.session is not None
        if self.user is None:
            return bool(self.session) and permit.session == self.session
        return permit.user == self.user and permit.session != self.keep
