"""Games that ended last, as small boards with their result."""

import logging
from typing import Any

from games.catalogue import rules_of
from lobby.endings import result_of
from lobby.lists import SEATED
from lobby.rows import readable
from lobby.words import kind_of, name_of
from play.models import Game

log = logging.getLogger("quiver.pages")
MOST = 12


def finished(key: str = "") -> list[dict[str, Any]]:
    """The newest public games with a result, of one rule set or of all: so many queries always."""
    games = Game.objects.counted().filter(is_public=True)
    if key:
        games = games.filter(rules=key)
    newest = games.order_by("-ended").prefetch_related(SEATED)
    return readable(newest[:MOST], _item, log)


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
        "say": result_of(game, names),
        "view": rules.view(rules.read(game.position), None),
        "last": [],
    }
