"""Holidays of users: read them for a decision, and begin one where a clock would fall.

A holiday is begun under a lock of its user, so that several processes never take more than a user
has. It is committed before the game's entry: if the process dies in between, the next check of the
game finds the holiday and takes no other.
"""

from collections.abc import Collection, Sequence

from django.db import transaction
from msgspec.structs import replace

from accounts.account_service import find_active_people
from accounts.models import User
from games.core import Role
from play.domain import commands, holidays
from play.domain.clocks import DAY_KINDS
from play.domain.game_state import GameState
from play.models import Game, Holiday

UserSince = tuple[int, int]  # a user, and a moment (epoch ms)


def begin_for_flag(game: GameState, command: commands.Flag) -> commands.Flag:
    """Return the check of a deadline with the holidays of the users whose flag would fall.

    Begin a holiday where one is needed and left. Nothing is begun for a game that has changed since
    it was read. Safe to repeat.
    """
    roles = holidays.fallen_roles(game, command.received_at)
    if not roles:
        return command
    with transaction.atomic():
        users = {role: game.people[role].user for role in roles}
        rows = User.objects.select_for_update(of=("self",)).filter(pk__in=users.values())
        willing = [user.pk for user in rows.order_by("pk") if user.has_holidays]  # all are locked
        present = find_active_people(willing)  # the opponent waits for nobody else
        if not Game.objects.filter(pk=game.id, rev=game.rev).exists():
            return command
        starts_of = _starts_of(game, roles)
        for role in roles:
            starts = starts_of[role]
            start = holidays.find_needed_start(game, role, starts, command.received_at)
            is_owed = start is not None and users[role] in present
            if start is not None and is_owed and holidays.may_take(_all_starts(users[role]), start):
                Holiday.objects.create(
                    user_id=users[role], start=start, until=start + holidays.HOLIDAY_MS
                )
                starts_of[role] = [*starts, start]
    return replace(command, holidays=starts_of)


def read_for_game(game: GameState, command: commands.Holiday) -> commands.Holiday:
    """Return the command with the holidays of the users whose clocks run."""
    return replace(command, holidays=_starts_of(game, holidays.pausable_roles(game)))


def read_starts(keys: Sequence[UserSince]) -> dict[UserSince, list[int]]:
    """Return when the holidays of users began that last beyond a moment, with one query for all."""
    users = {user for user, _ in keys}
    rows = Holiday.objects.filter(user__in=users, until__gt=min(since for _, since in keys))
    found: dict[UserSince, list[int]] = {key: [] for key in keys}
    for holder, start, until in rows.order_by("start").values_list("user", "start", "until"):
        for user, since in keys:
            if user == holder and until > since:
                found[user, since].append(start)
    return found


def other_games(slug: str, at: int) -> list[str]:
    """Return the slugs of other games by days of users who are on holiday at `at`.

    Only users of the given game.
    """
    resting = Holiday.objects.filter(start__lte=at, until__gt=at).values("user")
    users = Game.objects.filter(slug=slug, seats__user__in=resting).values("seats__user")
    games = Game.objects.timed().filter(clock_kind__in=DAY_KINDS).exclude(slug=slug)
    own = games.filter(seats__user__in=users, seats__user__is_bot=False)
    return list(own.filter(seats__user__in=resting).values_list("slug", flat=True).distinct())


def days_left(user: int, at: int) -> int:
    """Return how many holidays a user has left in the year of `at`."""
    return holidays.days_left(_all_starts(user), at)


def export_holidays(user: int) -> list[dict[str, int]]:
    """Return the holidays of a user for the copy of the user's data."""
    rows = Holiday.objects.filter(user=user).order_by("start").values_list("start", "until")
    return [{"start": start, "until": until} for start, until in rows]


def delete_holidays(user: int) -> None:
    """Delete the holidays of a user who has deleted the account."""
    Holiday.objects.filter(user=user).delete()


def _starts_of(game: GameState, roles: Collection[Role]) -> dict[Role, Sequence[int]]:
    """Return when the holidays of some roles' users began that may touch the running clocks."""
    if not roles:
        return {}
    keys = {role: (game.people[role].user, game.times.since) for role in roles}
    found = read_starts(list(keys.values()))
    return {role: found[key] for role, key in keys.items()}


def _all_starts(user: int) -> list[int]:
    return list(Holiday.objects.filter(user=user).values_list("start", flat=True))
