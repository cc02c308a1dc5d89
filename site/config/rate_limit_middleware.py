"""Middleware that limits HTTP requests by route and answers 429 above the limit."""

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext as _

from accounts.content_negotiation import wants_json
from accounts.limits import networks, rate_limits
from accounts.limits.rate_limits import Limit, TooOften, spend

BY_POST = {
    "lobby-create": rate_limits.LOBBIES,
    "play-now": rate_limits.SEARCHES,
    "play-online": rate_limits.SEARCHES,
    "lobby-search": rate_limits.SEARCHES,
    "lobby-ask": rate_limits.SEATS,
    "play-online-computer": rate_limits.COMPUTER,
    "open-games": rate_limits.LOBBIES,
    "open-game-change": rate_limits.SEATS,
    "open-game-remove": rate_limits.SEATS,
    "lobby-act": rate_limits.SEATS,
    "challenge": rate_limits.LOBBIES,
    "player-act": rate_limits.RELATIONS,
    "computer": rate_limits.COMPUTER,
    "learn-try": rate_limits.TRIES,
    "analysis-tree": rate_limits.TREES,
    "puzzle-try": rate_limits.TRIES,
    "study-create": rate_limits.STUDIES,
    "study-start": rate_limits.STUDIES,
    "study-import": rate_limits.STUDIES,
    "study-copy": rate_limits.STUDIES,
    "study-save": rate_limits.STUDY_SAVES,
    "study-delete": rate_limits.STUDY_SAVES,
    "game-review": rate_limits.REVIEWS,
    "analysis-play": rate_limits.COMPUTER,
    "settings-name": rate_limits.NAMES,
    "settings-details": rate_limits.NAMES,
    "account-export": rate_limits.EXPORTS,
    "account-delete": rate_limits.DEPARTURES,
}
BY_GET = {
    "home": rate_limits.VIEWS,
    "play-online": rate_limits.VIEWS,
    "watch": rate_limits.VIEWS,
    "lobby": rate_limits.VIEWS,
    "open-games": rate_limits.VIEWS,
    "learn": rate_limits.VIEWS,
    "learn-one": rate_limits.VIEWS,
    "studies": rate_limits.VIEWS,
    "studies-public": rate_limits.VIEWS,
    "studies-of": rate_limits.VIEWS,
    "study": rate_limits.VIEWS,
    "study-json": rate_limits.VIEWS,  # by each reader after each save
    "study-text": rate_limits.READS,
    "game": rate_limits.PAGES,
    "game-analysis": rate_limits.READS,
    "game-steps": rate_limits.READS,
    "game-standing": rate_limits.READS,
    "game-record": rate_limits.READS,
    "game-picture": rate_limits.PICTURES,
    "preview": rate_limits.PICTURES,
    "profile-picture": rate_limits.PICTURES,
    "game-qr": rate_limits.READS,
    "game-animation": rate_limits.READS,
    "game-ledger": rate_limits.READS,
    "game-ledger-json": rate_limits.READS,
    "ratings-file": rate_limits.READS,
    "explorer": rate_limits.READS,
    "thoughts": rate_limits.READS,
    "puzzles": rate_limits.VIEWS,
    "puzzle-next": rate_limits.VIEWS,
    "puzzle": rate_limits.VIEWS,
    "daily": rate_limits.VIEWS,
    "daily-of": rate_limits.VIEWS,
    "daily-archive": rate_limits.VIEWS,
    "players": rate_limits.PEOPLE,
    "players-following": rate_limits.VIEWS,
    "profile": rate_limits.READS,  # it searches all games of a person
    "statistics": rate_limits.READS,
    "statistics-of": rate_limits.READS,
}


class RateLimitMiddleware(MiddlewareMixin):
    """Middleware that counts requests. It is the innermost one, where route and user are known."""

    def process_view(self, request: HttpRequest, *about: Any) -> HttpResponse | None:
        """Count a request; return the answer 429 in place of the view if it is above a limit."""
        name = request.resolver_match.url_name if request.resolver_match else None
        table = BY_POST if request.method == "POST" else BY_GET
        limit: Limit | None = table.get(name or "")
        if limit is None:
            return None
        try:
            spend(limit, request.user.pk, networks.of_request(request))
        except TooOften as refused:
            return too_often(request, refused)
        return None

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Return the answer 429 to a view that raised `TooOften`."""
        return too_often(request, error) if isinstance(error, TooOften) else None


def too_often(request: HttpRequest, refused: TooOften) -> HttpResponse:
    """Return the answer 429: a page or, for a script, the JSON of a lobby's actions."""
    response: HttpResponse
    if wants_json(request):
        say = _("Too many requests. Nothing was changed. Try again in a few minutes.")
        refusal = {"reason": "too_often", "say": say}
        you = request.user.get_username()
        response = JsonResponse({"next": None, "you": you, "refused": refusal}, status=429)
    else:
        response = render(request, "429.html", status=429)
    response["Retry-After"] = str(refused.wait)
    return response
