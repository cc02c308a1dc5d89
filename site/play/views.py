"""The pages of a game. What they hold is what a spectator's or the seat's socket would get."""

import json
from datetime import UTC, datetime

import msgspec
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.http import content_disposition_header
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from games.catalogue import UnknownRules
from play import entries, reading, sight
from play.entries import Written
from play.live import Live


def seen_by(request: HttpRequest, slug: str) -> Live:
    """The game at an address. Raises Http404, which does not tell a game that this visitor may not
    look at from one that does not exist.

    A game whose rule set has been withdrawn is gone: nobody knows any more what its turns mean.
    """
    try:
        live = reading.fetch(slug)
    except UnknownRules as error:
        raise Http404 from error
    if live is None or not sight.may_look(live, request.user.pk):
        raise Http404
    return live


def _plain(value: object) -> object:
    """The value as plain JSON types, for Django's own encoder."""
    return msgspec.to_builtins(value)


@require_safe
@never_cache
def game(request: HttpRequest, slug: str) -> HttpResponse:
    """The page of a game, with the snapshot of whoever asks in it."""
    live = seen_by(request, slug)
    role = live.role_of(request.user.pk)
    snapshot = sight.snapshot(live, role or "spectator")
    context = {
        "game": live,
        "snapshot": _plain(snapshot),
        "turns": _plain([sight.turn(seen) for seen in reading.record(live)]),
    }
    answer = render(request, "play/game.html", context)
    # What lies sealed is not compressed: the length of the page would tell of it.
    return answer if snapshot["your_seal"] else gzip_page(lambda request: answer)(request)


@require_safe
@never_cache
@gzip_page
def turns(request: HttpRequest, slug: str) -> HttpResponse:
    """Resolved turns from number `from` on, each with the position after it; and the first one."""
    start = request.GET.get("from", "0")
    if not start.isascii() or not start.isdigit() or len(start) > 6:
        return JsonResponse({"error": "from is a number of a turn"}, status=400)
    live = seen_by(request, slug)
    shown = sight.turns(reading.replayed(live), live, int(start))
    return JsonResponse({"start": _plain(sight.beginning(live)), "turns": _plain(shown)})


@require_safe
@never_cache
def ledger(request: HttpRequest, slug: str) -> HttpResponse:
    """The page of a game's ledger: every entry, for whoever may look at the game."""
    live = seen_by(request, slug)
    context = {"game": live, "ledger": _ledger(live, entries.ledger(live))}
    return render(request, "play/ledger.html", context)


@require_safe
@never_cache
def ledger_json(request: HttpRequest, slug: str) -> HttpResponse:
    """The ledger for programs: texts and hashes to the byte, so that they can be checked."""
    live = seen_by(request, slug)
    return JsonResponse(_ledger(live, entries.ledger(live)))


def _ledger(live: Live, written: list[Written]) -> dict[str, object]:
    return {
        "game": live.slug,
        "key": live.rules.key,
        "rev": live.rev,
        "head": live.head,
        "entries": _plain(written),
    }


@require_safe
@never_cache
def record(request: HttpRequest, slug: str) -> HttpResponse:
    """The resolved turns and the ledger as `python -m games` reads them, to be kept as a file."""
    live = seen_by(request, slug)
    rows = reading.turns_of(live.id, live.rev, 0, live.turn)
    joints = [json.loads(row.joint) for row in rows]
    both = live.rules.kind == "split"
    body = {
        "game": live.rules.key,
        "id": live.slug,
        "actions": [[j["white"], j["black"]] if both else next(iter(j.values())) for j in joints],
        "white": live.people["white"].name,
        "black": live.people["black"].name,
        "result": _plain(live.ending),
        "clock": _plain(live.clock),
        "ledger": _plain(entries.ledger(live)),
    }
    day = datetime.fromtimestamp(live.started / 1000, UTC).date()
    name = f"{live.rules.key}-{body['white']}-{body['black']}-{day}.json"
    headers = {"Content-Disposition": content_disposition_header(True, name)}
    return JsonResponse(body, headers=headers)
