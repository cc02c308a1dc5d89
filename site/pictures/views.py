"""Views for sharing a game: its picture, and the QR code of its address."""

import logging
from dataclasses import replace

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.urls import reverse
from django.utils.http import parse_etags
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.qr_codes import filled_qr_svg
from accounts.site_links import absolute_url
from pictures.card import card_png
from pictures.card_data import Facts, facts_after, facts_of, turns_of
from pictures.renderer import RenderError
from play.domain.game_state import GameState
from play.rating_source import player_ratings
from play.views import load_visible_game, load_visible_game_with_steps
from telemetry.redaction import shorten_key

ENDED_MAX_AGE_S = 7 * 24 * 3600  # an ended game changes only if a player is renamed
LIVE_MAX_AGE_S = 15  # seconds
RETRY_AFTER_S = 60
MAX_TURN_DIGITS = 4  # as in the addresses of pages

log = logging.getLogger("quiver.play")


@require_safe
def picture(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the picture of the game as a spectator sees it, now or after turn number `?turn=`.

    Those who may not see the game get a 404.
    """
    turn = request.GET.get("turn", "")
    if turn and not _is_turn(turn):
        return HttpResponse("turn is a number of a turn", status=400, content_type="text/plain")
    game, facts = _load_facts(request, slug, turn)
    response: HttpResponse
    if facts.tag in parse_etags(request.headers.get("If-None-Match", "")):
        response = HttpResponseNotModified()
    else:
        try:
            response = HttpResponse(card_png(facts), content_type="image/png")
        except RenderError as error:
            log.error(
                "picture_failed: the picture of game %s could not be rendered: %s",
                shorten_key(slug),
                error,
            )
            return HttpResponse(status=503, headers={"Retry-After": str(RETRY_AFTER_S)})
    response["ETag"] = facts.tag
    response["Cache-Control"] = _cache_control(game)
    response["Cross-Origin-Resource-Policy"] = "cross-origin"  # chats show it beside a link
    return response


@require_safe
@never_cache
def qr_code(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the QR code of the game's address as SVG, with `#N` in it for `?turn=N`.

    Those who may not see the game get a 404.
    """
    turn = request.GET.get("turn", "")
    if turn and not _is_turn(turn):
        return HttpResponse("turn is a number of a turn", status=400, content_type="text/plain")
    game = load_visible_game(request, slug)
    address = absolute_url(reverse("game", args=[game.slug]))
    svg = filled_qr_svg(f"{address}#{turn}" if turn else address)
    return HttpResponse(svg, content_type="image/svg+xml")


def _is_turn(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= MAX_TURN_DIGITS


def _load_facts(request: HttpRequest, slug: str, turn: str) -> tuple[GameState, Facts]:
    """Return the game and the data to draw; only a past position needs all steps."""
    if not turn:
        game = load_visible_game(request, slug)
        return game, replace(facts_of(game), ratings=player_ratings(game))
    game, done = load_visible_game_with_steps(request, slug)
    return game, replace(facts_after(game, turns_of(done), int(turn)), ratings=player_ratings(game))


def _cache_control(game: GameState) -> str:
    """Return the Cache-Control header: how long, and by whom, the picture may be kept."""
    if game.ending:
        return f"public, max-age={ENDED_MAX_AGE_S}"
    return f"public, max-age={LIVE_MAX_AGE_S}" if game.watch else "private, no-store"
