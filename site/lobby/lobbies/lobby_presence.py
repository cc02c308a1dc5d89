"""Presence of users in lobbies, and closing of lobbies with absent hosts.

Each process counts its own open pages. Every few seconds it writes which hosts are present, so that
any process, also one started later, can tell how long a host has been away. When a host closes the
last page of a lobby with a running clock, it is taken off the public list within seconds.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from accounts.models import User
from lobby.lobbies.transactions import close
from lobby.models import Lobby
from play.domain.abandonment import AWAY_LIVE_MS, LEFT_AFTER_MS, SEEN_LIVE_MS
from play.domain.clocks import now
from play.runtime.notify import publish
from play.runtime.runtime import Runtime
from play.time_controls import RUNNING

WRITE_INTERVAL_S = 10.0
CLOSE_INTERVAL_S = 20.0
UNLIST_INTERVAL_S = 2.0
pages: Counter[tuple[str, int]] = Counter()  # open pages of this process, by lobby and user
names: dict[int, str] = {}  # of those users, read when the page was opened
elsewhere: dict[int, str] = {}  # names of users with pages in other processes; "": deleted
MAX_REMOTE_NAMES = 5_000
departed: dict[tuple[str, int], int] = {}  # when users closed their last page here, epoch ms
started = now()  # epoch ms; presence was not recorded before


@contextmanager
def present_users(code: str, user: int | None, name: str) -> Iterator[None]:
    """Counts a user's page as open while the block runs; strangers are not counted."""
    if user is None:
        yield
        return
    pages[code, user] += 1
    departed.pop((code, user), None)
    names[user] = name
    try:
        yield
    finally:
        pages[code, user] -= 1
        if not pages[code, user]:
            del pages[code, user]
            departed[code, user] = now()
            if not any(other == user for _, other in pages):
                names.pop(user, None)


def learn_names(users: set[int]) -> None:
    """Reads the names of users whose pages are held by other processes."""
    if len(elsewhere) + len(users) > MAX_REMOTE_NAMES:
        elsewhere.clear()
    found = dict(User.objects.filter(pk__in=users).values_list("pk", "username"))
    elsewhere.update({user: found.get(user, "") for user in users})


async def write_presence(runtime: Runtime) -> None:
    """Writes the presence of hosts that have a page open in this process."""
    if pages:
        await runtime.games.write_housekeeping(note_seen, list(pages))


def note_seen(here: list[tuple[str, int]]) -> None:
    """Writes that users are present in lobbies; only hosts are written."""
    hosts = Lobby.objects.open().filter(code__in={code for code, _ in here})
    known = set(here)
    rows = hosts.values_list("code", "host_id", "host_seen")
    present = {code: seen for code, host, seen in rows if (code, host) in known}
    if present:
        at = now()
        Lobby.objects.open().filter(code__in=present).update(host_seen=at)
        if min(present.values()) <= at - SEEN_LIVE_MS:
            publish(("lists", ""))  # one is listed again


async def unlist_departed(runtime: Runtime) -> None:
    """Unlists the lobbies whose hosts closed their pages some seconds ago.

    Not at once: a page that is reloaded is closed for a moment.
    """
    gone = {who for who, at in departed.items() if now() - at >= LEFT_AFTER_MS}
    if gone:
        await runtime.games.run_in_db_thread(note_left, gone)
    for who in gone:
        departed.pop(who, None)


def note_left(users: set[tuple[str, int]]) -> None:
    """Writes that hosts have left lobbies with a running clock, which are no longer listed then.

    Another process that has a page of such a host writes the presence again within seconds.
    """
    gone = now() - SEEN_LIVE_MS
    codes = {code for code, _ in users}
    live = Lobby.objects.open().filter(code__in=codes, clock_kind__in=RUNNING, host_seen__gt=gone)
    rows = live.values_list("code", "host_id")
    left = [code for code, host in rows if (code, host) in users and not pages[code, host]]
    if Lobby.objects.open().filter(code__in=left).update(host_seen=gone):
        publish(("lists", ""))


async def close_abandoned_lobbies(runtime: Runtime) -> None:
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
