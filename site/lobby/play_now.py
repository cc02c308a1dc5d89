""" "Play now": join the lobby that has waited longest, or open a new one.

It joins only lobbies with a preset running clock in which a person sits ready with the page open. A
user who is already in such a lobby or game is sent back there.
"""

from collections.abc import Iterator

from django.db import transaction
from django.db.models import Q

from accounts.models import User
from lobby.lobby_options import PRESETS, RUNNING, Options, time_label
from lobby.lobby_refusals import Reason, Refused
from lobby.lobby_service import check_not_barred, check_room, open_lobby, ready
from lobby.models import Lobby
from lobby.transactions import Columns, change, close, seat_columns
from play.domain.clocks import now
from play.models import Game, Seat

WAITING_HERE_MS = 45_000  # since the host's page was last seen open
MAX_CANDIDATES = 30  # lobbies read
MAX_ATTEMPTS = 4


def usual_options(key: str) -> list[str]:
    """Returns the labels of the clocks that "Play now" joins; it opens the first one."""
    return [time_label(clock) for clock in PRESETS[key] if clock.kind in RUNNING]


def play_now(user: User, key: str = "") -> Game | Lobby:
    """Returns the game, or else the lobby, that "Play now" leads a user to.

    `key` empty: any rule set. Raises Refused (too many lobbies, game not offered).
    """
    if key and key not in PRESETS:
        raise Refused(Reason.MALFORMED)
    for _ in range(MAX_ATTEMPTS):
        with transaction.atomic():
            User.objects.select_for_update(no_key=True).get(pk=user.pk)
            place, is_new = _find_or_open(user, key)
        if not isinstance(place, Lobby) or not is_new:
            break
        # If two users opened a lobby each at the same moment, the younger lobby's host joins.
        if not any(other.pk < place.pk for other in find_waiting_lobbies(user, key)):
            break
        if not close(place, Lobby.Why.JOINED):
            place.refresh_from_db()
            return place.game or place
    return place


def find_waiting_lobbies(user: User, key: str = "") -> Iterator[Lobby]:
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
        if lobby.clock in PRESETS[lobby.rules] and lobby.barred_until(user.pk) <= at:
            yield lobby


def _rules_keys(key: str) -> list[str]:
    """Returns the rule sets to search: `key`, or all that are offered if it is empty."""
    return [key] if key else list(PRESETS)


def _find_or_open(user: User, key: str) -> tuple[Game | Lobby, bool]:
    """Returns the game or lobby for the user, and whether it is a newly opened lobby."""
    rules = {"rules__in": _rules_keys(key)}
    playing = Game.objects.played_by(user).filter(clock_kind__in=RUNNING, **rules)
    if game := playing.order_by("-created").first():
        return game, False
    own = Lobby.objects.open().hosted_by(user).of_one(user)
    own = own.filter(clock_kind__in=RUNNING, is_public=True, game=None, **rules)
    if lobby := own.with_people().order_by("created").first():
        return ready(lobby.code, user), False
    for lobby in find_waiting_lobbies(user, key):
        if game := _join(lobby, user):
            return game, False
    return open_lobby(user, _options(key or _preferred_rules(user))), True


def _join(lobby: Lobby, user: User) -> Game | None:
    """Seats the user in a waiting lobby; returns the game, or None if it came too late."""
    seen = lobby.options.digest

    def decide(here: Lobby) -> Columns:
        check_room(here, None, seen)
        check_not_barred(here, user)
        if not any(place.is_ready and not place.user.is_bot for place in here.places):  # type: ignore[union-attr]
            raise Refused(Reason.CHANGED)
        return seat_columns(here.free, user, True)  # type: ignore[arg-type]

    try:
        return change(lobby.code, decide).game
    except (Refused, Lobby.DoesNotExist):
        return None


def _options(key: str) -> Options:
    """Returns the options of a new lobby: first preset clock, sides by lot, public."""
    return Options(key, PRESETS[key][0], "lot", True, True)


def _preferred_rules(user: User) -> str:
    """Returns the rule set that the user played last, or the first one on offer."""
    seats = Seat.objects.filter(user=user, rules__in=list(PRESETS)).order_by("-pk")
    return seats.values_list("rules", flat=True).first() or next(iter(PRESETS))
