"""Front page and watching."""

import msgspec
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from lobby.lists import first_sight
from pages.cards import CARDS, pictures
from pages.finished import finished
from pages.mine import under_way

GAMES_ON_HOME = 4


@require_safe
@never_cache
def home(request: HttpRequest) -> HttpResponse:
    """The five games, what is under way for this user, and what is open and played now."""
    context = {
        "cards": CARDS,
        "pictures": pictures(),
        "rows": under_way(request.user),
        "lists": msgspec.to_builtins(first_sight()),
        "most_games": GAMES_ON_HOME,
    }
    return render(request, "pages/home.html", context)


@require_safe
@never_cache
def watch(request: HttpRequest) -> HttpResponse:
    """All public games being played, and those that ended last."""
    context = {
        "lists": msgspec.to_builtins(first_sight()),
        "finished": msgspec.to_builtins(finished()),
    }
    return render(request, "pages/watch.html", context)


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Keeps crawlers out of lobbies, whose addresses are keys."""
    return render(request, "robots.txt", content_type="text/plain; charset=utf-8")
