"""Play now: one press seats a person with whoever has waited longest, or opens a lobby to wait in.

It joins only lobbies in which a person sits ready behind an open page, with one of the usual
running clocks. Whoever is in such a lobby or game already is led back there.
"""

from collections.abc import Iterator

from django.db import transaction
from django.db.models import Q

from accounts.models import User
from lobby.models import Lobby
from lobby.options import PRESETS, RUNNING, Options, time_label
from lobby.refusals import Reason, Refused
from lobby.services import check_room, need_welcome, opened, ready
from lobby.turnstile import Columns, change, close, seated
from play.clocks import now
from play.models import Game, Seat

HERE = 45_000  # ms since a host was last there, for which somebody is seated with them
MOST = 30  # lobbies looked at
TRIES = 4


def usual(key: str) -> list[str]:
    """The labels of the clocks that "Play now" joins, the one that it opens first."""
    return [time_label(clock) for clock in PRESETS[key] if clock.kind in RUNNING]


def play_now(user: User, key: str = "") -> Game | Lobby:
    """The game, or else the lobby, in which a user is after pressing "Play now".

    `key` empty: any rule set. Raises Refused (too many lobbies, game not offered).
    """
    if key and key not in PRESETS:
        raise Refused(Reason.MALFORMED)
    for _ in range(TRIES):
        with transaction.atomic():
            User.objects.select_for_update(no_key=True).get(pk=user.pk)
            place, is_new = _place(user, key)
        if not isinstance(place, Lobby) or not is_new:
            break
        # Two who found nobody and opened a lobby each at the same moment: the younger one joins.
        if not any(other.pk < place.pk for other in waiting(user, key)):
            break
        if not close(place, Lobby.Why.JOINED):
            place.refresh_from_db()
            return place.game or place
    return place


def waiting(user: User, key: str = "") -> Iterator[Lobby]:
    """The lobbies that a user may be seated in, the one that has waited longest first."""
    at = now()
    alone = Q(one=None, two_ready=True) | Q(two=None, one_ready=True)
    lobbies = Lobby.objects.open().filter(
        alone,
        is_public=True,
        rules__in=_meant(key),
        clock_kind__in=RUNNING,
        host_seen__gt=at - HERE,
    )
    others = lobbies.exclude(Q(host=user) | Q(one=user) | Q(two=user))
    others = others.exclude(one__is_bot=True).exclude(two__is_bot=True)
    for lobby in others.with_people().order_by("created", "pk")[:MOST]:
        if lobby.clock in PRESETS[lobby.rules] and lobby.barred_until(user.pk) <= at:
            yield lobby


def _meant(key: str) -> list[str]:
    """The rule sets that somebody would play now: one, or all that are offered."""
    return [key] if key else list(PRESETS)


def _place(user: User, key: str) -> tuple[Game | Lobby, bool]:
    """Where the user is or now sits, and whether that is a lobby just opened."""
    rules = {"rules__in": _meant(key)}
    playing = Game.objects.played_by(user).filter(clock_kind__in=RUNNING, **rules)
    if game := playing.order_by("-created").first():
        return game, False
    own = Lobby.objects.open().hosted_by(user).of_one(user)
    own = own.filter(clock_kind__in=RUNNING, is_public=True, game=None, **rules)
    if lobby := own.with_people().order_by("created").first():
        return ready(lobby.code, user), False
    for lobby in waiting(user, key):
        if game := _joined(lobby, user):
            return game, False
    return opened(user, _options(key or _favourite(user))), True


def _joined(lobby: Lobby, user: User) -> Game | None:
    """The game that starts when the user sits down with who waits; None if that came too late."""
    seen = lobby.options.digest

    def decide(here: Lobby) -> Columns:
        check_room(here, None, seen)
        need_welcome(here, user)
        if not any(place.is_ready and not place.user.is_bot for place in here.places):  # type: ignore[union-attr]
            raise Refused(Reason.CHANGED)
        return seated(here.free, user, True)  # type: ignore[arg-type]

    try:
        return change(lobby.code, decide).game
    except (Refused, Lobby.DoesNotExist):
        return None


def _options(key: str) -> Options:
    """What is opened when nobody waits: the first clock, sides by lot, for everybody to find."""
    return Options(key, PRESETS[key][0], "lot", True, True)


def _favourite(user: User) -> str:
    """The rules that the user played last, or the first on the page."""
    seats = Seat.objects.filter(user=user, rules__in=list(PRESETS)).order_by("-pk")
    return seats.values_list("rules", flat=True).first() or next(iter(PRESETS))
