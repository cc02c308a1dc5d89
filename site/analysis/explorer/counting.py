"""Count the first turns of each ended public game, once.

A follow-up to the end of a game (`play.storage.ended_games`). Writers lock the row of the
generation, a game and its counts are one transaction, and a process may be killed at any moment.
Nothing is counted of a game that is being played.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

import msgspec
from django.db import transaction
from django.db.models import Exists, OuterRef

from analysis.explorer.groups import NOT_COUNTED, group_of
from analysis.explorer.models import OpeningCount, OpeningGame
from analysis.explorer.opening_rows import CountedGame, add_rows, delete_rows, rows_of
from games.catalogue import RULES, rules_of
from games.core import Role
from games.opening_keys import MAX_TURNS, opening_turns
from play.models import Game, Seat, Step
from ratings.rules.reasons import pool_of_game
from ratings.shown_ratings import read_ratings

GAMES_A_ROUND: Final = 100  # in one transaction
MAX_STEPS: Final = 2 * MAX_TURNS  # a turn has at most two
MIN_TURNS: Final = 2  # both sides have completed one
ROW: Final = 1  # the only one of `OpeningCount`
# Blotto's rounds are no opening: both sides decide at once, and each round starts from the same
# position.
BOARD_RULES: Final = tuple(key for key, rules in RULES.items() if not rules.is_simultaneous)
decode_joint = msgspec.json.Decoder(dict[Role, str]).decode


def present_generation() -> int:
    """Return the number of the present generation of counts."""
    return OpeningCount.objects.get_or_create(pk=ROW)[0].generation


def pending_games(among: Collection[int] | None = None) -> list[Game]:
    """Return ended public games that are not counted yet, those `among` some ids or all.

    Games between computer players are left out. Oldest first, at most `GAMES_A_ROUND`.
    """
    counted = OpeningGame.objects.filter(game=OuterRef("pk"), generation=present_generation())
    games = Game.objects.counted().with_people().filter(~Exists(counted), ended__isnull=False)
    games = games.filter(is_public=True, rules__in=BOARD_RULES)
    if among is not None:
        games = games.filter(pk__in=among)
    return list(games.order_by("ended", "pk")[:GAMES_A_ROUND])


def count_ended_games(among: Collection[int] | None = None) -> list[Game]:
    """Count ended games, those `among` some ids or all, and return those that were found.

    Raises what reading one of them raises: none is counted then.
    """
    found = pending_games(among)
    if found:
        count_games(read_openings(found))
    return found


def read_openings(games: Sequence[Game]) -> list[CountedGame]:
    """Return the openings of ended games, with their present groups."""
    groups, joints = _groups_of(games), _joints_of(game.pk for game in games)
    return [_opening_of(game, groups[game.pk], joints[game.pk]) for game in games]


def read_counted(groups: Mapping[Game, str]) -> list[CountedGame]:
    """Return the openings of games that have been counted in some groups."""
    joints = _joints_of(game.pk for game in groups)
    return [_opening_of(game, group, joints[game.pk]) for game, group in groups.items()]


def _opening_of(game: Game, group: str, joints: Sequence[dict[Role, str]]) -> CountedGame:
    turns = opening_turns(rules_of(game.rules), joints)
    return CountedGame(
        game.pk, group if len(turns) >= MIN_TURNS else NOT_COUNTED, game.winner, turns
    )


@transaction.atomic
def count_games(openings: Sequence[CountedGame]) -> list[int]:
    """Count games in one transaction; return the ids of those that were not counted before.

    A game that another generation has counted keeps its group.
    """
    present = lock_generation()
    rows = OpeningGame.objects.filter(game__in=[each.game for each in openings])
    known = {row.game_id: row for row in rows}
    new = [each for each in openings if each.game not in known]
    again = [
        each._replace(group=known[each.game].group)
        for each in openings
        if each.game in known and known[each.game].generation != present
    ]
    OpeningGame.objects.bulk_create(
        OpeningGame(game_id=each.game, group=each.group, generation=present) for each in new
    )
    rows.filter(game__in=[each.game for each in again]).update(generation=present)
    add_rows(rows_of(each for each in (*new, *again) if each.group != NOT_COUNTED))
    return [each.game for each in (*new, *again)]


@transaction.atomic
def begin_rebuild() -> int:
    """Delete all counts and begin a generation, in which all games are pending; return its number.

    They are counted by `check.count_all`, which may be run again if it was interrupted.
    """
    present = lock_generation()
    OpeningCount.objects.filter(pk=ROW).update(generation=present + 1)
    delete_rows()
    return present + 1


def lock_generation() -> int:
    """Return the present generation, locked against changes and counts until the end."""
    OpeningCount.objects.get_or_create(pk=ROW)
    return OpeningCount.objects.select_for_update().get(pk=ROW).generation


def _groups_of(games: Sequence[Game]) -> dict[int, str]:
    """Return the group of each game, by the present ratings; three queries at most."""
    seats: dict[int, list[Seat]] = defaultdict(list)
    for seat in Seat.objects.filter(game__in=games).select_related("user"):
        seats[seat.game_id].append(seat)
    latest = max(game.ended or 0 for game in games)
    people = {seat.user_id for each in seats.values() for seat in each if not seat.user.is_bot}
    ratings = read_ratings(people, latest)
    groups = {}
    for game in games:
        users = [seat.user for seat in seats[game.pk]]
        level = next((user.level for user in users if user.level is not None), None)
        pool = pool_of_game(game.rules, game.clock_kind)
        shown = [ratings.shown(user.pk, pool) for user in users]
        points = [each.points if each else None for each in shown]
        is_alone = len({user.pk for user in users}) < 2  # a person against himself
        has_other_program = any(user.is_bot and user.level is None for user in users)
        is_left_out = is_alone or has_other_program
        groups[game.pk] = NOT_COUNTED if is_left_out else group_of(level, points)
    return groups


def _joints_of(games: Iterable[int]) -> Mapping[int, list[dict[Role, str]]]:
    """Return the first steps of games that stand, by game; one query."""
    found: dict[int, list[dict[Role, str]]] = defaultdict(list)
    steps = Step.objects.filter(game__in=list(games), undone=None, number__lt=MAX_STEPS)
    for game, joint in steps.order_by("game", "number").values_list("game", "joint"):
        found[game].append(decode_joint(joint))
    return found
