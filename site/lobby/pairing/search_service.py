"""Start, stop and answer searches; every change is a compare-and-swap on `rev`.

A pair becomes a game only when the pages of its searches have answered, so that nobody is paired
with a lost connection or a sleeping phone. A host who waits in a public lobby has no search and is
not asked: a game whose host makes no first turn is aborted. All functions raise
`Refused` if nothing can be done.
"""

import logging
from collections.abc import Sequence
from copy import copy
from typing import Any

from django.db import transaction
from django.db.models import F, Q

from accounts.models import User
from accounts.people.blocks import is_blocked
from accounts.refusals import Refused
from lobby.lobbies.lobby_checks import check_may_play
from lobby.lobbies.lobby_service import sit
from lobby.lobby_options import Options
from lobby.lobby_refusals import LobbyReason
from lobby.models import Lobby
from lobby.pairing.models import RefusedPair, Search
from lobby.pairing.pairing import Choice, Match
from lobby.pairing.play_now import check_no_shows, open_quick_game
from play.domain.clocks import now
from play.domain.game_refusals import Reason
from play.models import Game
from play.runtime.notify import publish
from play.storage.retry import retry
from play.time_controls import PRESETS, RUNNING, clock_of, clock_value

START_MS = 30_000  # in which a page has to follow a new search
STALE_MS = 6_000  # since a page was last known to follow a search: its process has died
RESUME_MS = 10 * 60_000  # in which a page that comes back takes its search up again
ANSWER_MS = 3_000  # in which both pages of a pair answer
REFUSED_MS = 60_000  # for which a pair that came to nothing is not paired again
JUST_FOUND_MS = 10_000  # in which a page that comes late is led to the game
MAX_CHOICES = 32
log = logging.getLogger("quiver.lobby")
State, Why = Search.State, Search.Why


def live_choices(keys: Sequence[str], paces: Sequence[int]) -> tuple[Choice, ...]:
    """Return the choices for rule sets and paces: a pace is the place among the running clocks."""
    clocks = {key: [clock for clock in PRESETS[key] if clock.kind in RUNNING] for key in keys}
    return tuple((key, clock_value(clocks[key][pace])) for pace in paces for key in keys)


def check_choices(choices: Sequence[Choice]) -> None:
    """Raise Refused unless all choices are rule sets on offer with one of their running clocks."""
    if not 0 < len(choices) <= MAX_CHOICES:
        raise Refused(LobbyReason.MALFORMED)
    for key, value in choices:
        if not is_offered(key, value):
            raise Refused(LobbyReason.MALFORMED)


def is_offered(key: str, value: str) -> bool:
    """Return whether a rule set is on offer with a clock that runs; `value` is its form value."""
    presets = [clock for clock in PRESETS.get(key, ()) if clock.kind in RUNNING]
    return value in map(clock_value, presets)


def running_game(user_id: int) -> Game | None:
    """Return the newest running game of a user whose clock requires presence, or None."""
    playing = Game.objects.played_by(user_id).filter(
        clock_kind__in=RUNNING, rules__in=list(PRESETS)
    )
    return playing.order_by("-created").first()


def start(user: User, choices: Sequence[Choice], is_rated: bool = False) -> Game | Search:
    """Start a user's search, or change its choices; return it, or the game that the user plays.

    A search that goes on keeps its place; while it waits for answers, nothing is changed. Raises
    Refused (malformed choices, too many missed games, rated and the user has no account).
    """
    check_choices(choices)
    check_may_search(user, choices, is_rated)
    if game := running_game(user.pk):
        return game
    check_no_shows(user)
    rated = Search.Rated.YES if is_rated else Search.Rated.NO
    return retry(_start, user, list(dict.fromkeys(choices)), rated)


def check_may_search(user: Any, choices: Sequence[Choice], is_rated: bool) -> None:
    """Raise Refused if a user may not play the games of a search; `choices` are on offer.

    `user` is None or Django's anonymous user for a stranger.
    """
    key, clock = choices[0]
    check_may_play(Options(key, clock_of(clock), "lot", True, True, is_rated), user)


def accept_casual(user_id: int) -> None:
    """Let the rated search of a user take casual games too; without one, nothing is done."""
    for _ in range(3):  # a search that changes meanwhile is read again
        search = Search.objects.active().filter(user=user_id, rated=Search.Rated.YES).first()
        if search is None or swap(search, rated=Search.Rated.EITHER):
            return
    raise Refused(LobbyReason.BUSY)


def _start(user: User, choices: list[Choice], rated: str) -> Search:
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)  # serialises clicks
        search = Search.objects.filter(user=user).first()
        if search is None:
            made = Search.objects.create(user=user, choices=choices, rated=rated)
            announce(made)
            return made
        if is_followed(search):
            if search.state == State.ASKED:
                return search
            return _require(swap(search, choices=choices, rated=rated))
        return _require(swap(search, choices=choices, rated=rated, created=now(), **FRESH))


FRESH: dict[str, Any] = {
    "state": State.LOOKING,
    "why": "",
    "seen": None,
    "is_busy": False,
    "partner": None,
    "rules": "",
    "clock": "",
    "is_rated": False,
    "deadline": None,
    "is_answered": False,
    "tab": "",
    "game": None,
}
ASKED = ("state", "partner", "rules", "clock", "is_rated", "deadline", "tab", "is_answered")
LOOKING = {key: FRESH[key] for key in ASKED}


def is_followed(search: Search, at: int | None = None) -> bool:
    """Return whether a search is active and a page follows it, or may still come to follow it."""
    at = now() if at is None else at
    if not search.is_active:
        return False
    return at - search.seen <= STALE_MS if search.seen else at - search.created <= START_MS


def active_search(user_id: int | None) -> Search | None:
    """Return the search of a user that goes on, or None."""
    search = Search.objects.active().filter(user=user_id).first() if user_id else None
    return search if search and is_followed(search) else None


def game_just_found(user_id: int | None) -> Game | None:
    """Return the game that a user's search has opened a moment ago, before a page showed it."""
    if user_id is None:
        return None
    rows = Search.objects.filter(
        user=user_id, state=State.PAIRED, changed__gt=now() - JUST_FOUND_MS
    )
    search = rows.select_related("game").first()
    return search.game if search and search.game and search.game.ended is None else None


def stop(user_id: int) -> None:
    """Stop the search of a user; without one, nothing is done."""
    _end_own(user_id, Why.STOPPED)


def withdraw(user_id: int, closed_at: int) -> None:
    """End a search that no page has followed since `closed_at` (epoch ms)."""
    search = Search.objects.active().filter(user=user_id).first()
    if search and (search.seen is None or search.seen <= closed_at):
        end(search, Why.LEFT)


def return_to(user_id: int, is_busy: bool) -> None:
    """Note that a page of a search is there; take the search up again if it ended without one.

    `is_busy`: the page is that of another game, so a person has to answer.
    """
    search = Search.objects.filter(user=user_id).first()
    if search is None:
        return
    is_left = search.state == State.ENDED and search.why == Why.LEFT
    if is_left and now() - search.changed < RESUME_MS and running_game(user_id) is None:
        swap(search, **{**FRESH, "seen": now(), "is_busy": is_busy})
    elif search.state == State.LOOKING and search.is_busy != is_busy:
        swap(search, is_busy=is_busy)


class _Changed(Exception):
    """A search of a pair has changed since it was read."""


def ask(match: Match, searches: Sequence[Search], deadline: int) -> bool:
    """Ask the pages of a pair's searches; return False if one has changed meanwhile.

    There is one search if the other of the pair is a host who waits in a lobby.
    """
    question = {"state": State.ASKED, "deadline": deadline, **match.choice._asdict()}
    try:
        with transaction.atomic():
            # By key, as `answer` locks them: that prevents deadlocks.
            for search in sorted(searches, key=lambda each: each.pk):
                partner = match.two if search.user_id == match.one else match.one
                fresh = {"is_answered": False, "tab": "", "partner_id": partner}
                if swap(search, **question, **fresh) is None:
                    raise _Changed
    except _Changed:
        return False
    return True


def answer(user_id: int, pairing: int, is_yes: bool, tab: str) -> None:
    """Answer for a page that was asked; the last answer that is needed opens the game.

    `pairing` names the question, `tab` the page. A later answer of another page changes nothing.
    Raises Refused if that question is no longer asked.
    """
    retry(_answer, user_id, pairing, is_yes, tab)


def _answer(user_id: int, pairing: int, is_yes: bool, tab: str) -> None:
    with transaction.atomic():
        own, other = _locked_pair(user_id)
        if own.deadline != pairing:
            raise Refused(Reason.TOO_LATE)
        if not is_yes:
            _end_locked(own, other, Why.DECLINED)
        elif not own.is_answered:
            own = _require(swap(own, is_answered=True, tab=tab))
            if other is None:
                _join_host(own)
            elif other.is_answered:
                _open_game(own, other)


def _locked_pair(user_id: int) -> tuple[Search, Search | None]:
    """Return the search of a user and that of the partner, locked in one order for all.

    A partner who waits in a lobby, or was deleted, has none.
    """
    both = Q(user=user_id) | Q(partner=user_id)
    rows = Search.objects.select_for_update(of=("self",)).filter(both, state=State.ASKED)
    found = {row.user_id: row for row in rows.order_by("pk")}
    own = found.get(user_id)
    if own is None:
        raise Refused(Reason.TOO_LATE)
    return own, found.get(own.partner_id) if own.partner_id else None


def _join_host(search: Search) -> None:
    """Seat a user who was asked in the host's lobby; the search goes on if it no longer waits."""
    if running_game(search.user_id):
        end(search, Why.PLAYING)
        return
    clock = clock_of(search.clock)
    lobby = Lobby.objects.with_waiting_hosts(now()).filter(
        host=search.partner_id,
        rules=search.rules,
        clock_kind=clock.kind,
        clock_initial=clock.initial,
        clock_increment=clock.increment,
        is_rated=search.is_rated,
    )
    here = lobby.first()
    if here is None:
        _look_on(search)
        return
    try:
        with transaction.atomic():
            after = sit(here.code, search.user, seen=here.options.digest)
            if after.status != Lobby.Status.PLAYING:  # the host is ready no longer
                raise Refused(LobbyReason.CHANGED)
    except Refused as refused:
        log.info("a searcher could not join a lobby: %s", refused.reason)
        refuse_pair(search.user_id, here.host_id)
        _look_on(search)
        return
    _require(swap(search, state=State.PAIRED, game=after.game))


def _open_game(one: Search, two: Search) -> None:
    """Open the game of a pair that has answered, or end the search of a user who cannot play."""
    playing = [search for search in (one, two) if running_game(search.user_id)]
    if playing:
        for search in playing:
            end(search, Why.PLAYING)
        return
    if is_blocked(one.user_id, two.user_id):  # since they were paired
        for search in (one, two):
            _look_on(search)
        return
    first, second = sorted((one, two), key=lambda each: (each.created, each.pk))
    clock = clock_of(one.clock)
    try:
        game = open_quick_game(first.user, second.user, one.rules, clock, one.is_rated)
    except Refused as refused:
        log.info("a pair could not start: %s", refused.reason)
        refuse_pair(one.user_id, two.user_id)
        for search in (one, two):
            _look_on(search)
        return
    for search in (one, two):
        _require(swap(search, state=State.PAIRED, game=game))


def end(search: Search, why: str) -> bool:
    """End a search unless it has changed since it was read; return whether it did.

    If it was paired, the partner keeps their place, and the two are not paired again for a while.
    """
    with transaction.atomic():
        if search.state == State.ASKED:
            try:
                own, other = _locked_pair(search.user_id)
            except Refused:
                return swap(search, **_ended(why)) is not None
            return own.rev == search.rev and _end_locked(own, other, why)
        return swap(search, **_ended(why)) is not None


def _end_locked(own: Search, other: Search | None, why: str) -> bool:
    if own.partner_id is not None:
        refuse_pair(own.user_id, own.partner_id)
    if other is not None:
        _look_on(other)
    return swap(own, **_ended(why)) is not None


def _look_on(search: Search) -> None:
    """Give a search its place back."""
    swap(search, **LOOKING)


def _end_own(user_id: int, why: str) -> None:
    for _ in range(3):  # a search that changes meanwhile is read again
        search = Search.objects.active().filter(user=user_id).first()
        if search is None or end(search, why):
            return
    raise Refused(LobbyReason.BUSY)


def _ended(why: str) -> dict[str, Any]:
    return {**LOOKING, "state": State.ENDED, "why": why, "seen": None}


def forget_search(user_id: int) -> None:
    """Delete the data of a user's searches; call it when the account is deleted."""
    stop(user_id)
    Search.objects.filter(user=user_id).delete()
    RefusedPair.objects.filter(Q(one=user_id) | Q(two=user_id)).delete()


def refuse_pair(one: int, two: int) -> None:
    """Keep two users from being paired for a while."""
    RefusedPair.objects.create(one_id=one, two_id=two, until=now() + REFUSED_MS)


def swap(search: Search, **columns: Any) -> Search | None:
    """Write columns if the search is unchanged since it was read; return it, or None."""
    columns["changed"] = now()
    row = Search.objects.filter(pk=search.pk, rev=search.rev)
    if not row.update(rev=F("rev") + 1, **columns):
        return None
    after = copy(search)
    for name, value in columns.items():
        setattr(after, name, value)
    after.rev = search.rev + 1
    announce(after)
    return after


def announce(search: Search) -> None:
    """Hint to the pages, after the commit, that a search has changed, and the count with it."""

    def hints() -> None:
        publish(("search", str(search.user_id)))
        publish(("searches", ""))

    transaction.on_commit(hints)


def _require(search: Search | None) -> Search:
    """Return the search. Raise Refused if the swap before was lost; the transaction ends."""
    if search is None:
        raise Refused(LobbyReason.BUSY)
    return search
