"""The view of a game's shared picture."""

import logging

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils.http import parse_etags
from django.views.decorators.http import require_safe

from play.picture.card import card_png
from play.picture.card_data import Facts, facts_of
from play.picture.renderer import RenderError
from play.views import load_visible_game

ENDED_MAX_AGE_S = 7 * 24 * 3600  # an ended game changes only if a player is renamed
LIVE_MAX_AGE_S = 15  # seconds
RETRY_AFTER_S = 60

log = logging.getLogger("quiver.play")


@require_safe
def picture(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the picture of the game as a spectator sees it now. Others get a 404."""
    game = load_visible_game(request, slug)
    facts = facts_of(game)
    response: HttpResponse
    if facts.tag in parse_etags(request.headers.get("If-None-Match", "")):
        response = HttpResponseNotModified()
    else:
        try:
            response = HttpResponse(card_png(facts), content_type="image/png")
        except RenderError as error:
            log.error(
                "picture_failed: the picture of game %s could not be rendered: %s", slug, error
            )
            return HttpResponse(status=503, headers={"Retry-After": str(RETRY_AFTER_S)})
    response["ETag"] = facts.tag
    response["Cache-Control"] = _cache_control(facts, game.watch)
    response["Cross-Origin-Resource-Policy"] = "cross-origin"  # chats show it beside a link
    return response


def _cache_control(facts: Facts, is_open: bool) -> str:
    """Return the Cache-Control header: how long, and by whom, the picture may be kept."""
    if facts.is_over:
        return f"public, max-age={ENDED_MAX_AGE_S}"
    return f"public, max-age={LIVE_MAX_AGE_S}" if is_open else "private, no-store"
