"""The analysis board: of a finished game, and of a rule set from its start."""

from typing import Any, Final

import msgspec
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_POST, require_safe

from analysis.board.game_positions import whole_turns
from analysis.board.level_choices import level_choices
from analysis.board.position_tree import (
    ROOT,
    IllegalTurn,
    InvalidTree,
    NodeRequest,
    node_json,
    play_tree,
    position_json,
    snapshot_json,
)
from analysis.reviews.reviews import ENGINES, published_review
from games.catalogue import RULES, rules_of
from games.core import Role, Rules
from play.domain.game_state import GameState
from play.domain.visibility import proven_facts_json
from play.game_texts import figure_of, name_of, side_names
from play.views import load_visible_game

MAX_REQUEST_BYTES: Final = 65_536  # of the longest tree


class TreeRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A tree, and the node whose position is to be played on; -1 is the start."""

    nodes: list[NodeRequest]
    at: int | None = None  # None: no position is to be played on
    standing: bool = False  # whether to return the proven facts of that position
    counted: bool = False  # whether the game may end by a count of squares


DECODER: Final = msgspec.json.Decoder(TreeRequest)


@require_safe
@never_cache
@gzip_page
def game_analysis(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the analysis of an ended game of a rule set in which one role acts at a time.

    There is no such page while the game runs: it would help a player.
    """
    game = load_analysed_game(request, slug)
    assert game.ending is not None
    turns = [NodeRequest(at - 1, actions) for at, (actions, _) in enumerate(whole_turns(game))]
    nodes = play_tree(game.rules, turns)
    names: dict[Role, str] = {role: person.name for role, person in game.people.items()}
    context = board_context(game.rules, names, [node_json(game.rules, node) for node in nodes])
    context["analysis"]["result"] = {"winner": game.ending.winner or None}
    context["analysis"]["you"] = game.role_of(request.user.pk)
    context["analysis"]["counted"] = game.is_counted
    context["analysis"]["review"] = published_review(game)
    context["analysis"]["mayPublish"] = game.rules.key in ENGINES and is_account(request)
    context["levels"] = level_choices(game.rules.key, game)
    return render(request, "analysis/board.html", {**context, "game": game})


@require_safe
@never_cache
@gzip_page
def analysis(request: HttpRequest, key: str) -> HttpResponse:
    """Show an empty analysis board of a rule set."""
    rules = board_rules(key)
    context = board_context(rules, side_names(key), [])
    context["levels"] = level_choices(key, None)
    return render(request, "analysis/board.html", context)


@require_POST
def tree(request: HttpRequest, key: str) -> JsonResponse:
    """Play the turns of a tree, and return the positions after them; nothing is stored."""
    rules = board_rules(key)
    if int(request.headers.get("Content-Length") or 0) > MAX_REQUEST_BYTES:
        return JsonResponse({"error": "the body is too long"}, status=413)
    try:
        asked = DECODER.decode(request.body)
        nodes = play_tree(rules, asked.nodes)
    except (msgspec.MsgspecError, InvalidTree) as error:
        return JsonResponse({"error": str(error)}, status=400)
    except IllegalTurn as refusal:
        found = {"index": refusal.index, "say": str(refusal), "squares": refusal.squares}
        return JsonResponse({"refused": found})
    answer: dict[str, Any] = {"nodes": [node_json(rules, node) for node in nodes]}
    if asked.at is not None:
        if not ROOT <= asked.at < len(nodes):
            return JsonResponse({"error": "there is no such turn"}, status=400)
        state = rules.start() if asked.at == ROOT else nodes[asked.at].state
        answer["snapshot"] = snapshot_json(rules, state, side_names(key))
        if asked.standing:
            answer["standing"] = proven_facts_json(rules, state, is_counted=asked.counted)
    return JsonResponse(answer)


def load_analysed_game(request: HttpRequest, slug: str) -> GameState:
    """Return an ended game that this visitor may see. Raise Http404 for any other."""
    game = load_visible_game(request, slug)
    if game.rules.is_simultaneous or game.ending is None:
        raise Http404
    return game


def is_account(request: HttpRequest) -> bool:
    """Return whether the visitor is signed in to an account."""
    return request.user.is_authenticated and request.user.is_account


def board_rules(key: str) -> Rules[Any]:
    """Return a rule set in which one role acts at a time. Raise Http404 for others."""
    if key not in RULES or rules_of(key).is_simultaneous:
        raise Http404
    return rules_of(key)


def board_context(
    rules: Rules[Any], names: dict[Role, str], nodes: list[dict[str, Any]]
) -> dict[str, Any]:
    """Return the context of a page with an analysis board; `analysis` is the script's data."""
    start = rules.start()
    return {
        "key": rules.key,
        "name": name_of(rules.key),
        "figures": {role: figure_of(rules.key, role) for role in rules.roles},
        "analysis": {
            "key": rules.key,
            "names": names,
            "start": position_json(rules, start),
            "snapshot": snapshot_json(rules, start, names),
            "nodes": nodes,
            "result": None,
            "you": None,
            "counted": False,
            "review": None,
            "mayPublish": False,
        },
    }
