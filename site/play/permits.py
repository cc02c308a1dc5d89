"""Sockets lose their right to write when their session ends, in whichever process that happens.

A socket notes the newest revocation before its session is looked up. Each process reads the newer
ones twice a second and closes its sockets; and who writes for a socket looks for those that came
after, in the transaction of the write.
"""

from collections import deque
from dataclasses import replace

from accounts import revocations
from play import revoked
from play.desk import desk
from play.mailbox import Mailbox, revoke
from play.perloop import per_loop
from play.permit import Permit, Revoked

EVERY = 0.5  # seconds between two readings
KEPT = 1_000  # of the newest rows


class Permits:
    """What one event loop has read of revocations."""

    def __init__(self) -> None:
        self._newest: int | None = None  # all sockets here have been compared with those up to it
        self._recent: deque[Revoked] = deque(maxlen=KEPT)

    async def newest(self) -> int:
        """The id up to which revocations have been read; to be asked before a session is."""
        if self._newest is None:
            await self._start()
        return self._newest  # type: ignore[return-value]

    async def _start(self) -> None:
        found = await desk().read(revoked.newest)
        if self._newest is None:
            self._newest = found

    async def follow(self) -> None:
        """Closes the sockets whose sessions have ended since the last time."""
        since = await self.newest()
        for row in await desk().read(revoked.newer, since):
            self._recent.append(row)
            self._newest = row.id
            revoke(row.ends)

    def has_ended(self, permit: Permit) -> bool:
        """Whether a permit was revoked before its socket was among those that `follow` sees.

        One that is older than everything kept here counts as revoked: the page comes back.
        """
        recent = self._recent
        if len(recent) == KEPT and permit.since < recent[0].id - 1:
            return True
        return any(row.ends(permit) for row in recent)

    def now(self, box: Mailbox) -> Permit:
        """The permit of an open socket, as it has been compared by now."""
        if self._newest is not None and box.permit.since < self._newest and not box.is_over:
            box.permit = replace(box.permit, since=self._newest)
        return box.permit


permits = per_loop(Permits)


async def follow() -> None:
    """The chore of every process with open pages."""
    await permits().follow()


async def forget_old() -> None:
    """The chore that keeps the table small."""
    await desk().read(revocations.forget_old)
