"""Views of searches for an opponent."""

from dataclasses import replace

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.content_negotiation import wants_json
from accounts.people.guests import current_user, user_of
from accounts.refusal_responses import refusal_json, render_form
from accounts.refusals import Refused
from lobby.computer_seats import FIRST_LEVEL, play_computer
from lobby.forms import RATED_TEXTS
from lobby.lobby_options import Options
from lobby.lobby_refusals import LobbyReason
from lobby.models import Lobby
from lobby.offers.offer_service import USUAL_CLOCK
from lobby.pairing import search_service
from lobby.pairing.pairing import WAIT_UNIT_COST
from lobby.pairing.play_now import leave_for_search
from lobby.pairing.rating_fit import MAX_RATED_GAP
from lobby.pairing.search_form import PACES, Chosen, offers, parse_posted, remember, remembered
from lobby.pairing.search_topics import count_searches
from lobby.pairing.search_view import choice_texts, is_only_rated, terms_text
from play.domain.clocks import DAY_MS
from play.models import Game
from play.time_controls import NO_CLOCK, PRESETS, clock_value


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def online(request: HttpRequest) -> HttpResponse:
    """Show the page of the search, or start one.

    `?game=` chooses a game alone. A visitor becomes a guest only if the form is valid.
    """
    if request.method != "POST":
        game = search_service.game_just_found(request.user.pk)
        if game is not None:
            return redirect(game)
        return _page(request, _asked(request))
    try:
        chosen = parse_posted(request.POST)
    except Refused as refused:
        return _page(request, remembered(request), refused)
    return _start(request, chosen, is_remembered=True)


@require_POST
@never_cache
def play_now(request: HttpRequest) -> HttpResponse:
    """Start a search for one game, or for all of them if `game` is empty.

    `clock` and `rated` are those of a game just played; a clock that searches lack changes nothing.
    """
    chosen = remembered(request)
    key = request.POST.get("game", "")
    if key and key not in PRESETS:
        return _page(request, chosen, Refused(LobbyReason.MALFORMED))
    chosen = replace(chosen, games=(key,) if key else tuple(PRESETS))
    if clock := request.POST.get("clock"):
        fits = [pace for pace in PACES if (key, clock) in replace(chosen, paces=(pace,)).choices]
        is_rated = request.POST.get("rated") == "yes"
        chosen = replace(chosen, paces=tuple(fits) or chosen.paces, is_rated=is_rated)
    return _start(request, chosen)


@require_POST
@never_cache
def stop(request: HttpRequest) -> HttpResponse:
    """Stop the user's search."""
    if request.user.is_authenticated:
        search_service.stop(request.user.pk)
    return redirect("play-online")


@require_POST
@never_cache
def accept_casual(request: HttpRequest) -> HttpResponse:
    """Let the user's rated search take casual games too."""
    try:
        if request.user.is_authenticated:
            search_service.accept_casual(request.user.pk)
    except Refused as refused:
        return _page(request, remembered(request), refused)
    return redirect("play-online")


@require_POST
@never_cache
def search_again(request: HttpRequest, code: str) -> HttpResponse:
    """Put a player back into the search whose opponent made no first move."""
    try:
        if not request.user.is_authenticated:
            raise Refused(LobbyReason.NOT_SEATED)
        lobby = leave_for_search(code, request.user)
        choices = [(lobby.rules, clock_value(lobby.clock))]
        search_service.start(request.user, choices, lobby.is_rated)
    except Lobby.DoesNotExist:
        raise Http404 from None
    except Refused as refused:
        if not wants_json(request):
            return _page(request, remembered(request), refused)
        return refusal_json(refused, next=None)
    if wants_json(request):
        return JsonResponse({"next": reverse("play-online")})
    return redirect("play-online")


@require_POST
@never_cache
def play_computer_meanwhile(request: HttpRequest) -> HttpResponse:
    """Start a casual game without clock against the computer; the search goes on beside it."""
    search = search_service.active_search(request.user.pk)
    if search is None or not request.user.is_authenticated:
        return redirect("play-online")
    key = search.choices[0][0]
    try:
        options = Options(key, NO_CLOCK, "white", False)
        game = play_computer(request.user, options, int(FIRST_LEVEL))
    except Refused as refused:
        if refused.reason != LobbyReason.TOO_MANY_GAMES:
            return _page(request, remembered(request), refused)
        own = Game.objects.played_by(request.user).filter(has_bot=True)
        game = own.latest("changed")  # the newest of those is taken up again
    return redirect(game)


def _start(request: HttpRequest, chosen: Chosen, is_remembered: bool = False) -> HttpResponse:
    try:
        # Refuse before a guest account is created in vain.
        search_service.check_may_search(current_user(request), chosen.choices, chosen.is_rated)
        started = search_service.start(user_of(request), chosen.choices, chosen.is_rated)
    except Refused as refused:
        return _page(request, chosen, refused)
    response = redirect(started if isinstance(started, Game) else "play-online")
    if is_remembered:
        remember(request, response, chosen)
    return response


def _asked(request: HttpRequest) -> Chosen:
    """Return the last choice, with the game that the address asks for."""
    chosen, key = remembered(request), request.GET.get("game", "")
    return replace(chosen, games=(key,)) if key in PRESETS else chosen


def _page(request: HttpRequest, chosen: Chosen, refused: Refused | None = None) -> HttpResponse:
    search = search_service.active_search(request.user.pk)
    user = request.user.pk
    choices = search.choices if search else []
    context = {
        "search": search,
        "choices": choice_texts(choices),
        "first_game": choices[0][0] if choices else "",
        "game": search_service.running_game(user) if user and search is None else None,
        "chosen": chosen,
        "offers": offers(),
        "paces": PACES.items(),
        "ratings": [(value == "yes", value, say) for value, say in RATED_TEXTS.items()],
        "max_gap": MAX_RATED_GAP,
        "wait_points": WAIT_UNIT_COST,
        "terms": terms_text(search) if search else "",
        "is_only_rated": search is not None and is_only_rated(search),
        "total": count_searches().total,
        "days": USUAL_CLOCK.initial // DAY_MS,
    }
    return render_form(request, "lobby/online.html", context, refused)
