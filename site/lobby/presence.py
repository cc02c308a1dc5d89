"""Who is in which lobby, and what becomes of lobbies whose hosts are gone.

Each process knows the pages that it holds. It writes down every few seconds which hosts are there,
so that any process, and one started later, knows how long a host has been away.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from accounts.models import User
from lobby.models import AWAY_LIVE, Lobby
from lobby.turnstile import close
from play.clocks import now
from play.desk import desk

WRITE_EVERY = 10.0  # seconds
CLOSE_EVERY = 20.0  # seconds
pages: Counter[tuple[str, int]] = Counter()  # open pages of this process, by lobby and user
names: dict[int, str] = {}  # of users with such a page, as they were when it was opened
elsewhere: dict[int, str] = {}  # of users with pages of other processes; empty: there is none
MOST_ELSEWHERE = 5_000
started = now()  # ms; hosts could not be seen while no server was there


@contextmanager
def present(code: str, user: int | None, name: str) -> Iterator[None]:
    """Counts a page of a user as open for as long as the block runs; a stranger is no host."""
    if user is None:
        yield
        return
    pages[code, user] += 1
    names[user] = name
    try:
        yield
    finally:
        pages[code, user] -= 1
        if not pages[code, user]:
            del pages[code, user]
            if not any(other == user for _, other in pages):
                names.pop(user, None)


def learn_names(users: set[int]) -> None:
    """Reads the names of users whose pages other processes hold."""
    if len(elsewhere) + len(users) > MOST_ELSEWHERE:
        elsewhere.clear()
    found = dict(User.objects.filter(pk__in=users).values_list("pk", "username"))
    elsewhere.update({user: found.get(user, "") for user in users})


async def write_down() -> None:
    """Writes that the hosts who have a page open here are there."""
    if pages:
        await desk().read(saw, list(pages))


def saw(here: list[tuple[str, int]]) -> None:
    """Notes that users are in lobbies; that matters, and is written, for hosts only."""
    hosts = Lobby.objects.open().filter(code__in={code for code, _ in here})
    known = set(here)
    codes = [code for code, host in hosts.values_list("code", "host_id") if (code, host) in known]
    if codes:
        Lobby.objects.open().filter(code__in=codes).update(host_seen=now())


async def close_forsaken() -> None:
    """Closes the lobbies whose hosts have been away for too long."""
    await desk().read(closed_forsaken, now())


def closed_forsaken(at: int) -> int:
    """Closes the lobbies whose hosts are gone at `at` (ms); how many. Nobody counts as away while
    no server was there: so nothing closes in a server's first minutes."""
    if at - started < AWAY_LIVE:
        return 0
    lobbies = Lobby.objects.forsaken(at).with_people()[:200]
    return sum(close(lobby, Lobby.Why.AWAY) for lobby in lobbies)
