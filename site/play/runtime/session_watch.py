"""Close sockets whose session has ended in any process.

A socket reads the newest revocation before its session. Each process reads newer ones twice a
second and closes its sockets; a write on behalf of a socket checks for later ones in its own
transaction.
"""

from collections import deque
from dataclasses import replace

from play.domain.socket_session import Revoked, SocketSession
from play.runtime.game_service import GameService
from play.runtime.open_sockets import OpenSocket, revoke
from play.storage import revoked_sessions

POLL_INTERVAL_S = 0.5
MAX_REVOCATIONS = 1_000  # newest rows kept in memory


class SessionWatch:
    """The revocations that one process has read."""

    def __init__(self, games: GameService) -> None:
        self._games = games
        self._newest: int | None = None  # id; all sockets here were compared with rows up to it
        self._recent: deque[Revoked] = deque(maxlen=MAX_REVOCATIONS)

    async def newest(self) -> int:
        """Return the id up to which revocations have been read; ask before reading a session."""
        if self._newest is None:
            await self._start()
        return self._newest  # type: ignore[return-value]

    async def _start(self) -> None:
        found = await self._games.run_in_db_thread(revoked_sessions.newest)
        if self._newest is None:
            self._newest = found

    async def follow(self) -> None:
        """Close the sockets whose sessions have ended since the last call."""
        since = await self.newest()
        for row in await self._games.run_in_db_thread(revoked_sessions.newer, since):
            self._recent.append(row)
            self._newest = row.id
            revoke(row.ends)

    def has_ended(self, permit: SocketSession) -> bool:
        """Return whether a permission was revoked before `follow` could see its socket.

        One that is older than all rows kept here counts as revoked: the page reconnects.
        """
        recent = self._recent
        if len(recent) == MAX_REVOCATIONS and permit.since < recent[0].id - 1:
            return True
        return any(row.ends(permit) for row in recent)

    def now(self, queue: OpenSocket) -> SocketSession:
        """Return the permission of an open socket, brought up to the newest revocation read."""
        if self._newest is not None and queue.permit.since < self._newest and not queue.is_over:
            queue.permit = replace(queue.permit, since=self._newest)
        return queue.permit
