"""The address of a game's picture."""

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils.http import parse_etags
from django.views.decorators.http import require_safe

from play.picture.card import drawn
from play.picture.facts import Facts, facts_of
from play.views import seen_by

WEEK = 7 * 24 * 3600  # a finished game changes only if somebody is renamed
MOMENT = 15  # seconds


@require_safe
def picture(request: HttpRequest, slug: str) -> HttpResponse:
    """The game as a spectator sees it now, or its end. Who may not look gets neither."""
    live = seen_by(request, slug)
    facts = facts_of(live)
    response: HttpResponse
    if facts.tag in parse_etags(request.headers.get("If-None-Match", "")):
        response = HttpResponseNotModified()
    else:
        response = HttpResponse(drawn(facts), content_type="image/png")
    response["ETag"] = facts.tag
    response["Cache-Control"] = _kept(facts, live.watch)
    response["Cross-Origin-Resource-Policy"] = "cross-origin"  # chats show it beside a link
    return response


def _kept(facts: Facts, is_open: bool) -> str:
    """For how long, and by whom, the picture may be kept."""
    if facts.is_over:
        return f"public, max-age={WEEK}"
    return f"public, max-age={MOMENT}" if is_open else "private, no-store"
