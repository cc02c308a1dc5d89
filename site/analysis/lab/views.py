"""Pages of the Blotto lab."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from analysis.lab.blotto_rounds import MAX_GAMES, own_rounds, rounds_of
from games.catalogue import BLOTTO
from games.core import Role
from games.players.blotto.lab_table import lab_table
from play.domain.game_state import GameState
from play.views import load_visible_game

ROLES: tuple[Role, Role] = ("white", "black")


@require_safe
@never_cache
@gzip_page
def game_lab(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the lab of an ended game of Blotto, from the side of the visitor's seat or of either.

    There is no such page while the game runs, so that it reveals nothing.
    """
    game = load_visible_game(request, slug)
    if game.rules.key != BLOTTO.key or game.ending is None:
        raise Http404
    own = game.role_of(request.user.pk)
    sides = [_side(game, role, is_own=role == own) for role in ROLES]
    sides.sort(key=lambda side: not side["is_own"])
    return render(request, "analysis/lab.html", {"game": game, "lab": _lab(sides), "own": own})


@require_safe
@never_cache
@gzip_page
def own_lab(request: HttpRequest) -> HttpResponse:
    """Show the lab of all the visitor's ended games of Blotto; without any, the trainer alone."""
    games = own_rounds(request.user) if request.user.is_authenticated else []
    rounds = [(each.url, each.rounds) for each in games]
    side = {"name": "", "is_own": True, "games": rounds}
    context = {"lab": _lab([side]), "count": len(games), "is_cut": len(games) == MAX_GAMES}
    return render(request, "analysis/lab.html", context)


def _side(game: GameState, role: Role, *, is_own: bool) -> dict[str, Any]:
    rounds = rounds_of(game, role)
    return {"name": game.people[role].name, "is_own": is_own, "games": [("", rounds)]}


def _lab(sides: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the input data of the page's script."""
    return {"table": lab_table(), "sides": sides}
