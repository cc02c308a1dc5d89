"""Mean expected points of people's revealed splits in Blotto against the equilibrium.

Includes public games of any speed, rated or not, that ended within the window of the leaderboards
and were not aborted: a few dozen rounds say more about a person's play than the results of duels.
"""

import json
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from games.blotto import Split
from games.players.blotto.equilibrium_score import mean_points
from games.rating.standing import UNIT
from play.models import COUNTED, Seat, Step
from ratings.leaderboards.ranking import WINDOW_MS
from ratings.models import Person

RULES = "blotto"
GAMES_A_QUERY = 500
PREFIX = "troops "


class RoundScore(NamedTuple):
    """A person's revealed rounds, and their mean points in thousandths."""

    rounds: int
    points: int


def read_round_scores(people: Collection[int], at: int) -> Mapping[int, RoundScore]:
    """Return the scores of people (their numbers in the log) at a time (epoch ms).

    People without a revealed round are left out.
    """
    splits: dict[int, list[Split]] = defaultdict(list)
    numbers = dict(Person.objects.filter(number__in=people).values_list("user", "number"))
    seats = Seat.objects.filter(
        user__in=numbers,
        rules=RULES,
        result__in=COUNTED,
        game__is_public=True,
        game__ended__gt=at - WINDOW_MS,
        game__ended__lte=at,
    )
    rows = iter(seats.order_by("game").values_list("game", "role", "user").iterator())
    while part := list(islice(rows, GAMES_A_QUERY)):
        for user, split in _splits_of(part):
            splits[user].append(split)
    return {
        numbers[user]: RoundScore(len(found), round(mean_points(found) * UNIT))
        for user, found in splits.items()
    }


def _splits_of(seats: Sequence[tuple[int, str, int]]) -> Iterator[tuple[int, Split]]:
    """Yield user and split of each round that was revealed at these seats."""
    by_game: dict[int, list[tuple[str, int]]] = defaultdict(list)
    for game, role, user in seats:
        by_game[game].append((role, user))
    steps = Step.objects.filter(game__in=by_game, undone=None).order_by("game", "number")
    for game, joint in steps.values_list("game", "joint").iterator():
        actions = json.loads(joint)
        for role, user in by_game[game]:
            action = actions.get(role, "")
            if action.startswith(PREFIX):
                yield user, tuple(int(troops) for troops in action.split()[1:])
