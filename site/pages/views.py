"""Views for the front page, the watch page, robots.txt and the icon."""

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from accounts.people.blocks import hidden_from, names_of
from accounts.restorable import restorable
from pages.game_cards import CARDS, card_pictures
from pages.page_lists import Reading, read_lists
from play.game_texts import short_name
from play.time_controls import PRESETS
from ratings.ladder.ladder_texts import boss_of
from watch.finished_games import finished_items, result_items
from watch.public_lists import list_frame

MAX_HOME_GAMES = 4


@require_safe
@restorable
@gzip_page
def home(request: HttpRequest) -> HttpResponse:
    """Shows a live board, the ways to play, the five games, own games, open and live games."""
    return _render(request, "pages/home.html", read_lists(), _home_page)


def _home_page(reading: Reading) -> dict[str, Any]:
    lists = msgspec.to_builtins(list_frame(reading.lists))
    featured = lists["featured"]
    return {
        "cards": CARDS,
        "pictures": card_pictures(),
        "lists": lists,
        "games": [
            game for game in lists["games"] if not featured or game["slug"] != featured["slug"]
        ],
        "most_games": MAX_HOME_GAMES,
        "results": result_items(reading.results),
        "daily": short_name(reading.daily) if reading.daily else "",
        "boss": boss_of(reading.boss, reading.boss_win),
    }


@require_safe
@restorable
@gzip_page
def watch(request: HttpRequest) -> HttpResponse:
    """Shows public running games and recently finished ones; `?game=` selects a rule set."""
    asked = request.GET.get("game", "")
    reading = read_lists(asked if asked in PRESETS else "")
    return _render(request, "pages/watch.html", reading, _watch_page)


def _watch_page(reading: Reading) -> dict[str, Any]:
    return {
        "key": reading.key,
        "choices": [(each, short_name(each)) for each in PRESETS],
        "lists": msgspec.to_builtins(list_frame(reading.lists)),
        "finished": msgspec.to_builtins(finished_items(reading.finished)),
    }


def _render(
    request: HttpRequest,
    template_name: str,
    reading: Reading,
    draw: Callable[[Reading], dict[str, Any]],
) -> HttpResponse:
    """Returns a page whose cached parts are drawn of the variables `page`, if one is missing.

    It shows nobody whom the reader has blocked, or who has blocked the reader.
    """
    if hidden := reading.names & names_of(hidden_from(request.user)):
        reading = reading.without(hidden, request.user.get_username())
    page = cache(partial(draw, reading))  # a template calls it
    return render(request, template_name, {"shown": reading, "page": page})


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Excludes crawlers from lobbies, whose addresses grant access."""
    return render(request, "robots.txt", content_type="text/plain; charset=utf-8")


@require_safe
def icon(request: HttpRequest) -> HttpResponse:
    """Redirects browsers that request /favicon.ico to the icon."""
    return redirect(static("img/favicon.svg"))
