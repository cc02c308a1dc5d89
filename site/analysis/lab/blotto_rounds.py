"""Rounds of ended games of Blotto, for the lab."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from django.urls import reverse

from accounts.models import User
from games.catalogue import BLOTTO
from games.core import OTHER, Role
from games.players.blotto.splits import INDEX
from play.domain.game_state import GameState
from play.models import Seat, Step
from play.storage import load

MAX_GAMES: Final = 200  # the newest; 1,000 rounds
Pair = tuple[int, int]  # indices of the player's split and the opponent's in `SPLITS`


@dataclass(frozen=True, slots=True)
class PlayedRounds:
    """The rounds of one game from one role's side."""

    url: str  # of the game
    rounds: list[Pair]


def rounds_of(game: GameState, role: Role) -> list[Pair]:
    """Return the rounds of an ended game that stand, from a role's side. One query."""
    steps = load.steps_of(game.id, game.rev, 0, game.step)
    return [_pair(step.joint, role) for step in steps]


def own_rounds(user: User) -> list[PlayedRounds]:
    """Return the rounds of a user's newest games with a result, the oldest first. Two queries."""
    seats = Seat.objects.counted().filter(user=user, rules=BLOTTO.key).select_related("game")
    newest = list(seats.order_by("-id")[:MAX_GAMES])
    roles: dict[int, Role] = {seat.game_id: seat.role for seat in newest}  # type: ignore[misc]
    rounds = _read_rounds(roles)
    return [
        PlayedRounds(reverse("game-lab", args=[seat.game.slug]), rounds[seat.game_id])
        for seat in reversed(newest)
        if rounds[seat.game_id]
    ]


def _read_rounds(roles: Mapping[int, Role]) -> Mapping[int, list[Pair]]:
    """Return the rounds of some games by game; `roles` has the side to take in each."""
    rounds: defaultdict[int, list[Pair]] = defaultdict(list)
    steps: Iterable[tuple[int, str]] = (
        Step.objects.filter(game__in=roles, undone=None)
        .order_by("game", "number")
        .values_list("game", "joint")
    )
    for game, joint in steps:
        rounds[game].append(_pair(joint, roles[game]))
    return rounds


def _pair(joint: str, role: Role) -> Pair:
    """Return a round from its stored step, {"white": "troops 6 4 0", "black": …}."""
    texts = json.loads(joint)
    own, other = (_index(texts[each]) for each in (role, OTHER[role]))
    return own, other


def _index(text: str) -> int:
    """Return the index of the split that a canonical action places."""
    return INDEX[tuple(map(int, text.split()[1:]))]
