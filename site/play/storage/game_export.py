"""Export a user's games as plain JSON, limited to what the user could see.

This is an allow-list: resolved steps, and only the user's own sealed action
and conditional replies.
"""

import json
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from play.models import Game, ReplyPlan, Sealed, Seat, Step

GAMES_PER_QUERY = 100  # games read together


def export_games(user: int) -> Iterator[dict[str, Any]]:
    """Yield every game in which a user holds a seat, the oldest first."""
    keys = list(Game.objects.filter(seats__user=user).order_by("pk").values_list("pk", flat=True))
    for first in range(0, len(keys), GAMES_PER_QUERY):
        yield from _export_rows(user, keys[first : first + GAMES_PER_QUERY])


def _export_rows(user: int, keys: list[int]) -> Iterator[dict[str, Any]]:
    seats: dict[int, dict[str, Seat]] = defaultdict(dict)
    for seat in Seat.objects.filter(game__in=keys).select_related("user").order_by("pk"):
        seats[seat.game_id][seat.role] = seat
    steps: dict[int, list[Any]] = defaultdict(list)
    for step in Step.objects.filter(game__in=keys, undone=None).order_by("number"):
        steps[step.game_id].append(json.loads(step.joint))
    own: dict[int, str] = {}
    for seal in Sealed.objects.filter(game__in=keys):
        holder = seats[seal.game_id].get(seal.role)
        if holder is not None and holder.user_id == user:
            own[seal.game_id] = seal.action
    replies: dict[int, Any] = {}
    for plan in ReplyPlan.objects.filter(game__in=keys):
        holder = seats[plan.game_id].get(plan.role)
        if holder is not None and holder.user_id == user:
            replies[plan.game_id] = json.loads(plan.lines)
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
            "rated": game.is_rated,
            "counted": game.is_counted,
            "started": game.created,
            "ended": game.ended,
            "winner": game.winner or None,
            "reason": game.reason or None,
            "steps": steps[game.pk],
            "your_seal": own.get(game.pk),
            "your_conditional_moves": replies.get(game.pk, []),
        }
