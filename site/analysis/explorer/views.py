"""`/explorer/RULES.json`: the turns played from a position; public, see README.md."""

from typing import Any, Final

from django.http import Http404, HttpRequest, JsonResponse
from django.utils.cache import patch_cache_control
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from analysis.explorer.counting import BOARD_RULES
from analysis.explorer.groups import EVERYONE, GROUPS
from analysis.explorer.openings import ListedTurn, Results, newest_games, read_opening
from games.catalogue import rules_of
from play.models import Game

MAX_POSITION_CHARS: Final = 200  # longer than any position
CACHED_S: Final = 60


@require_safe
@gzip_page
def explorer(request: HttpRequest, key: str) -> JsonResponse:
    """Answer with the turns played from a position, their results, and the newest games.

    The query has `position`, as `Rules.write` writes it (default: the start), and `group`, one of
    `groups.GROUPS`. 400 for others; 404 for rules without a board.
    """
    if key not in BOARD_RULES:
        raise Http404
    rules = rules_of(key)
    text = request.GET.get("position", "") or rules.write(rules.start())
    group = request.GET.get("group", EVERYONE)
    if group not in GROUPS:
        return _refuse(f"The group is one of {', '.join(GROUPS)}.")
    if len(text) > MAX_POSITION_CHARS:
        return _refuse(f"The position has more than {MAX_POSITION_CHARS} characters.")
    try:
        state = rules.read(text)
    except ValueError as error:
        return _refuse(f"That is no position of {rules.name}: {error}.")
    opening = read_opening(rules, state, group)
    answer = JsonResponse(
        {
            "rules": key,
            "position": rules.write(state),
            "group": group,
            "groups": list(GROUPS),
            **_results_json(opening.results),
            "turns": [_turn_json(turn) for turn in opening.turns],
            "left_out": opening.left_out,
            "newest": [_game_json(game) for game in newest_games(opening)],
        }
    )
    patch_cache_control(answer, public=True, max_age=CACHED_S)
    return answer


def _refuse(say: str) -> JsonResponse:
    return JsonResponse({"error": say}, status=400)


def _results_json(results: Results) -> dict[str, int]:
    return {
        "games": results.games,
        "white": results.white,
        "draws": results.draws,
        "black": results.black,
    }


def _turn_json(turn: ListedTurn) -> dict[str, Any]:
    return {"turn": turn.text, "actions": turn.actions, **_results_json(turn.results)}


def _game_json(game: Game) -> dict[str, Any]:
    names = {seat.role: seat.user.username for seat in game.seats.all()}
    return {
        "url": game.get_absolute_url(),
        "white": names["white"],
        "black": names["black"],
        "winner": game.winner or None,
        "ended": game.ended,
    }
