"""Expire searches and pair searchers: one round, by the process that holds the lease.

Nothing here runs in the event loop, and nothing runs while nobody searches.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q

from accounts.people.blocks import blocked_pairs
from games.rating.pools import Pool, Speed
from lobby.models import Lobby
from lobby.pairing.models import RefusedPair, Search
from lobby.pairing.pairing import Match, Pair, Searcher, Terms, pair_searchers
from lobby.pairing.rating_fit import RatingFit
from lobby.pairing.search_service import (
    ANSWER_MS,
    LOOKING,
    STALE_MS,
    START_MS,
    ask,
    end,
    is_offered,
    refuse_pair,
    swap,
)
from play.domain.clocks import now
from play.models import Seat
from play.storage import leases
from play.time_controls import RUNNING, clock_value
from ratings.fair_play.rated_pairs import why_casual
from ratings.shown_ratings import read_ratings

LEASE = "pairing"
LEASE_MS = 3_000  # after which another process may pair searchers
BUSY_ANSWER_MS = 10_000  # for the answer of a person who plays the computer meanwhile
MAX_SEARCHERS = 200  # paired in one round, the longest waiting first; as many hosts
RETRY_MS = 5_000  # between two tries of the same searches
KEPT_MS = 60 * 60_000  # for which a search that has ended is kept
State, Why = Search.State, Search.Why
IS_RATED: Mapping[str, Sequence[bool]] = {  # of the games that a search may lead to
    Search.Rated.NO: (False,),
    Search.Rated.YES: (True,),
    Search.Rated.EITHER: (True, False),
}


@dataclass
class Fruitless:
    """Searches and lobbies of the last round if it paired nobody.

    Another round need not try them at once.
    """

    tried: frozenset[tuple[type, int, int]] = frozenset()  # model, id and rev
    at: int = 0  # epoch ms


def run_round(process: str, fruitless: Fruitless | None = None) -> bool:
    """Expire and pair if this process gets or holds the lease; return whether it does."""
    at = now()
    if not leases.take(LEASE, process, at, LEASE_MS):
        return False
    expire(list(Search.objects.active()), at)
    pair(at, fruitless)
    return True


def delete_old(at: int) -> None:
    """Delete searches that ended long ago, and refused pairs that may meet again."""
    Search.objects.filter(changed__lt=at - KEPT_MS).exclude(
        state__in=(State.LOOKING, State.ASKED), seen__gt=at - STALE_MS
    ).delete()
    RefusedPair.objects.filter(until__lt=at).delete()


def expire(searches: Sequence[Search], at: int) -> None:
    """End the searches that no page follows, and those whose page has not answered in time."""
    for search in searches:
        if search.state == State.ASKED and (search.deadline or 0) <= at:
            _expire_asked(search)
        elif at > (search.created + START_MS if search.seen is None else search.seen + STALE_MS):
            end(search, Why.LEFT)


def _expire_asked(search: Search) -> None:
    """End a search that did not answer; one that did goes on, even if its partner is gone."""
    if not search.is_answered:
        end(search, Why.NO_ANSWER)
    elif not Search.objects.filter(
        user=search.partner_id, partner=search.user_id, state=State.ASKED
    ).exists():
        swap(search, **LOOKING)  # the partner's row was deleted with its user


def pair(at: int, fruitless: Fruitless | None = None) -> list[Match]:
    """Pair those who look for an opponent with each other and with hosts who wait in a lobby.

    Ask the pages of their searches, and return the pairs asked. While searches and lobbies are
    those of `fruitless`, they are tried every `RETRY_MS`: by then a block or a refusal may have
    ended. It is kept up to date here.
    """
    rows = list(_searching(at))
    lobbies = list(_waiting_lobbies(at)) if rows else []
    fruitless = fruitless or Fruitless()
    found: list[Search | Lobby] = [*rows, *lobbies]
    tried = frozenset((type(each), each.pk, each.rev) for each in found)
    if tried == fruitless.tried and at < fruitless.at + RETRY_MS:
        return []
    matches = _match(rows, lobbies, at)
    fruitless.tried, fruitless.at = frozenset() if matches else tried, at
    return matches


def _match(rows: Sequence[Search], lobbies: Sequence[Lobby], at: int) -> list[Match]:
    looking = {row.user_id: row for row in rows}
    hosts: dict[int, list[Lobby]] = {}
    for lobby in lobbies:
        hosts.setdefault(lobby.host_id, []).append(lobby)
    for user in _users_playing([*looking, *hosts]):
        if user in looking:
            end(looking.pop(user), Why.PLAYING)
        hosts.pop(user, None)
    if not looking or len(looking) + len(hosts) < 2:
        return []
    searchers = [_searcher(row, at) for row in looking.values()]
    searchers += [_host(user, each, at) for user, each in hosts.items()]
    forbidden = forbidden_pairs([*looking, *hosts], at)
    matches = pair_searchers(searchers, forbidden, _rating_fit(searchers, at))
    return [match for match in matches if _ask(match, looking, at)]


def _searching(at: int) -> Iterable[Search]:
    rows = Search.objects.looking().filter(seen__gte=at - STALE_MS)
    return rows.order_by("created", "pk")[:MAX_SEARCHERS]


def _waiting_lobbies(at: int) -> Iterable[Lobby]:
    """Return lobbies of waiting hosts who search nowhere else, and about whom nobody is asked."""
    active = Search.objects.active()
    busy = Q(host__in=active.values("user"))
    busy |= Q(host__in=active.filter(partner__isnull=False).values("partner"))
    return Lobby.objects.with_waiting_hosts(at).exclude(busy)[:MAX_SEARCHERS]


def _searcher(row: Search, at: int) -> Searcher:
    """Return a user who searches; if the games may be rated or not, rated ones come first."""
    choices = tuple(
        Terms(key, clock, is_rated)
        for is_rated in IS_RATED[row.rated]
        for key, clock in row.choices
        if is_offered(key, clock)
    )
    return Searcher(row.user_id, choices, max(0, at - row.created))


def _host(user: int, lobbies: Sequence[Lobby], at: int) -> Searcher:
    """Return a host who waits in lobbies, the oldest first."""
    choices = tuple(
        Terms(lobby.rules, clock_value(lobby.clock), lobby.is_rated) for lobby in lobbies
    )
    return Searcher(user, choices, max(0, at - lobbies[0].created), is_host=True)


def _rating_fit(searchers: Sequence[Searcher], at: int) -> RatingFit:
    """Read the ratings of searchers in the live pools of the games that they choose."""
    ratings = read_ratings((each.user for each in searchers), at)
    return RatingFit(
        {
            each.user: {
                rules: ratings.numbers(each.user, Pool(rules, Speed.LIVE))
                for rules in {terms.rules for terms in each.choices}
            }
            for each in searchers
        }
    )


def _users_playing(users: Collection[int]) -> list[int]:
    """Return the users among the given ones who play a game with a running clock."""
    seats = Seat.objects.running().filter(user__in=users, game__clock_kind__in=RUNNING)
    return list(seats.values_list("user", flat=True).distinct())


def forbidden_pairs(users: Collection[int], at: int) -> set[Pair]:
    """Return the pairs of users who block each other, or whose last pairing just failed."""
    refused = RefusedPair.objects.filter(until__gt=at, one__in=users, two__in=users)
    return blocked_pairs(users) | {frozenset(pair) for pair in refused.values_list("one", "two")}


def _ask(match: Match, looking: Mapping[int, Search], at: int) -> bool:
    """Ask the pages of a pair, but not that of a host; return whether no search had changed.

    People who may play no rated game together are not asked for one.
    """
    if match.choice.is_rated and why_casual(match.one, match.two, at):
        refuse_pair(match.one, match.two)
        return False
    searches = [looking[user] for user in (match.one, match.two) if user in looking]
    is_busy = any(search.is_busy for search in searches)
    return ask(match, searches, at + (BUSY_ANSWER_MS if is_busy else ANSWER_MS))
