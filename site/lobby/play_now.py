""" "Play now": join the lobby that has waited longest, or open a new one.

It joins only lobbies with a preset running clock in which a person sits ready with the page open. A
user who is already in such a lobby or game is sent back there.

If the opponent that it has found makes no first move, the other player's page searches again. A
user who was absent several times within an hour has to wait before the next search.
"""

from collections.abc import Iterator
from contextlib import suppress

from django.db import transaction
from django.db.models import Q
from django.utils.translation import ngettext

from accounts.models import User
from lobby.lobby_options import PRESETS, RUNNING, Options, time_label
from lobby.lobby_refusals import Reason, Refused
from lobby.lobby_service import check_not_barred, check_room, leave, open_lobby, ready
from lobby.models import Lobby
from lobby.transactions import Columns, change, close, seat_columns
from play.domain.clocks import SECOND_MS, Clock, now
from play.models import ABSENT, Game, Seat

WAITING_HERE_MS = 45_000  # since the host's page was last seen open
MAX_CANDIDATES = 30  # lobbies read
MAX_ATTEMPTS = 4
SEARCH_AGAIN_MS = 60 * SECOND_MS  # after an abort, in which a page may search again
MAX_NO_SHOWS = 3  # within `NO_SHOW_WINDOW_MS`; then the next search has to wait
NO_SHOW_WINDOW_MS = 60 * 60 * SECOND_MS
NO_SHOW_PAUSE_MS = 10 * 60 * SECOND_MS  # since the last of them


def usual_options(key: str) -> list[str]:
    """Returns the labels of the clocks that "Play now" joins; it opens the first one."""
    return [time_label(clock) for clock in PRESETS[key] if clock.kind in RUNNING]


def play_now(user: User, key: str = "", clock: Clock | None = None) -> Game | Lobby:
    """Returns the game, or else the lobby, that "Play now" leads a user to.

    `key` empty: any rule set. `clock`: a preset one, or any. Raises Refused (too many lobbies or
    missed games, game not offered).
    """
    if key and key not in PRESETS:
        raise Refused(Reason.MALFORMED)
    for _ in range(MAX_ATTEMPTS):
        with transaction.atomic():
            User.objects.select_for_update(no_key=True).get(pk=user.pk)
            place, is_new = _find_or_open(user, key, clock)
        if not isinstance(place, Lobby) or not is_new:
            break
        # If two users opened a lobby each at the same moment, the younger lobby's host joins.
        if not any(other.pk < place.pk for other in find_waiting_lobbies(user, key, clock)):
            break
        if not close(place, Lobby.Why.JOINED):
            place.refresh_from_db()
            return place.game or place
    return place


def search_again(code: str, user: User) -> Game | Lobby:
    """Searches for the same game and clock after the opponent made no first move.

    The user leaves the lobby of that game. Raises Refused (see `may_search_again`, `play_now`) and
    Lobby.DoesNotExist.
    """
    lobby = Lobby.objects.with_games().get(code=code)
    game = lobby.game
    if game is None or not may_search_again(lobby, game, user.pk):
        raise Refused(Reason.NO_SEARCH)
    with suppress(Refused):  # the user has left it already
        leave(code, user)
    return play_now(user, lobby.rules, lobby.clock)


def may_search_again(lobby: Lobby, game: Game, user_id: int | None) -> bool:
    """Returns whether a page may search for another opponent: its user was there, theirs was not.

    Only for games from the quick search, and only for a short time.
    """
    if not lobby.is_quick or not lobby.is_public or lobby.clock not in PRESETS[lobby.rules]:
        return False
    if game.ended is None or now() - game.ended > SEARCH_AGAIN_MS:
        return False
    results = {seat.user_id: seat.result for seat in game.seats.all()}
    own = results.pop(user_id, ABSENT) if user_id is not None else ABSENT
    return own != ABSENT and ABSENT in results.values()


def check_no_shows(user: User) -> None:
    """Raises Refused for a while if the user has missed too many first turns."""
    at = now()
    missed = Seat.objects.filter(user=user, result=ABSENT, game__ended__gt=at - NO_SHOW_WINDOW_MS)
    newest = missed.order_by("-id").values_list("game__ended", flat=True)[:MAX_NO_SHOWS]
    ends = [end for end in newest if end is not None]
    wait_ms = max(ends, default=0) + NO_SHOW_PAUSE_MS - at
    if len(ends) == MAX_NO_SHOWS and wait_ms > 0:
        minutes = -(-wait_ms // (60 * SECOND_MS))
        raise Refused(
            Reason.NO_SHOWS,
            ngettext(
                "You missed the start of %(games)s games. Search again in %(count)s minute.",
                "You missed the start of %(games)s games. Search again in %(count)s minutes.",
                minutes,
            )
            % {"games": MAX_NO_SHOWS, "count": minutes},
        )


def find_waiting_lobbies(user: User, key: str = "", clock: Clock | None = None) -> Iterator[Lobby]:
    """Yields the lobbies that a user may be seated in, the longest waiting first."""
    at = now()
    alone = Q(one=None, two_ready=True) | Q(two=None, one_ready=True)
    lobbies = Lobby.objects.open().filter(
        alone,
        is_public=True,
        rules__in=_rules_keys(key),
        clock_kind__in=RUNNING,
        host_seen__gt=at - WAITING_HERE_MS,
    )
    others = lobbies.exclude(Q(host=user) | Q(one=user) | Q(two=user))
    others = others.exclude(one__is_bot=True).exclude(two__is_bot=True)
    for lobby in others.with_people().order_by("created", "pk")[:MAX_CANDIDATES]:
        is_offered = lobby.clock in PRESETS[lobby.rules] and clock in (None, lobby.clock)
        if is_offered and lobby.barred_until(user.pk) <= at:
            yield lobby


def _rules_keys(key: str) -> list[str]:
    """Returns the rule sets to search: `key`, or all that are offered if it is empty."""
    return [key] if key else list(PRESETS)


def _find_or_open(user: User, key: str, clock: Clock | None) -> tuple[Game | Lobby, bool]:
    """Returns the game or lobby for the user, and whether it is a newly opened lobby."""
    rules = {"rules__in": _rules_keys(key)}
    playing = Game.objects.played_by(user).filter(clock_kind__in=RUNNING, **rules)
    if game := playing.order_by("-created").first():
        return game, False
    check_no_shows(user)
    own = Lobby.objects.open().hosted_by(user).of_one(user)
    own = own.filter(clock_kind__in=RUNNING, is_public=True, game=None, **rules)
    if lobby := own.with_people().order_by("created").first():
        return ready(lobby.code, user), False
    for lobby in find_waiting_lobbies(user, key, clock):
        if game := _join(lobby, user):
            return game, False
    options = _options(key or _preferred_rules(user), clock)
    return open_lobby(user, options, is_quick=True), True


def _join(lobby: Lobby, user: User) -> Game | None:
    """Seats the user in a waiting lobby; returns the game, or None if it came too late."""
    seen = lobby.options.digest

    def decide(here: Lobby) -> Columns:
        check_room(here, None, seen)
        check_not_barred(here, user)
        if not any(place.is_ready and not place.user.is_bot for place in here.places):  # type: ignore[union-attr]
            raise Refused(Reason.CHANGED)
        return {**seat_columns(here.free, user, True), "is_quick": True}  # type: ignore[arg-type]

    try:
        return change(lobby.code, decide).game
    except (Refused, Lobby.DoesNotExist):
        return None


def _options(key: str, clock: Clock | None) -> Options:
    """Returns the options of a new lobby: first preset clock or `clock`, sides by lot, public."""
    return Options(key, clock or PRESETS[key][0], "lot", True, True)


def _preferred_rules(user: User) -> str:
    """Returns the rule set that the user played last, or the first one on offer."""
    seats = Seat.objects.filter(user=user, rules__in=list(PRESETS)).order_by("-pk")
    return seats.values_list("rules", flat=True).first() or next(iter(PRESETS))
