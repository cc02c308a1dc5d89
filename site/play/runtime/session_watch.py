"""Find the sessions of sockets, and close sockets whose session has ended in any process.

The process that ends a session closes the session's sockets before its response is sent. Every
other process reads new revocations twice a second, and before a page joins a topic. So a page of
another process may act for half a second more, as if its action had come before the log-out. The
newest revocation is read before a session, so that a socket that opens meanwhile is closed too.
"""

import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone

from accounts.login.socket_users import NOBODY, SocketUser, read_socket_users
from play.domain.socket_session import Revoked, SocketSession
from play.runtime.game_service import GameService
from play.runtime.open_sockets import revoke
from play.storage import revoked_sessions
from play.storage.batched_reads import BatchedReads

POLL_INTERVAL_S = 0.5
MAX_REVOCATIONS = 1_000  # newest rows kept in memory
MAX_SESSION_AGE_S = 5.0  # for which a session that was read serves further sockets
MAX_SESSIONS = 10_000  # kept at a time


class SessionWatch:
    """The revocations that one process has read."""

    def __init__(self, games: GameService) -> None:
        self._games = games
        self._newest: int | None = None  # id; all sockets here were compared with rows up to it
        self._recent: deque[Revoked] = deque(maxlen=MAX_REVOCATIONS)
        self._reads: BatchedReads[None, None] = BatchedReads(self._follow)

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
        """Close the sockets whose sessions have ended since the last call.

        Every revocation that was committed before the call is known when it returns. Callers that
        wait at the same time share one read.
        """
        await self._reads.get(None)

    async def _follow(self, keys: Sequence[None]) -> dict[None, None]:
        since = await self.newest()
        for row in await self._games.run_in_db_thread(revoked_sessions.newer, since):
            self._recent.append(row)
            self._newest = row.id
            revoke(row.ends)
        return {}

    def has_ended(self, permit: SocketSession) -> bool:
        """Return whether a permission was revoked before `follow` could see its socket.

        One that is older than all rows kept here counts as revoked: the page reconnects.
        """
        recent = self._recent
        if len(recent) == MAX_REVOCATIONS and permit.since < recent[0].id - 1:
            return True
        for row in reversed(recent):
            if row.id <= permit.since:
                return False
            if row.ends(permit):
                return True
        return False


@dataclass(frozen=True, slots=True)
class KeptSession:
    """A session that was read for a socket."""

    found: SocketUser
    since: int  # id of the newest revocation that was read before it
    until: float  # loop time


class SessionUsers:
    """The sessions that one process has lately read for sockets.

    Sockets that wait at the same time share a read, and further sockets of a session reuse a read
    of the last seconds. A socket whose session was revoked before it asked gets none: newer
    revocations are read first. Only sessions of users are kept, so that invented keys take no room.
    """

    def __init__(self, games: GameService, watch: SessionWatch) -> None:
        self._games = games
        self._watch = watch
        self._kept: dict[str, KeptSession] = {}  # by digest, the oldest first
        self._reads: BatchedReads[str, KeptSession] = BatchedReads(self._read_many)

    async def find(self, digest: str) -> tuple[SocketUser, int]:
        """Return the user of a session, and the id of the newest revocation considered."""
        kept = self._kept.get(digest)
        if kept is not None and asyncio.get_running_loop().time() < kept.until:
            await self._watch.follow()
            permit = SocketSession(kept.found.digest, kept.found.user.pk, kept.since)
            if not self._watch.has_ended(permit):
                return kept.found, kept.since
            self._kept.pop(digest, None)
        read = await self._reads.get(digest)
        if read is None:
            return NOBODY, await self._watch.newest()
        return read.found, read.since

    async def _read_many(self, digests: Sequence[str]) -> dict[str, KeptSession]:
        since = await self._watch.newest()
        found = await self._games.run_in_db_thread(read_socket_users, digests)
        at = asyncio.get_running_loop().time()
        read = {digest: _keep(each, since, at) for digest, each in found.items()}
        for digest, each in read.items():
            self._kept.pop(digest, None)
            if each.found.user.pk is not None:
                self._kept[digest] = each
        self._drop_old(at)
        return read

    def _drop_old(self, at: float) -> None:
        """Drop the oldest sessions and those over the limit; expired ones may stay for a while."""
        for digest in list(self._kept):
            if len(self._kept) <= MAX_SESSIONS and at < self._kept[digest].until:
                return
            del self._kept[digest]


def _keep(found: SocketUser, since: int, at: float) -> KeptSession:
    """Keep a session for further sockets, until it is too old or expires; return it."""
    left_s = MAX_SESSION_AGE_S
    if found.expires is not None:
        left_s = min(left_s, (found.expires - timezone.now()).total_seconds())
    return KeptSession(found, since, at + left_s)
