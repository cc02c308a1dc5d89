"""Games that ended last, as small boards with their result."""

import logging
from typing import Any

import msgspec

from games.catalogue import rules_of
from lobby.rows import readable
from play.models import Game

log = logging.getLogger("quiver.pages")
MOST = 12
DRAWN = {
    "agreed": "drawn by agreement",
    "no_arrows": "drawn: 50 goes without an arrow",
    "too_long": "drawn after 400 goes",
    "both_flagged": "drawn: both ran out of time",
    "aborted": "broken off",
}
WON = {"resigned": "by resignation", "time": "on time"}


def finished() -> list[dict[str, Any]]:
    """The newest public games with a result: a fixed number of queries."""
    games = Game.objects.over().public().order_by("-ended").prefetch_related("seats__user")
    return readable(games[:MOST], _item, log)


def _item(game: Game) -> dict[str, Any]:
    rules = rules_of(game.rules)
    names = {seat.role: seat.user.username for seat in game.seats.all()}
    return {
        "url": game.get_absolute_url(),
        "slug": game.slug,
        "key": game.rules,
        "name": rules.name,
        "white": names["white"],
        "black": names["black"],
        "say": _result(game, names),
        "view": rules.view(rules.read(game.position), None),
        "last": [],
    }


def _result(game: Game, names: dict[str, str]) -> str:
    goals = msgspec.json.decode(game.goals, type=dict[str, int])
    score = f" {goals['white']} to {goals['black']}" if game.reason == "rounds" else ""
    if not game.winner:
        return (DRAWN.get(game.reason) or f"drawn{score}").capitalize()
    return f"{names[game.winner]} won {WON.get(game.reason, '')}{score}".replace("  ", " ").strip()
