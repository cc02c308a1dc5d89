"""Middleware that limits HTTP requests, by route and by CPU time, with the answer 429.

Each route has a limit: that of the tables below or, where they name none, `VIEWS` for pages and
`POSTS` for forms.
"""

import math
import time
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import get_language

from accounts.content_negotiation import wants_json
from accounts.limits import networks, rate_limits
from accounts.limits.rate_limits import Limit, TooOften, spend
from accounts.refusal_responses import refusal_json
from accounts.refusals import Refused
from server.requests.refused_requests import RequestReason

BY_POST = {
    "lobby-create": rate_limits.LOBBIES,
    "play-now": rate_limits.SEARCHES,
    "play-online": rate_limits.SEARCHES,
    "lobby-search": rate_limits.SEARCHES,
    "play-online-computer": rate_limits.COMPUTER,
    "open-games": rate_limits.LOBBIES,
    "open-game-change": rate_limits.SEATS,
    "open-game-remove": rate_limits.SEATS,
    "lobby-act": rate_limits.SEATS,
    "challenge": rate_limits.LOBBIES,
    "player-act": rate_limits.RELATIONS,
    "computer": rate_limits.COMPUTER,
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
    "game-ledger": rate_limits.READS,
    "game-ledger-json": rate_limits.READS,
    "ratings-file": rate_limits.READS,
    "explorer": rate_limits.READS,
    "thoughts": rate_limits.READS,
    "players": rate_limits.PEOPLE,
    "profile": rate_limits.READS,  # it searches all games of a person
    "statistics": rate_limits.READS,
    "statistics-of": rate_limits.READS,
}
# Routes without a limit, with the reason.
UNLIMITED = {
    "manifest": "the same bytes for all",
    "service-worker": "the same bytes for all",
    "engine-worker": "the same bytes for all",
    "offline": "the same page for all",
    "icon": "the same bytes for all",
    "robots": "the same bytes for all",
    "form-token": "costs no query",
    "chat-guest": "GUESTS, as each way to become a guest",
    "study-embed": "VIEWS, by the network of the reader",
    "study-embed-line": "VIEWS, by the network of the reader",
    "push-add": "DEVICES",
    "push-remove": "DEVICES",
    "push-test": "DEVICES",
}
LIMITED_BY_ALLAUTH = ("account_", "mfa_")  # beginnings of names; their forms alone


def limit_of(name: str, method: str) -> Limit | None:
    """Return the limit of a route for a method; None if it has none here."""
    if name in UNLIMITED:
        return None
    if method == "POST":
        is_elsewhere = name.startswith(LIMITED_BY_ALLAUTH)
        return None if is_elsewhere else BY_POST.get(name, rate_limits.POSTS)
    return BY_GET.get(name, rate_limits.VIEWS)


def limit_cpu_time(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Return the middleware that charges the CPU time of requests to the network of the requester.

    Above the limit of `CPU_TIME` nothing is looked up, not even the user. A request runs in one
    thread (`server.handler`), so the time of this thread is its own; that of other processes, such
    as the renderer of pictures, is not in it. The middleware takes 0.06 ms of a request itself.
    """

    def answer(request: HttpRequest) -> HttpResponseBase:
        network = networks.of_request(request)
        if not network:
            return get_response(request)
        quota = rate_limits.CPU_TIME.of(network)
        if quota.is_used_up():
            return too_often(request, rate_limits.refusal_of("cpu"))
        began = time.thread_time()
        try:
            return get_response(request)
        finally:
            quota.add(math.ceil((time.thread_time() - began) * 1000))

    return answer


class RateLimitMiddleware(MiddlewareMixin):
    """Middleware that counts requests. It is the innermost one, where route and user are known."""

    def process_view(self, request: HttpRequest, *about: Any) -> HttpResponse | None:
        """Count a request; return the answer 429 in place of the view if it is above a limit."""
        name = request.resolver_match.url_name if request.resolver_match else None
        limit = limit_of(name or "", request.method or "")
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
    """Return the answer 429: a page or, for a script, the JSON of a lobby's actions.

    Before the user of the request is known, neither names the user.
    """
    response: HttpResponse
    user = getattr(request, "user", None)
    if wants_json(request):
        you = {"you": user.get_username()} if user else {}
        response = refusal_json(Refused(RequestReason.TOO_OFTEN), next=None, **you)
    else:
        is_known = user is not None
        page = render_to_string("429.html", request=request) if is_known else _page(get_language())
        response = HttpResponse(page, status=429)
    response["Retry-After"] = str(refused.wait)
    return response


@lru_cache(maxsize=8)
def _page(language: str | None) -> str:
    """Return the page of a refusal in the active language; to draw it anew takes 3.5 ms."""
    return render_to_string("429.html")
