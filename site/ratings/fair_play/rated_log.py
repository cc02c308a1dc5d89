"""Reads incidents from the log of ratings: those of a person, and the time-outs that count.

Nothing is stored about a pause: it follows from the log, and ends with an annulment of its games.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from games.catalogue import RULES
from games.core import OTHER, ROLES
from games.rating.entries import NotRated
from games.rating.pools import Speed
from play.models import ABSENT, Game, Seat
from ratings.fair_play.incidents import (
    EARLY_TURNS,
    PAIR_WINDOW_MS,
    QUICK_TURNS,
    Kind,
    Pause,
    PlayedGame,
    own_turns,
    pauses,
)
from ratings.models import Person, RatingEntry
from ratings.rules.entry_log import annulled_among

MAX_GAMES = 200  # newest games of a person that a read takes
MAX_STEPS_A_TURN = 2  # of the games in which a resignation may be early
MAX_QUICK_STEPS = 2 * QUICK_TURNS * MAX_STEPS_A_TURN  # of a game with a quick resignation
GAME = RatingEntry.Kind.GAME
COLUMNS = (
    "seq", "at", "game", "rules", "speed", "winner", "not_rated", "game__reason", "game__step",
)  # fmt: skip


class _Row(NamedTuple):
    """An entry of a person with the columns of its game, and the person's role in it."""

    seq: int
    at: int
    game: int
    rules: str
    speed: str
    winner: str
    not_rated: str
    reason: str
    step: int
    role: str

    @property
    def is_lost(self) -> bool:
        """Whether the person lost the game."""
        return self.winner == OTHER[self.role]  # type: ignore[index]

    @property
    def may_be_quick(self) -> bool:
        """Whether the person resigned after few steps, in a game in which both take turns."""
        rules = RULES.get(self.rules)
        is_quick = self.is_lost and self.reason == "resigned" and self.step < MAX_QUICK_STEPS
        return is_quick and rules is not None and not rules.is_simultaneous


def read_games(user: int) -> list[PlayedGame]:
    """Return the newest games of a user that were to be rated, in the order of their entries.

    Annulled games are left out, and those that did not count for reasons that are no incident.
    """
    number = Person.objects.filter(user=user).values_list("number", flat=True).first()
    if number is None:
        return []
    rows = _newest_rows(number)
    annulled = annulled_among([row.game for row in rows])
    rows = [row for row in rows if row.game not in annulled]
    turns = _turns_at_resignation([row for row in rows if row.may_be_quick and not row.not_rated])
    missed = [row.game for row in rows if row.reason == "no_show"]
    seats = Seat.objects.filter(game__in=missed, user=user, result=ABSENT) if missed else ()
    absent = {seat.game_id for seat in seats}
    games = [_played_game(row, turns.get(row.game), absent) for row in rows]
    return [each for each in games if each.has_counted or each.incident is not None]


def current_pauses(user: int, at: int) -> list[Pause]:
    """Return the pauses of a user's rated play that go on at a time (epoch ms), the last to end
    last; of each kind the last one."""
    found = {each.kind: each for each in pauses(read_games(user)) if each.until > at}
    return sorted(found.values(), key=lambda each: each.until)


def paused_until(user: int, at: int) -> int | None:
    """Return when a user may play rated games again (epoch ms); None if that is now."""
    found = current_pauses(user, at)
    return found[-1].until if found else None


def recent_incidents(user: int, since: int) -> list[PlayedGame]:
    """Return a user's incidents in games that ended at `since` (epoch ms) or later, newest first.

    Time-outs that counted are among them.
    """
    games = reversed(read_games(user))
    return [each for each in games if each.incident is not None and each.ended >= since]


def counted_time_outs(user: int, since: int) -> list[tuple[int, int]]:
    """Return the games by days that a user lost on time and that count, each with its end.

    Only those that ended after `since` (epoch ms).
    """
    found = list[tuple[int, int]]()
    for role in ROLES:
        lost = RatingEntry.objects.filter(
            **{f"{role}__user": user},
            kind=GAME,
            at__gt=since,
            speed=Speed.DAYS,
            winner=OTHER[role],
            not_rated="",
            game__reason="time",
        )
        found += lost.values_list("game", "at")
    annulled = annulled_among([game for game, _ in found])
    return [(game, at) for game, at in found if game not in annulled]


def counted_pair_games(one: int, two: int, at: int) -> int:
    """Return how many games of two users count that ended within a day of a time (epoch ms),
    earlier or later: a game may reach the log late."""
    found = list[int]()
    for white, black in ((one, two), (two, one)):
        games = RatingEntry.objects.filter(white__user=white, black__user=black, kind=GAME)
        recent = games.filter(at__gt=at - PAIR_WINDOW_MS, at__lt=at + PAIR_WINDOW_MS, not_rated="")
        found += recent.values_list("game", flat=True)
    return len(set(found) - annulled_among(found))


def _newest_rows(number: int) -> list[_Row]:
    rows = list[_Row]()
    for role in ROLES:
        own = RatingEntry.objects.filter(**{role: number}, kind=GAME).order_by("-seq")
        rows += [_Row(*row, role) for row in own.values_list(*COLUMNS)[:MAX_GAMES]]  # type: ignore[call-arg]
    return sorted(rows)[-MAX_GAMES:]


def _turns_at_resignation(rows: Sequence[_Row]) -> dict[int, int]:
    """Return the number of the person's own turns in games that they resigned, by game id."""
    if not rows:
        return {}
    games = Game.objects.filter(pk__in=[row.game for row in rows])
    positions: Mapping[int, str] = dict(games.values_list("pk", "position"))
    return {row.game: own_turns(row.role, _turns(row.rules, positions[row.game])) for row in rows}


def _turns(key: str, position: str) -> int:
    rules = RULES[key]
    return rules.turns(rules.read(position))


def _played_game(row: _Row, turns: int | None, absent: set[int]) -> PlayedGame:
    incident = None
    if turns is not None and turns < QUICK_TURNS:
        incident = Kind.RESIGNATION if turns < EARLY_TURNS else Kind.QUICK_RESIGNATION
    elif row.is_lost and row.reason == "time" and row.speed == Speed.DAYS:
        is_incident = row.not_rated in ("", NotRated.SERIAL_TIMEOUT)
        incident = Kind.TIME_OUT if is_incident else None
    elif row.game in absent and row.not_rated == NotRated.ABORTED:
        incident = Kind.NO_SHOW
    return PlayedGame(row.game, row.at, not row.not_rated, incident)
