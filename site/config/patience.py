"""The limits of what people may ask for by HTTP, by the names of the addresses; and the answer 429
to what was too often."""

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext as _

from accounts import addresses, limits
from accounts.limits import Limit, TooOften, spend

BY_POST = {
    "lobby-create": limits.LOBBIES,
    "play-now": limits.SEATS,
    "lobby-act": limits.SEATS,
    "computer": limits.COMPUTER,
    "learn-try": limits.TRIES,
    "settings-name": limits.NAMES,
    "account-export": limits.EXPORTS,
    "account-delete": limits.DEPARTURES,
}
BY_GET = {
    "home": limits.VIEWS,
    "watch": limits.VIEWS,
    "lobby": limits.VIEWS,
    "learn": limits.VIEWS,
    "learn-one": limits.VIEWS,
    "game": limits.PAGES,
    "game-turns": limits.READS,
    "game-record": limits.READS,
    "game-picture": limits.PICTURES,
    "game-ledger": limits.READS,
    "game-ledger-json": limits.READS,
    "thoughts": limits.READS,
    "profile": limits.READS,  # it searches all games of a person
}


class Patience(MiddlewareMixin):
    """The innermost middleware: it knows which address was asked for, and by whom."""

    def process_view(self, request: HttpRequest, *about: Any) -> HttpResponse | None:
        """Counts, and answers in place of the view if that was too often."""
        name = request.resolver_match.url_name if request.resolver_match else None
        table = BY_POST if request.method == "POST" else BY_GET
        limit: Limit | None = table.get(name or "")
        if limit is None:
            return None
        try:
            spend(limit, request.user.pk, addresses.of_request(request))
        except TooOften as refused:
            return too_often(request, refused)
        return None

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Answers what a view has found to be too often."""
        return too_often(request, error) if isinstance(error, TooOften) else None


def too_often(request: HttpRequest, refused: TooOften) -> HttpResponse:
    """The refusal as a page or, for a script that asks for it, as the JSON of a lobby's deeds."""
    response: HttpResponse
    if request.headers.get("Accept", "") == "application/json":
        say = _("That was too often. Nothing was changed. Please wait a few minutes.")
        told = {"reason": "too_often", "say": say}
        you = request.user.get_username()
        response = JsonResponse({"next": None, "you": you, "refused": told}, status=429)
    else:
        response = render(request, "429.html", status=429)
    response["Retry-After"] = str(refused.wait)
    return response
