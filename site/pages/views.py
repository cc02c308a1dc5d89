"""Views for the front page, the watch page, robots.txt and the icon."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from accounts.blocks import hidden_from, names_of
from lobby.game_texts import short_name
from lobby.lobby_options import PRESETS
from lobby.public_lists import list_frame
from page_cache.shared_page import render_shared
from pages.finished_games import finished_items, result_items
from pages.game_cards import CARDS, card_pictures
from pages.ladder_pages.ladder_texts import boss_of
from pages.list_readings import Reading
from pages.page_lists import PAGE_LISTS
from pages.restorable import restorable

MAX_HOME_GAMES = 4


@require_safe
@restorable
@gzip_page
def home(request: HttpRequest) -> HttpResponse:
    """Shows a live board, the ways to play, the five games, own games, open and live games."""
    reading = PAGE_LISTS.read()
    if request.user.get_username() in reading.hosts:  # their own rows differ
        shown = _visible_part(request, reading) or reading
        return render(request, "pages/home.html", _home_context(shown))
    return _render(request, "pages/home.html", reading, _home_context)


def _home_context(reading: Reading) -> dict[str, Any]:
    lists = msgspec.to_builtins(list_frame(reading.lists))
    featured = lists["featured"]
    return {
        "cards": CARDS,
        "pictures": card_pictures(),
        "lists": lists,
        "featured": featured,
        "games": [
            game for game in lists["games"] if not featured or game["slug"] != featured["slug"]
        ],
        "most_games": MAX_HOME_GAMES,
        "results": result_items(reading.finished.results),
        "daily": short_name(reading.finished.daily) if reading.finished.daily else "",
        "boss": boss_of(reading.finished.boss, reading.finished.boss_win),
    }


@require_safe
@restorable
@gzip_page
def watch(request: HttpRequest) -> HttpResponse:
    """Shows public running games and recently finished ones; `?game=` selects a rule set."""
    asked = request.GET.get("game", "")
    reading = PAGE_LISTS.read(asked if asked in PRESETS else "")
    return _render(request, "pages/watch.html", reading, _watch_context)


def _render(
    request: HttpRequest,
    template_name: str,
    reading: Reading,
    read: Callable[[Reading], Mapping[str, Any]],
) -> HttpResponse:
    """Returns a page of a reading, which is drawn beforehand for the next reading.

    A reader who is not shown somebody on it gets a page of their own.
    """
    if own := _visible_part(request, reading):
        return render(request, template_name, dict(read(own)))
    return render_shared(
        request,
        template_name,
        reading.number,
        lambda: read(reading),
        note=lambda outline: reading.redraws.note(outline, read),
    )


def _visible_part(request: HttpRequest, reading: Reading) -> Reading | None:
    """Returns the reading without people of whom one blocks the other; None if it names none."""
    named = {name for name, _ in reading.names} & names_of(hidden_from(request.user))
    return reading.without(named, request.user.get_username()) if named else None


def _watch_context(reading: Reading) -> dict[str, Any]:
    return {
        "key": reading.key,
        "choices": [(each, short_name(each)) for each in PRESETS],
        "lists": msgspec.to_builtins(list_frame(reading.lists)),
        "finished": msgspec.to_builtins(finished_items(reading.finished.games)),
    }


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Excludes crawlers from lobbies, whose addresses grant access."""
    return render(request, "robots.txt", content_type="text/plain; charset=utf-8")


@require_safe
def icon(request: HttpRequest) -> HttpResponse:
    """Redirects browsers that request /favicon.ico to the icon."""
    return redirect(static("img/favicon.svg"))
