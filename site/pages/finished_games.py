"""List of recently finished games, as small boards with their result."""

import logging
from typing import Any

from games.catalogue import rules_of
from lobby.game_texts import kind_of, name_of, result_text
from lobby.public_lists import SEATED, readable_rows
from play.models import Game

log = logging.getLogger("quiver.pages")
MAX_FINISHED_GAMES = 12


def finished_games(key: str = "") -> list[dict[str, Any]]:
    """Returns the newest public games with a result, in a constant number of queries.

    `key` empty: all rule sets.
    """
    games = Game.objects.counted().filter(is_public=True)
    if key:
        games = games.filter(rules=key)
    newest = games.order_by("-ended").prefetch_related(SEATED)
    return readable_rows(newest[:MAX_FINISHED_GAMES], _item, log)


def _item(game: Game) -> dict[str, Any]:
    rules = rules_of(game.rules)
    seats = game.seats.all()
    names = {seat.role: seat.user.username for seat in seats}
    return {
        **{f"{seat.role}_is": kind_of(seat.user.is_bot) for seat in seats},
        "url": game.get_absolute_url(),
        "slug": game.slug,
        "key": game.rules,
        "name": name_of(game.rules),
        "white": names["white"],
        "black": names["black"],
        "say": result_text(game, names),
        "view": rules.view(rules.read(game.position), None),
        "last": [],
    }
