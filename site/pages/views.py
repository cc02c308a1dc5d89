"""Views for the front page, the watch page, robots.txt and the icon."""

import msgspec
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from lobby.game_texts import short_name
from lobby.lobby_options import PRESETS
from lobby.public_lists import initial_frame
from pages.finished_games import finished_games, todays_results
from pages.game_cards import CARDS, card_pictures
from pages.restorable import restorable
from play.domain.clocks import now

MAX_HOME_GAMES = 4


@require_safe
@restorable
@gzip_page
def home(request: HttpRequest) -> HttpResponse:
    """Shows a live board, the ways to play, the five games, own games, open and live games."""
    lists = msgspec.to_builtins(initial_frame())
    featured = lists["featured"]
    context = {
        "cards": CARDS,
        "pictures": card_pictures(),
        "lists": lists,
        "featured": featured,
        "games": [
            game for game in lists["games"] if not featured or game["slug"] != featured["slug"]
        ],
        "most_games": MAX_HOME_GAMES,
        "results": todays_results(now()),
    }
    return render(request, "pages/home.html", context)


@require_safe
@restorable
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
