"""The games of one user, to be taken along: what they themselves could see, as plain JSON.

An allow-list: resolved turns, and of what is sealed the user's own alone.
"""

import json
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from play.models import Game, Sealed, Seat, Turn

AT_ONCE = 100  # games read together


def games_of(user: int) -> Iterator[dict[str, Any]]:
    """Every game in which a user holds a seat, the oldest first."""
    keys = list(Game.objects.filter(seats__user=user).order_by("pk").values_list("pk", flat=True))
    for first in range(0, len(keys), AT_ONCE):
        yield from _told(user, keys[first : first + AT_ONCE])


def _told(user: int, keys: list[int]) -> Iterator[dict[str, Any]]:
    seats: dict[int, dict[str, Seat]] = defaultdict(dict)
    for seat in Seat.objects.filter(game__in=keys).select_related("user"):
        seats[seat.game_id][seat.role] = seat
    turns: dict[int, list[Any]] = defaultdict(list)
    for turn in Turn.objects.filter(game__in=keys, undone=None).order_by("number"):
        turns[turn.game_id].append(json.loads(turn.joint))
    own: dict[int, str] = {}
    for seal in Sealed.objects.filter(game__in=keys):
        holder = seats[seal.game_id].get(seal.role)
        if holder is not None and holder.user_id == user:
            own[seal.game_id] = seal.action
    for game in Game.objects.filter(pk__in=keys).order_by("pk"):
        yield {
            "id": game.slug,
            "game": game.rules,
            "white": seats[game.pk]["white"].user.get_username(),
            "black": seats[game.pk]["black"].user.get_username(),
            "you": next(role for role, seat in seats[game.pk].items() if seat.user_id == user),
            "clock": [game.clock_kind, game.clock_initial, game.clock_increment],
            "public": game.is_public,
            "spectators": game.watch,
            "started": game.created,
            "ended": game.ended,
            "winner": game.winner or None,
            "reason": game.reason or None,
            "turns": turns[game.pk],
            "your_seal": own.get(game.pk),
        }
