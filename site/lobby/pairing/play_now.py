"""Games, lobbies and permissions for the search for an opponent.

A search pairs people; this module opens the pair's game, and makes a user pause
after several absences within an hour.
"""

from contextlib import suppress

from django.db import transaction
from django.utils.translation import ngettext

from accounts.models import User
from accounts.refusals import Refused
from lobby.lobbies.lobby_checks import check_may_be_rated, check_may_play
from lobby.lobbies.lobby_service import columns_of, leave
from lobby.lobbies.transactions import change, seat_columns
from lobby.lobby_options import Options
from lobby.lobby_refusals import LobbyReason
from lobby.models import Lobby
from play.domain.clocks import SECOND_MS, Clock, now
from play.models import ABSENT, Game, Seat
from play.time_controls import PRESETS, RUNNING, time_label

SEARCH_AGAIN_MS = 60 * SECOND_MS  # after an abort, in which a page may search again
MAX_NO_SHOWS = 3  # within `NO_SHOW_WINDOW_MS`; then the next search has to wait
NO_SHOW_WINDOW_MS = 60 * 60 * SECOND_MS
NO_SHOW_PAUSE_MS = 10 * 60 * SECOND_MS  # since the last of them


def usual_options(key: str) -> list[str]:
    """Returns the labels of the clocks that a search offers for a rule set."""
    return [time_label(clock) for clock in PRESETS[key] if clock.kind in RUNNING]


def open_quick_game(one: User, two: User, key: str, clock: Clock, is_rated: bool = False) -> Game:
    """Opens a public game of two users who have found each other, in a lobby for their rematches.

    The sides are random. Raises Refused (game withdrawn, database busy, or rated and somebody has
    no account).
    """
    options = Options(key, clock, "lot", True, True, is_rated)
    with transaction.atomic():
        for user in (one, two):
            check_may_play(options, user)
        lobby = Lobby.objects.create(
            host=one, one=one, one_ready=True, is_quick=True, **columns_of(options)
        )
        free = lobby.places[1]
        after = change(lobby.code, lambda here: seat_columns(free, two, True))
        check_may_be_rated(options, after)
    assert after.game is not None  # both are ready
    return after.game


def leave_for_search(code: str, user: User) -> Lobby:
    """Frees the seat of a user whose opponent made no first move; returns the lobby.

    Raises Refused (see `may_search_again`) and Lobby.DoesNotExist.
    """
    lobby = Lobby.objects.with_games().get(code=code)
    if lobby.game is None or not may_search_again(lobby, lobby.game, user.pk):
        raise Refused(LobbyReason.NO_SEARCH)
    with suppress(Refused):  # the user has left it already
        leave(code, user)
    return lobby


def may_search_again(lobby: Lobby, game: Game, user_id: int | None) -> bool:
    """Returns whether a page may search again: its user was present, the opponent was not.

    Only for games from a search, and only for a short time.
    """
    if not lobby.is_quick or not lobby.is_public or lobby.clock not in PRESETS[lobby.rules]:
        return False
    if game.ended is None or now() - game.ended > SEARCH_AGAIN_MS:
        return False
    results = {seat.user_id: seat.result for seat in game.seats.all()}
    own = results.pop(user_id, ABSENT) if user_id is not None else ABSENT
    return own != ABSENT and ABSENT in results.values()


def check_no_shows(user: User) -> None:
    """Raises Refused for a while if the user has missed too many first turns.

    Those of games with days do not count: nobody waits at the board for them.
    """
    at = now()
    recent = Seat.objects.filter(user=user, game__ended__gt=at - NO_SHOW_WINDOW_MS)
    missed = recent.filter(result=ABSENT, game__clock_kind__in=RUNNING)
    newest = missed.order_by("-id").values_list("game__ended", flat=True)[:MAX_NO_SHOWS]
    ends = [end for end in newest if end is not None]
    wait_ms = max(ends, default=0) + NO_SHOW_PAUSE_MS - at
    if len(ends) == MAX_NO_SHOWS and wait_ms > 0:
        minutes = -(-wait_ms // (60 * SECOND_MS))
        raise Refused(
            LobbyReason.NO_SHOWS,
            ngettext(
                "You missed the start of %(games)s games. Search again in %(count)s minute.",
                "You missed the start of %(games)s games. Search again in %(count)s minutes.",
                minutes,
            )
            % {"games": MAX_NO_SHOWS, "count": minutes},
        )
