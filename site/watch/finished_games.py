"""Lists of recently finished games: small boards with their result, and today's results."""

import logging
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.catalogue import rules_of
from play.game_texts import Text, kind_of, name_of, result_text
from play.models import Game, GameQuerySet
from watch.listed_games import SEATED, readable_rows

log = logging.getLogger("quiver.watch")
MAX_FINISHED_GAMES = 12
MAX_RESULTS = 8
RESULTS_WITHIN_MS = 24 * 60 * 60 * 1000  # so that the list is not empty after midnight
WAYS: Mapping[str, Text] = {  # by reason of the end, in a few words
    "resigned": gettext_lazy("resigned"),
    "time": gettext_lazy("on time"),
    "abandoned": gettext_lazy("opponent left"),
    "agreed": gettext_lazy("by agreement"),
    "no_moves": gettext_lazy("no moves left"),
    "decided": gettext_lazy("decided"),
}


def newest_finished(key: str = "") -> list[Game]:
    """Returns the newest public games with a result, in a constant number of queries.

    `key` empty: all rule sets.
    """
    games = _shown_games()
    return _newest(games.filter(rules=key) if key else games, MAX_FINISHED_GAMES)


def newest_results(at: int) -> list[Game]:
    """Returns people's newest public games that ended in the day before `at` (epoch ms)."""
    games = _shown_games().filter(ended__gt=at - RESULTS_WITHIN_MS).with_people()
    return _newest(games, MAX_RESULTS)


def finished_items(games: Iterable[Game]) -> list[dict[str, Any]]:
    """Returns the boards of finished games, in the active language."""
    return readable_rows(games, _item, log)


def result_items(games: Iterable[Game]) -> list[dict[str, Any]]:
    """Returns results in few words, in the active language."""
    return readable_rows(games, _result, log)


def _shown_games() -> GameQuerySet:
    """Returns public games with a result and at least one step, without deleted users."""
    games = Game.objects.counted().filter(is_public=True, step__gt=0)
    return games.without_deleted_users()


def _newest(games: GameQuerySet, count: int) -> list[Game]:
    return list(games.order_by("-ended").prefetch_related(SEATED)[:count])


def _result(game: Game) -> dict[str, Any]:
    """Returns a result in few words: winner, opponent, game and reason.

    Raises if the position is damaged, since the page that it links to could not show it.
    """
    rules_of(game.rules).read(game.position)
    names = {seat.role: seat.user.username for seat in game.seats.all()}
    way = WAYS.get(game.reason)
    if game.reason == "rounds":
        goals = msgspec.json.decode(game.goals, type=dict[str, int])
        first, second = sorted((goals["white"], goals["black"]), reverse=True)
        way = f"{first}–{second}"
    parts = [name_of(game.rules), *([str(way)] if way else [])]
    return {
        "url": game.get_absolute_url(),
        "say": _who_won(game.winner, names),
        "how": " · ".join(parts),
    }


def _who_won(winner: str, names: Mapping[str, str]) -> str:
    if not winner:
        return _("%(white)s drew with %(black)s") % names
    loser = "black" if winner == "white" else "white"
    return _("%(winner)s beat %(loser)s") % {"winner": names[winner], "loser": names[loser]}


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
