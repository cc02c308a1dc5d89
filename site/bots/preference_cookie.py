"""Cookie with the options of the last game against the computer, for each game."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode

from django.http import HttpRequest, HttpResponse

from lobby.computer_seats import NUMBERS
from lobby.lobby_options import SIDES, Side
from play.time_controls import NO_CLOCK, PRESETS, clock_of, clock_value

COOKIE = "quiver-computer"
COOKIE_AGE_S = 365 * 24 * 3600
DEFAULT_SIDES: Mapping[str, Side] = {"pincer": "black"}  # there the computer is Player 1


@dataclass(frozen=True, slots=True)
class Preference:
    """The options last chosen for one game."""

    side: Side
    clock: str  # form value
    level: int | None = None  # None: never played
    is_listed: bool = False  # anyone may find the game


def initial_values(key: str) -> Preference:
    """Return the defaults for people who have not played this game against the computer."""
    return Preference(DEFAULT_SIDES.get(key, "white"), clock_value(NO_CLOCK))


def preferences_of(request: HttpRequest) -> dict[str, Preference]:
    """Return the preferences by game, the game played last first; malformed ones are left out."""
    found = {}
    for key, text in parse_qsl(request.COOKIES.get(COOKIE, "")[:1_000]):
        if key in PRESETS and (habit := _read(text)):
            found[key] = habit
    return found


def keep(request: HttpRequest, response: HttpResponse, key: str, habit: Preference) -> None:
    """Set the cookie, with the choices for a game first."""
    habits = {key: habit, **{k: h for k, h in preferences_of(request).items() if k != key}}
    text = urlencode({k: _write(h) for k, h in habits.items()})
    is_secure = request.is_secure()
    response.set_cookie(COOKIE, text, COOKIE_AGE_S, secure=is_secure, httponly=True, samesite="Lax")


def _write(habit: Preference) -> str:
    return f"{habit.side},{habit.clock},{habit.level}{',listed' if habit.is_listed else ''}"


def _read(text: str) -> Preference | None:
    parts = text.split(",")
    if len(parts) < 3:
        return None
    side, clock, level, *rest = parts
    try:
        clock_of(clock)
    except ValueError:
        return None
    if side not in SIDES or level not in NUMBERS or rest not in ([], ["listed"]):
        return None
    return Preference(side, clock, NUMBERS[level], bool(rest))
