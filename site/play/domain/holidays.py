"""Holidays: whole days in which a user's clocks are stopped in all games by days. Pure.

A holiday begins by itself at the moment at which a person's clock would fall, and lasts 24 hours.
A user has `MAX_DAYS_A_YEAR` of them in a calendar year (UTC, by their beginning), and at most
`MAX_DAYS_IN_A_ROW` one after the other: a pause of less than a day between two does not end a row.
There is none for a first turn, none for a computer player, and none for a user who has turned them
off. No game can opt out of holidays.

A holiday is a row of its user. A game reads it when needed, at its own deadline and before each
action, so that a process that dies in between loses no holiday of any game.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from msgspec.structs import replace

from accounts.refusals import Refused
from games.core import ROLES, Role
from play.domain import clocks
from play.domain.change import Change, make_change
from play.domain.clocks import DAY_MS, Pause
from play.domain.commands import Flag, Holiday
from play.domain.game_refusals import Reason
from play.domain.game_state import GameState

MAX_DAYS_A_YEAR = 21
MAX_DAYS_IN_A_ROW = 7
HOLIDAY_MS = DAY_MS


def year_of(at: int) -> int:
    """Return the calendar year (UTC) of a moment (epoch ms)."""
    return datetime.fromtimestamp(at / 1000, UTC).year


def days_left(starts: Sequence[int], at: int) -> int:
    """Return how many holidays are left in the year of `at`, after those that began at `starts`."""
    year = year_of(at)
    return max(0, MAX_DAYS_A_YEAR - sum(year_of(start) == year for start in starts))


def may_take(starts: Sequence[int], at: int) -> bool:
    """Return whether a holiday may begin at `at`, beside those that began at `starts`."""
    return days_left(starts, at) > 0 and _days_in_row(starts, at) <= MAX_DAYS_IN_A_ROW


def _days_in_row(starts: Sequence[int], at: int) -> int:
    """Return the length that a row of holidays would have with one that begins at `at`."""
    longest_step_ms = HOLIDAY_MS + DAY_MS  # from one beginning to the next of the same row
    ordered = sorted({*starts, at})
    place = ordered.index(at)
    first = last = place
    while first and ordered[first] - ordered[first - 1] < longest_step_ms:
        first -= 1
    while last + 1 < len(ordered) and ordered[last + 1] - ordered[last] < longest_step_ms:
        last += 1
    return last - first + 1


def may_pause(game: GameState, role: Role) -> bool:
    """Return whether a holiday can stop the clock of a role now."""
    is_running = game.clock.is_by_days and game.ending is None and role in game.times.running
    return is_running and role not in game.times.first_turn and not game.people[role].bot


def pausable_roles(game: GameState) -> list[Role]:
    """Return the roles whose clocks a holiday can stop now."""
    return [role for role in ROLES if may_pause(game, role)]


def fallen_roles(game: GameState, at: int) -> list[Role]:
    """Return the roles whose flag would fall at `at`, and which a holiday can save."""
    if not game.clock.is_by_days or game.ending:
        return []
    fallen = clocks.flagged_roles(game.clock, game.times, at)
    return [role for role in ROLES if role in fallen and may_pause(game, role)]


def find_uncounted(game: GameState, role: Role, starts: Sequence[int], at: int) -> list[Pause]:
    """Return the holidays, in order, that the clock of a role has run through without a credit."""
    counted = game.times.counted_until(role)
    pauses = (Pause(start, start + HOLIDAY_MS) for start in sorted(starts) if start <= at)
    return [pause for pause in pauses if pause.until > counted]


def find_needed_start(game: GameState, role: Role, starts: Sequence[int], at: int) -> int | None:
    """Return when another holiday has to begin to stop a fallen clock; None if none is needed.

    It begins at the deadline, even if that is detected later.
    """
    limit = game.times.deadline_of(role)
    helps = any(pause.start <= limit for pause in find_uncounted(game, role, starts, at))
    return None if helps else limit


def pause_for_holidays(
    game: GameState, command: Flag | Holiday, starts_of: Mapping[Role, Sequence[int]]
) -> Change | None:
    """Return the change that stops the clock of a role for its holidays; None without any.

    One role at a time: the next check finds the other. `starts_of` are the beginnings of the
    holidays of each role's user.
    """
    at = command.received_at
    for role, starts in starts_of.items():
        times, pauses = game.times, list[Pause]()
        for pause in find_uncounted(game, role, starts, at) if may_pause(game, role) else ():
            if pause.start > times.deadline_of(role):
                break  # a clock that fell before needs an earlier holiday
            times = times.paused(role, pause)
            pauses.append(pause)
        if not pauses:
            continue
        after = replace(game, times=times)
        body = {
            "role": role,
            "starts": [pause.start for pause in pauses],
            "until": pauses[-1].until,
        }
        return make_change(game, after, command, None, "holiday", body)
    return None


def holiday(game: GameState, command: Holiday) -> Change:
    """Return the change that stops a clock for a holiday of its user, which another game began."""
    change = pause_for_holidays(game, command, command.holidays)
    if change is None:
        raise Refused(Reason.NO_CLAIM, say="No clock of this game ran in a holiday.")
    return change
