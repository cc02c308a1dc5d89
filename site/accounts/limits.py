"""Rate limits by user and by address, with counts in the cache.

The counts lie in the cache, which all processes share where there are several. What lies there is
worth little, so a cache that fails lets everybody in: play goes on.

A school class sits behind one address. So each number for an address is that of thirty people who
are busy, and stops only what no thirty people do; this machine itself is not counted at all.
"""

import logging
import time
from dataclasses import dataclass

from django.core.cache import cache
from django.utils.crypto import salted_hmac

WINDOW = 600  # seconds; counts begin anew with each
log = logging.getLogger("quiver.accounts")


@dataclass(frozen=True, slots=True)
class Limit:
    """What may be done so many times within ten minutes."""

    name: str
    by_user: int
    by_address: int


GUESTS = Limit("guests", 10, 120)  # four classes arrive, one after the other
NAMES = Limit("names", 20, 300)
LOBBIES = Limit("lobbies", 20, 300)  # a user has five open at most
SEATS = Limit("seats", 120, 1_800)  # and all else that is pressed in a lobby
COMPUTER = Limit("computer", 30, 300)  # each game costs the time of a processor
TALK = Limit("talk", 300, 2_400)  # a user's own bucket gives 155
TRIES = Limit("tries", 300, 3_000)  # goes tried on the pages to learn
READS = Limit("reads", 300, 3_000)  # whole records: every turn is played again
PAGES = Limit("pages", 300, 3_000)  # of games: the same, and people come back to them more often
VIEWS = Limit("views", 600, 6_000)  # of other pages with lists
PICTURES = Limit("pictures", 60, 600)  # drawing one takes about 0.1 s
EXPORTS = Limit("exports", 3, 60)
DEPARTURES = Limit("departures", 10, 60)
MAILS = Limit("mails", 20, 120)  # sent to whichever address somebody has typed in
MAILS_A_DAY = 15  # of one kind to one person; a reset sends up to `backends.MOST`
DAY_S = 24 * 3600
COUNTS_FAILED = "the counts of the limits cannot be reached: nothing is limited"


class TooOften(Exception):
    """Nothing was done: it has been done too often. `wait`: seconds until the counts begin anew."""

    def __init__(self, wait: int) -> None:
        super().__init__(wait)
        self.wait = wait


def spend(limit: Limit, user: int | None, address: str) -> None:
    """Counts one more of what a limit bounds. Raises TooOften; that is counted as well."""
    number, passed = divmod(int(time.time()), WINDOW)
    bounds = {f"user:{user}": limit.by_user} if user is not None else {}
    if address:
        bounds[f"address:{address}"] = limit.by_address
    for who, most in bounds.items():
        if count(f"limit:{limit.name}:{number}:{who}", WINDOW) > most:
            raise TooOften(WINDOW - passed)


def count_mail(kind: str, email: str) -> bool:
    """Count one more mail of a kind to a person; return whether it may be sent.

    The day begins at midnight UTC. Letter case and what follows a `+` make no other person. Only a
    keyed hash of the address is kept.
    """
    local, _, domain = email.lower().rpartition("@")
    person = f"{local.partition('+')[0]}@{domain}"
    who = salted_hmac("accounts.limits.mails", person, algorithm="sha256").hexdigest()
    return count(f"mails:{kind}:{int(time.time()) // DAY_S}:{who}", DAY_S) <= MAILS_A_DAY


def count(key: str, seconds: int) -> int:
    """Count one more under a key; return how many that makes. The count is forgotten `seconds`
    after its first; what is counted later does not prolong it."""
    try:
        cache.add(key, 0, seconds)
        number = cache.incr(key)
        if number == 1:
            cache.touch(key, seconds)  # an increment in the moment of expiry would stay for ever
        return number
    except ValueError:  # the cache was full, and threw out what had just been put in
        return 1
    except Exception:
        log.exception(COUNTS_FAILED)
        return 1


def take_back(key: str) -> None:
    """Count one less under a key, unless its count is forgotten already."""
    try:
        if cache.decr(key) < 0:
            cache.delete(key)
    except ValueError:  # forgotten
        return
    except Exception:
        log.exception(COUNTS_FAILED)


def read_count(key: str) -> int:
    """Return how many were counted under a key."""
    try:
        return int(cache.get(key, 0))
    except Exception:
        log.exception(COUNTS_FAILED)
        return 0


def forget_counts(keys: list[str]) -> None:
    """Forget what was counted under some keys."""
    try:
        cache.delete_many(keys)
    except Exception:
        log.exception(COUNTS_FAILED)
