"""Views for lobbies. All changes are POST requests and go through `lobby_service`.

The response to a change is a redirect; for scripts that accept JSON, the next address or the new
frame.
"""

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_POST, require_safe

from accounts.content_negotiation import wants_json
from accounts.guests import current_user, user_of
from accounts.models import User
from accounts.site_links import absolute_url
from games.catalogue import RULES
from lobby import lobby_service
from lobby.computer_seats import NUMBERS, seat_computer
from lobby.forms import OptionsForm, changed_values, choices_of, initial_values
from lobby.game_texts import RULES_TEXTS
from lobby.lobby_options import PRESETS, Options
from lobby.lobby_refusals import Reason, Refused
from lobby.lobby_view import lobby_frame
from lobby.models import Lobby
from lobby.play_now import play_now, search_again
from lobby.rematch import rematch
from lobby.transactions import settle
from play.models import Game

Handler = Callable[[HttpRequest, Lobby], Lobby]


class Withdrawn(Exception):
    """The lobby's rule set is no longer offered."""


@require_safe
@never_cache
def new(request: HttpRequest) -> HttpResponse:
    """Shows the form for a lobby, with the game of `?game=` preselected."""
    key = request.GET.get("game", "")
    return _form(request, initial_values(key if key in PRESETS else next(iter(PRESETS))))


@require_POST
def create(request: HttpRequest) -> HttpResponse:
    """Creates a lobby; a stranger becomes a guest only if the form is valid.

    The same form sent twice leads to one lobby, or to its game if that has started meanwhile.
    """
    form = OptionsForm(request.POST)
    if not form.is_valid():
        return _form(request, request.POST.dict(), form.complaint, 400)
    try:
        made = lobby_service.create(user_of(request), form.options())
    except Refused as refused:
        return _form(request, request.POST.dict(), refused.say, 409)
    return redirect(_next_url(made))


@require_POST
def quick(request: HttpRequest) -> HttpResponse:
    """ "Play now": redirects to the started game or to a waiting lobby; `game` may be empty."""
    key = request.POST.get("game", "")
    if key and key not in PRESETS:
        return _form(
            request, initial_values(next(iter(PRESETS))), str(Refused(Reason.MALFORMED).say), 400
        )
    try:
        return redirect(play_now(user_of(request), key))
    except Refused as refused:
        return _form(request, initial_values(key or next(iter(PRESETS))), refused.say, 409)


@require_safe
@never_cache
@gzip_page
def lobby(request: HttpRequest, code: str) -> HttpResponse:
    """Shows the page of a lobby, or redirects to its running game if the visitor may see that.

    It changes nothing for the visitor, so that link previews are harmless.
    """
    try:
        here = _find_lobby(code)
    except Withdrawn:
        return render(request, "lobby/withdrawn.html", status=410)
    if here.shows_game_to(request.user.pk) and here.game is not None:
        return redirect(here.game)
    return _page(request, here)


@require_POST
@never_cache
def search(request: HttpRequest, code: str) -> HttpResponse:
    """Puts a player back into the search whose opponent made no first move."""
    try:
        place = search_again(code, _require_user(request))
    except Lobby.DoesNotExist:
        raise Http404 from None
    except Refused as refused:
        if not wants_json(request):
            return _answer_refusal(request, _find_lobby(code), refused)
        body = {"next": None, "refused": {"reason": refused.reason, "say": refused.say}}
        return JsonResponse(body, status=409)
    if wants_json(request):
        return JsonResponse({"next": place.get_absolute_url()})
    return redirect(place)


@require_POST
@never_cache
def act(request: HttpRequest, code: str, verb: str) -> HttpResponse:
    """Runs one of `HANDLERS` and redirects to the lobby, or to the game if it has started."""
    if verb not in HANDLERS:
        raise Http404
    try:
        here = _find_lobby(code)
        after = HANDLERS[verb](request, here)
    except Withdrawn:
        return render(request, "lobby/withdrawn.html", status=410)
    except Refused as refused:
        return _answer_refusal(request, _find_lobby(code), refused)
    if wants_json(request):
        return _json_answer(request, _find_lobby(code))
    return redirect(_next_url(after))


def _find_lobby(code: str) -> Lobby:
    """Returns the lobby with all that its page shows; reopens it first if its game is over."""
    found = get_object_or_404(Lobby.objects.with_games(), code=code)
    if found.rules not in RULES:
        raise Withdrawn
    if found.is_over:
        settle(found)
        found = Lobby.objects.with_games().get(code=code)
    return found


def _next_url(here: Lobby) -> Lobby | Game:
    """Returns the target of the redirect after a change: the running game, else the lobby."""
    if here.status == Lobby.Status.PLAYING and here.game is not None:
        return here.game
    return here


def _require_user(request: HttpRequest, reason: Reason = Reason.NOT_SEATED) -> User:
    """Returns the signed-in user. Raises Refused for a stranger."""
    if not request.user.is_authenticated:
        raise Refused(reason)
    return request.user


def _parse_seat_number(request: HttpRequest) -> int | None:
    text = request.POST.get("seat", "")
    if text not in {"", "1", "2"}:
        raise Refused(Reason.MALFORMED)
    return int(text) if text else None


def _sit(request: HttpRequest, here: Lobby) -> Lobby:
    number, seen = _parse_seat_number(request), request.POST.get("seen", "")
    if current_user(request) is None:
        # Refuse before a guest account is created in vain.
        lobby_service.check_room(here, number, seen)
    return lobby_service.sit(here.code, user_of(request), number, seen)


def _ready(request: HttpRequest, here: Lobby) -> Lobby:
    return lobby_service.ready(here.code, _require_user(request), request.POST.get("seen", ""))


def _change(request: HttpRequest, here: Lobby) -> Lobby:
    user = _require_user(request, Reason.NOT_HOST)
    posted = request.POST.dict()

    def chosen(now: Lobby) -> Options:
        form = OptionsForm(changed_values(now, posted))
        if not form.is_valid():
            raise Refused(Reason.MALFORMED, form.complaint)
        return form.options()

    return lobby_service.choose(here.code, user, chosen)


def _free(request: HttpRequest, here: Lobby) -> Lobby:
    return lobby_service.free_seat(
        here.code, _require_user(request, Reason.NOT_HOST), _parse_seat_number(request) or 0
    )


def _computer(request: HttpRequest, here: Lobby) -> Lobby:
    level = NUMBERS.get(request.POST.get("level", ""))
    if level is None:
        raise Refused(Reason.NO_LEVEL)
    user = _require_user(request, Reason.NOT_HOST)
    return seat_computer(here.code, user, _parse_seat_number(request) or 0, level)


HANDLERS: dict[str, Handler] = {
    "sit": _sit,
    "change": _change,
    "ready": _ready,
    "free": _free,
    "computer": _computer,
    "leave": lambda request, here: lobby_service.leave(here.code, _require_user(request)),
    "unready": lambda request, here: lobby_service.unready(here.code, _require_user(request)),
    "swap": lambda request, here: lobby_service.swap(here.code, _require_user(request)),
    "rematch": lambda request, here: rematch(here.code, _require_user(request)),
    "close": lambda request, here: lobby_service.close(
        here.code, _require_user(request, Reason.NOT_HOST)
    ),
}


def _json_answer(request: HttpRequest, here: Lobby, refused: Refused | None = None) -> HttpResponse:
    """Returns the answer for a script: `next` (address or null), `frame`, `you`, any refusal."""
    shown = lobby_frame(here, request.user.pk)
    body: dict[str, Any] = {
        "next": shown["game"],
        "frame": shown,
        "you": request.user.get_username(),
    }
    if refused:
        body |= {"next": None, "refused": {"reason": refused.reason, "say": refused.say}}
    return JsonResponse(body, status=409 if refused else 200)


def _answer_refusal(request: HttpRequest, here: Lobby, refused: Refused) -> HttpResponse:
    if wants_json(request):
        return _json_answer(request, here, refused)
    return _page(request, here, refused)


def _form(
    request: HttpRequest, chosen: dict[str, str], complaint: str = "", status: int = 200
) -> HttpResponse:
    asked = chosen.get("game", "")
    key = asked if asked in PRESETS else next(iter(PRESETS))
    context = {
        "chosen": {"watch": "yes", **chosen, "game": key},
        "choices": choices_of(key),
        "words": RULES_TEXTS[key],
        "complaint": complaint,
    }
    return render(request, "lobby/new.html", context, status=status)


def _page(request: HttpRequest, here: Lobby, refused: Refused | None = None) -> HttpResponse:
    """Renders the page of a lobby; a refusal comes first, with status 409."""
    context = {
        "lobby": here,
        "frame": lobby_frame(here, request.user.pk),
        "link": absolute_url(here.get_absolute_url()),
        "refused": refused,
    }
    return render(request, "lobby/lobby.html", context, status=409 if refused else 200)
