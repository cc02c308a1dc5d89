"""The pages of a game, with the same data as the visitor's socket."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import msgspec
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.html import json_script
from django.utils.http import content_disposition_header
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from games.catalogue import UnknownRules
from play.domain import clocks, visibility
from play.domain.game_state import GameState, ReplayedStep
from play.domain.wire_types import ENCODER
from play.storage import ledger_entries, load
from play.storage.ledger_entries import LedgerEntry

INDENTATION = re.compile(rb"\n\s+")  # of templates; 300 bytes of a compressed page


@dataclass(frozen=True, slots=True)
class PageLayout:
    """All that the cached parts of a game's page are drawn from, and by which they are cached.

    Nothing in it names a game or a reader, so games of one kind share the parts.
    """

    key: str
    name: str  # of the rule set
    clock_kind: str
    is_live: bool
    is_player: bool
    is_rated: bool
    is_public: bool
    has_bot: bool
    is_counted: bool


class MsgspecEncoder(json.JSONEncoder):
    """Encodes structs as they are: 133 steps in 0.13 ms, Django's encoder needs 0.9."""

    def encode(self, o: object) -> str:
        """Return the value as JSON."""
        return ENCODER.encode(o).decode()


def load_visible_game(request: HttpRequest, slug: str) -> GameState:
    """Return the game of an address; raise what `load_visible_game_with_steps` raises."""
    return load_visible_game_with_steps(request, slug)[0]


def load_visible_game_with_steps(
    request: HttpRequest, slug: str
) -> tuple[GameState, Sequence[ReplayedStep]]:
    """Return the game of an address, and its resolved steps.

    Raise Http404 if there is none, or if this visitor may not see it; the two look the same. A game
    whose rule set was withdrawn is gone too, because its steps cannot be read any more.
    """
    try:
        found = load.find(slug)
    except UnknownRules as error:
        raise Http404 from error
    if found is None or not visibility.may_watch(found[0], request.user.pk):
        raise Http404
    return found


def _plain(value: object) -> object:
    """Return the value as plain JSON types, for Django's own encoder."""
    return msgspec.to_builtins(value)


@require_safe
@never_cache
def game(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the page of a game, with the visitor's snapshot in it."""
    live, done = load_visible_game_with_steps(request, slug)
    role = live.role_of(request.user.pk)
    snapshot = visibility.snapshot(live, role or "spectator", clocks.now())
    steps = [visibility.step_json(each.seen) for each in done]
    context = {
        "game": live,
        "layout": _layout(live, is_player=role is not None),
        "snapshot": snapshot,
        "snapshot_script": json_script(snapshot, "snapshot", MsgspecEncoder),
        "steps_script": json_script(steps, "played-steps", MsgspecEncoder),
    }
    answer = render(request, "play/game.html", context)
    answer.content = INDENTATION.sub(b"\n", answer.content)
    # A page with a sealed action is not compressed: its length would reveal the action.
    return answer if snapshot["your_seal"] else gzip_page(lambda request: answer)(request)


def _layout(game: GameState, *, is_player: bool) -> PageLayout:
    return PageLayout(
        key=game.rules.key,
        name=game.rules.name,
        clock_kind=game.clock.kind,
        is_live=game.ending is None,
        is_player=is_player,
        is_rated=game.is_rated,
        is_public=game.public,
        has_bot=game.has_bot,
        is_counted=game.is_counted,
    )


@require_safe
@never_cache
@gzip_page
def steps(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the steps from number `from` on, each with the position after it.

    The position before the first step is added.
    """
    start = request.GET.get("from", "0")
    if not start.isascii() or not start.isdigit() or len(start) > 6:
        return JsonResponse({"error": "from is a number of a step"}, status=400)
    live, done = load_visible_game_with_steps(request, slug)
    shown = visibility.steps_json(done, live, int(start))
    return JsonResponse({"start": _plain(visibility.start_view(live)), "steps": _plain(shown)})


@require_safe
@never_cache
def standing(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the proven facts after `step` steps: regions, sure turns, and the winner.

    Spectators of casual games get it while the game runs, everybody after the end: 403 before.
    """
    live, done = load_visible_game_with_steps(request, slug)
    if not visibility.may_see_proven_facts(live, request.user.pk):
        return JsonResponse({"error": "this is shown after the end"}, status=403)
    number = request.GET.get("step", "")
    if not number.isascii() or not number.isdigit() or len(number) > 6:
        return JsonResponse({"error": "step is a number of steps"}, status=400)
    step = int(number)
    if step > len(done):
        return JsonResponse({"error": "the game has no such step"}, status=404)
    state = done[step - 1].state if step else live.rules.start()
    found = visibility.proven_facts_json(live.rules, state, is_counted=live.is_counted)
    return JsonResponse({"step": step, **found})


@require_safe
@never_cache
def ledger(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a game's ledger: every entry, for anyone who may see the game."""
    live = load_visible_game(request, slug)
    context = {"game": live, "ledger": _ledger(live, ledger_entries.ledger(live))}
    return render(request, "play/ledger.html", context)


@require_safe
@never_cache
def ledger_json(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the ledger for programs: exact texts and hashes, so that they can be checked."""
    live = load_visible_game(request, slug)
    return JsonResponse(_ledger(live, ledger_entries.ledger(live)))


def _ledger(game: GameState, written: list[LedgerEntry]) -> dict[str, object]:
    return {
        "game": game.slug,
        "key": game.rules.key,
        "rev": game.rev,
        "head": game.head,
        "entries": _plain(written),
    }


@require_safe
@never_cache
def record(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the resolved steps and the ledger as a file that `python -m games` reads."""
    live = load_visible_game(request, slug)
    rows = load.steps_of(live.id, live.rev, 0, live.step)
    joints = [json.loads(row.joint) for row in rows]
    both = live.rules.is_simultaneous
    body = {
        "game": live.rules.key,
        "id": live.slug,
        "actions": [[j["white"], j["black"]] if both else next(iter(j.values())) for j in joints],
        "white": live.people["white"].name,
        "black": live.people["black"].name,
        "result": _plain(live.ending),
        "clock": _plain(live.clock),
        "rated": live.is_rated,
        "counted": live.is_counted,
        "ledger": _plain(ledger_entries.ledger(live)),
    }
    day = datetime.fromtimestamp(live.started / 1000, UTC).date()
    name = f"{live.rules.key}-{body['white']}-{body['black']}-{day}.json"
    headers = {"Content-Disposition": content_disposition_header(True, name)}
    return JsonResponse(body, headers=headers)
