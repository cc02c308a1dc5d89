"""Rate limits by user and by address, with counts in the cache.

Every limit that is counted there is a `Rate`, whose name begins the key; a `Limit` is two of them.
Requests that cost CPU time alone have no limit of their own: `CPU_TIME` charges all requests.
Several processes share the cache. While the cache fails, nothing is limited, so that play goes on.
Not counted there: frames of a socket (token buckets in memory), chat (a bucket in the database),
log lines, and the requests that allauth limits itself.

A school class shares one address. So each number for an address allows for thirty busy people; this
machine itself is not counted.
"""

import logging
import time
from collections.abc import Iterator
from dataclasses import dataclass

from django.core.cache import cache
from django.utils.crypto import salted_hmac

from telemetry.counters import RATE_LIMITED

WINDOW_S = 600  # of a `Limit`; its counts restart with each window
HOUR_S = 3600
DAY_S = 24 * HOUR_S
UNBOUNDED_COUNT = 10**9  # for a rate that only counts
log = logging.getLogger("quiver.accounts")


def now_s() -> int:
    """Return the time by which aligned windows begin, in seconds since the epoch."""
    return int(time.time())


@dataclass(frozen=True, slots=True)
class Rate:
    """At most `most` within `window_s` seconds, counted apart for each person, address or name.

    A window begins with its first count, or, if the rate is aligned, at a multiple of its length
    since the epoch: that of a day at midnight UTC.
    """

    name: str
    most: int
    window_s: int
    is_aligned: bool = False

    def of(self, *who: object) -> "Quota":
        """Return the quota of a person, address or name in the present window."""
        window = (now_s() // self.window_s,) if self.is_aligned else ()
        return Quota(self, ":".join(map(str, (self.name, *window, *who))))


@dataclass(frozen=True, slots=True)
class Quota:
    """The quota of one person, address or name in a rate; `key` is that of its count."""

    rate: Rate
    key: str

    def add(self, amount: int = 1) -> int:
        """Count one more, or a positive amount; return the new count."""
        return count(self.key, self.rate.window_s, amount)

    def take(self) -> bool:
        """Count one more; return whether the rate allows it. A refused one is counted as well."""
        return self.add() <= self.rate.most

    def give_back(self) -> None:
        """Count one less."""
        take_back(self.key)

    def read_count(self) -> int:
        """Return how many were counted."""
        return read_count(self.key)

    def is_used_up(self) -> bool:
        """Return whether nothing more is allowed."""
        return self.read_count() >= self.rate.most


@dataclass(frozen=True, slots=True)
class Limit:
    """Two rates in windows of `WINDOW_S`, by user and by address."""

    name: str
    by_user: int
    by_address: int

    def quotas(self, user: int | None, address: str) -> Iterator[Quota]:
        """Yield the quota of the user, if there is one, and of the address, if it is counted."""
        name = f"limit:{self.name}"
        if user is not None:
            yield Rate(name, self.by_user, WINDOW_S, is_aligned=True).of("user", user)
        if address:
            yield Rate(name, self.by_address, WINDOW_S, is_aligned=True).of("address", address)


GUESTS = Limit("guests", 10, 120)  # four school classes arrive, one after the other
NAMES = Limit("names", 20, 300)
LOBBIES = Limit("lobbies", 20, 300)  # a user has five open at most
SEARCHES = Limit("searches", 60, 1_200)  # for an opponent
SEATS = Limit("seats", 120, 1_800)  # and all other actions in a lobby
COMPUTER = Limit("computer", 30, 300)  # each game costs CPU time
CHAT = Limit("chat", 300, 2_400)  # a user's own bucket gives 155
STUDIES = Limit("studies", 30, 150)  # new ones: all turns are played, up to 1 s of CPU time
STUDY_SAVES = Limit("study-saves", 600, 3_000)  # a page saves once in 2 s at most
READS = Limit("reads", 300, 3_000)  # whole records: every step is replayed
PAGES = Limit("pages", 300, 3_000)  # of games: the same, visited more often
VIEWS = Limit("views", 600, 6_000)  # of other pages with lists
POSTS = Limit("posts", 300, 3_000)  # all other forms
PEOPLE = Limit("people", 120, 1_200)  # searches of people: some read all names
RELATIONS = Limit("relations", 60, 600)  # follows and blocks
REVIEWS = Limit("reviews", 30, 300)  # published; each costs a worker up to 2 s
PICTURES = Limit("pictures", 60, 600)  # drawing one takes about 0.1 s
EXPORTS = Limit("exports", 3, 60)
DEVICES = Limit("devices", 40, 400)  # push subscriptions: added, removed, tested
DEPARTURES = Limit("departures", 10, 60)
MAILS = Limit("mails", 20, 120)  # to any address that a visitor types in
# Of one kind to one person: asked for from one network, or by one known device of the person, and
# from all networks together. Strangers on one network use up nothing of what its owner may ask for,
# those on many nothing of what a known device may.
MAX_MAILS_PER_HOUR = 5
MAX_MAILS_PER_HOUR_OF_ALL = 15
COUNTS_FAILED = "the counts of the limits cannot be reached: nothing is limited"


# CPU time of a network's requests, in ms: 5 % of a core. A page costs 2 to 30 ms.
CPU_TIME = Rate("limit:cpu", 30_000, WINDOW_S, is_aligned=True)


class TooOften(Exception):
    """A rate was exceeded, and nothing was done; `wait` is in seconds, until the next window."""

    def __init__(self, wait: int) -> None:
        super().__init__(wait)
        self.wait = wait


def spend(limit: Limit, user: int | None, address: str) -> None:
    """Count one more in a limit. Raises TooOften; a refused one is counted as well."""
    for quota in limit.quotas(user, address):
        if not quota.take():
            raise refusal_of(limit.name)


def refusal_of(name: str) -> TooOften:
    """Return the refusal until the next window of `WINDOW_S`, counted in the metrics."""
    RATE_LIMITED.labels(name).inc()
    return TooOften(WINDOW_S - now_s() % WINDOW_S)


def count_mail(kind: str, email: str, network: str, device: str) -> bool:
    """Count one more mail of a kind to a person; return whether it may be sent.

    `device` is the id of a known device of the person, or empty. A mail that the network may not
    ask for does not count in the total. Addresses that differ in letter case or after a `+` count
    as one person. Only a keyed hash of the address is stored.
    """
    local, _, domain = email.lower().rpartition("@")
    person = f"{local.partition('+')[0]}@{domain}"
    who = salted_hmac("accounts.rate_limits.mails", person, algorithm="sha256").hexdigest()
    own = Rate(f"mails:{kind}:own", MAX_MAILS_PER_HOUR, HOUR_S)
    if device:
        return own.of(who, "device", device).take()
    if network and not own.of(who, "network", network).take():
        return False
    return Rate(f"mails:{kind}", MAX_MAILS_PER_HOUR_OF_ALL, HOUR_S).of(who).take()


def count(key: str, seconds: int, amount: int = 1) -> int:
    """Add to the count of a key; return the count, which expires `seconds` after its first."""
    try:
        cache.add(key, 0, seconds)
        number = cache.incr(key, amount)
        if number == amount:
            cache.touch(key, seconds)  # an increment in the moment of expiry would stay for ever
        return number
    except ValueError:  # the cache was full, and evicted the new entry
        return amount
    except Exception:
        log.exception(COUNTS_FAILED, extra={"event": "rate_count_failed"})
        return amount


def take_back(key: str) -> None:
    """Count one less under a key, unless its count has expired."""
    try:
        if cache.decr(key) < 0:
            cache.delete(key)
    except ValueError:  # expired
        return
    except Exception:
        log.exception(COUNTS_FAILED, extra={"event": "rate_count_failed"})


def read_count(key: str) -> int:
    """Return the count of a key; 0 if it has none."""
    try:
        return int(cache.get(key, 0))
    except Exception:
        log.exception(COUNTS_FAILED, extra={"event": "rate_count_failed"})
        return 0


def forget_counts(keys: list[str]) -> None:
    """Delete the counts of some keys."""
    try:
        cache.delete_many(keys)
    except Exception:
        log.exception(COUNTS_FAILED, extra={"event": "rate_count_failed"})
