"""Record when hosts were in their lobbies; unlist and close the lobbies of absent hosts.

Every few seconds each process writes which hosts have a page open here, so that any process, also
one started later, can tell how long a host has been away. When a host closes the last page of a
lobby with a running clock, it is taken off the public list within seconds.
"""

from collections.abc import Collection

from lobby.lobbies.transactions import close
from lobby.models import Lobby
from play.domain.abandonment import AWAY_LIVE_MS, LEFT_AFTER_MS, SEEN_LIVE_MS
from play.domain.clocks import now
from play.runtime.notify import publish
from play.runtime.presence import named_users
from play.runtime.runtime import WebRuntime
from play.time_controls import RUNNING

WRITE_INTERVAL_S = 10.0
CLOSE_INTERVAL_S = 20.0
UNLIST_INTERVAL_S = 2.0
started = now()  # epoch ms; presence was not recorded before


async def write_presence(runtime: WebRuntime) -> None:
    """Writes the presence of hosts that have a page open in this process."""
    here = runtime.presence.users("lobby")
    if here:
        await runtime.games.write_housekeeping(note_seen, here)


def note_seen(here: Collection[tuple[str, int]]) -> None:
    """Writes that users are present in lobbies; only hosts are written."""
    hosts = Lobby.objects.open().filter(code__in={code for code, _ in here})
    rows = hosts.values_list("code", "host_id", "host_seen")
    present = {code: seen for code, host, seen in rows if (code, host) in here}
    if present:
        at = now()
        Lobby.objects.open().filter(code__in=present).update(host_seen=at)
        if min(present.values()) <= at - SEEN_LIVE_MS:
            publish(("lists", ""))  # one is listed again


async def unlist_departed(runtime: WebRuntime) -> None:
    """Unlists the lobbies whose hosts closed their pages some seconds ago."""
    departed = runtime.presence.take_departed("lobby", LEFT_AFTER_MS)
    gone = {
        (code, user)
        for code, user in departed
        if user not in named_users(runtime.presence.everywhere(("lobby", code)))
    }
    if gone:
        await runtime.games.run_in_db_thread(note_left, gone)


def note_left(users: Collection[tuple[str, int]]) -> None:
    """Writes that hosts have left lobbies with a running clock, which are no longer listed then."""
    gone = now() - SEEN_LIVE_MS
    codes = {code for code, _ in users}
    live = Lobby.objects.open().filter(code__in=codes, clock_kind__in=RUNNING, host_seen__gt=gone)
    rows = live.values_list("code", "host_id")
    left = [code for code, host in rows if (code, host) in users]
    if Lobby.objects.open().filter(code__in=left).update(host_seen=gone):
        publish(("lists", ""))


async def close_abandoned_lobbies(runtime: WebRuntime) -> None:
    """Closes the lobbies whose hosts have been away for too long."""
    await runtime.games.run_in_db_thread(close_abandoned, now())


def close_abandoned(at: int) -> int:
    """Closes the lobbies whose hosts are absent at `at` (epoch ms); returns how many.

    Time without a running server does not count as absence, so nothing is closed in a server's
    first minutes.
    """
    if at - started < AWAY_LIVE_MS:
        return 0
    lobbies = Lobby.objects.abandoned(at).with_people()[:200]
    return sum(close(lobby, Lobby.Why.AWAY) for lobby in lobbies)
