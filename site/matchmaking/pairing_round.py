"""Expire searches and pair searchers: one round, by the process that holds the lease.

Nothing here runs in the event loop, and nothing runs while nobody searches.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from accounts.blocks import blocked_pairs
from games.rating.pools import Pool, Speed
from lobby.models import Lobby
from matchmaking.models import RefusedPair, Search
from matchmaking.pairing import Match, Pair, Searcher, Terms, pair_searchers
from matchmaking.rating_fit import RatingFit
from matchmaking.search_service import (
    ANSWER_MS,
    LOOKING,
    STALE_MS,
    START_MS,
    ask_pair,
    end,
    is_offered,
    refuse_pair,
    swap,
)
from play.domain.clocks import now
from play.models import Seat
from play.storage import leases
from play.time_controls import RUNNING
from ratings.fair_play.rated_pairs import why_casual
from ratings.shown_ratings import read_ratings

LEASE = "pairing"
LEASE_MS = 3_000  # after which another process may pair searchers
BUSY_ANSWER_MS = 10_000  # for the answer of a person who plays the computer meanwhile
MAX_SEARCHERS = 200  # paired in one round, the longest waiting first
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
    """The searches of the last round if it paired nobody; another need not try them at once."""

    searches: frozenset[tuple[int, int]] = frozenset()  # id and rev
    at: int = 0  # epoch ms


def run_round(process: str, fruitless: Fruitless | None = None) -> bool:
    """Expire and pair if this process gets or holds the lease; return whether it does."""
    at = now()
    if not leases.take(LEASE, process, at, LEASE_MS):
        return False
    expire(list(Search.objects.active().select_related("lobby")), at)
    pair(at, fruitless)
    return True


def delete_old(at: int) -> None:
    """Delete searches that ended long ago, and refused pairs that may meet again."""
    Search.objects.filter(changed__lt=at - KEPT_MS).exclude(
        state__in=(State.LOOKING, State.ASKED), seen__gt=at - STALE_MS
    ).delete()
    RefusedPair.objects.filter(until__lt=at).delete()


def expire(searches: Sequence[Search], at: int) -> None:
    """End the searches that no page follows, those whose page has not answered in time.

    Also those of hosts whose lobby is no longer open.
    """
    for search in searches:
        if search.state == State.ASKED and (search.deadline or 0) <= at:
            _expire_asked(search)
        elif search.state == State.LOOKING and _is_lobby_gone(search):
            end(search, Why.STOPPED)
        elif at > (search.created + START_MS if search.seen is None else search.seen + STALE_MS):
            end(search, Why.LEFT)


def _is_lobby_gone(search: Search) -> bool:
    return search.lobby is not None and search.lobby.status != Lobby.Status.OPEN


def _expire_asked(search: Search) -> None:
    """End a search that did not answer; one that did goes on, even if its partner is gone."""
    if not search.is_answered:
        end(search, Why.NO_ANSWER)
    elif not Search.objects.filter(
        user=search.partner_id, partner=search.user_id, state=State.ASKED
    ).exists():
        swap(search, **LOOKING)  # the partner's row was deleted with its user


def pair(at: int, fruitless: Fruitless | None = None) -> list[Match]:
    """Pair those who look for an opponent, and ask both of each pair; return the pairs asked.

    While the searches are those of `fruitless`, they are tried every `RETRY_MS`: by then a block or
    a refusal may have ended. It is kept up to date here.
    """
    rows = list(_searching(at))
    fruitless = fruitless or Fruitless()
    searches = frozenset((row.pk, row.rev) for row in rows)
    if searches == fruitless.searches and at < fruitless.at + RETRY_MS:
        return []
    matches = _match(rows, at)
    fruitless.searches, fruitless.at = frozenset() if matches else searches, at
    return matches


def _match(rows: Sequence[Search], at: int) -> list[Match]:
    looking = {row.user_id: row for row in rows}
    playing = _users_playing(looking)
    for user in playing:
        end(looking.pop(user), Why.PLAYING)
    if len(looking) < 2:
        return []
    searchers = [_searcher(row, at) for row in looking.values()]
    matches = pair_searchers(searchers, forbidden_pairs(looking, at), _rating_fit(searchers, at))
    return [match for match in matches if _ask(looking[match.one], looking[match.two], match, at)]


def _searching(at: int) -> Iterable[Search]:
    rows = Search.objects.looking().filter(seen__gte=at - STALE_MS)
    return rows.select_related("lobby").order_by("created", "pk")[:MAX_SEARCHERS]


def _searcher(row: Search, at: int) -> Searcher:
    choices = tuple(
        Terms(key, clock, is_rated)
        for is_rated in _is_rated(row)
        for key, clock in row.choices
        if is_offered(key, clock)
    )
    return Searcher(row.user_id, choices, max(0, at - row.created))


def _is_rated(row: Search) -> Sequence[bool]:
    """Return whether the games of a search are rated; if it takes either, rated ones first."""
    return (row.lobby.is_rated,) if row.lobby else IS_RATED[row.rated]


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


def _users_playing(users: Sequence[int] | dict[int, Search]) -> list[int]:
    """Return the users among the given ones who play a game with a running clock."""
    seats = Seat.objects.running().filter(user__in=list(users), game__clock_kind__in=RUNNING)
    return list(seats.values_list("user", flat=True).distinct())


def forbidden_pairs(users: Sequence[int] | dict[int, Search], at: int) -> set[Pair]:
    """Return the pairs of users who block each other, or whose last pairing just failed."""
    ids = list(users)
    refused = RefusedPair.objects.filter(until__gt=at, one__in=ids, two__in=ids)
    return blocked_pairs(ids) | {frozenset(pair) for pair in refused.values_list("one", "two")}


def _ask(one: Search, two: Search, match: Match, at: int) -> bool:
    """Ask both pages of a pair; return whether neither search had changed.

    People who may play no rated game together are not asked for one.
    """
    if match.choice.is_rated and why_casual(match.one, match.two, at):
        refuse_pair(match.one, match.two)
        return False
    wait = BUSY_ANSWER_MS if one.is_busy or two.is_busy else ANSWER_MS
    return ask_pair(one, two, match.choice, at + wait)
