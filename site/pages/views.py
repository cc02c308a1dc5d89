"""Views for the front page, the watch page, robots.txt and the icon."""

import msgspec
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from lobby.game_texts import short_name
from lobby.lobby_options import PRESETS
from lobby.play_now import usual_options
from lobby.public_lists import initial_frame
from pages.finished_games import finished_games
from pages.game_cards import CARDS, card_pictures

MAX_HOME_GAMES = 4


@require_safe
@never_cache
@gzip_page
def home(request: HttpRequest) -> HttpResponse:
    """Shows the five games, the user's own games, and open lobbies and running games."""
    context = {
        "cards": [(card, usual_options(card.key)) for card in CARDS],
        "pictures": card_pictures(),
        "lists": msgspec.to_builtins(initial_frame()),
        "most_games": MAX_HOME_GAMES,
    }
    return render(request, "pages/home.html", context)


@require_safe
@never_cache
@gzip_page
def watch(request: HttpRequest) -> HttpResponse:
    """Shows public running games and recently finished ones; `?game=` selects a rule set."""
    asked = request.GET.get("game", "")
    key = asked if asked in PRESETS else ""
    context = {
        "key": key,
        "choices": [(each, short_name(each)) for each in PRESETS],
        "lists": msgspec.to_builtins(initial_frame(key)),
        "finished": msgspec.to_builtins(finished_games(key)),
    }
    return render(request, "pages/watch.html", context)


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Excludes crawlers from lobbies, whose addresses grant access."""
    return render(request, "robots.txt", content_type="text/plain; charset=utf-8")


@require_safe
def icon(request: HttpRequest) -> HttpResponse:
    """Redirects browsers that request /favicon.ico to the icon."""
    return redirect(static("img/favicon.svg"))
