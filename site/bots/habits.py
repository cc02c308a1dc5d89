"""What somebody chose when they last played the computer: kept in a cookie, for each game."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode

from django.http import HttpRequest, HttpResponse

from lobby.levels import NUMBERS
from lobby.options import NO_CLOCK, PRESETS, SIDES, Side, clock_of, spelled

COOKIE = "quiver-computer"
AGE = 365 * 24 * 3600  # seconds
DEFAULT_SIDES: Mapping[str, Side] = {"pincer": "black"}  # there the computer is Player 1


@dataclass(frozen=True, slots=True)
class Habit:
    """Somebody's choices for one game."""

    side: Side
    clock: str  # form value
    level: int | None = None  # None: never played


def beginning(key: str) -> Habit:
    """What is chosen beforehand by who has never played this game with the computer."""
    return Habit(DEFAULT_SIDES.get(key, "white"), spelled(NO_CLOCK))


def habits_of(request: HttpRequest) -> dict[str, Habit]:
    """By game, the one played last first; whatever does not read as a habit is left out."""
    found = {}
    for key, text in parse_qsl(request.COOKIES.get(COOKIE, "")[:1_000]):
        if key in PRESETS and (habit := _read(text)):
            found[key] = habit
    return found


def keep(request: HttpRequest, response: HttpResponse, key: str, habit: Habit) -> None:
    """Writes down the choices for a game."""
    habits = {key: habit, **{k: h for k, h in habits_of(request).items() if k != key}}
    text = urlencode({k: f"{h.side},{h.clock},{h.level}" for k, h in habits.items()})
    is_secure = request.is_secure()
    response.set_cookie(COOKIE, text, AGE, secure=is_secure, httponly=True, samesite="Lax")


def _read(text: str) -> Habit | None:
    parts = text.split(",")
    if len(parts) != 3:
        return None
    side, clock, level = parts
    try:
        clock_of(clock)
    except ValueError:
        return None
    if side not in SIDES or level not in NUMBERS:
        return None
    return Habit(side, clock, NUMBERS[level])  # type: ignore[arg-type]
