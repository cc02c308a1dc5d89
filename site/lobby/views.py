"""The pages of lobbies. Everything that changes one is a POST and goes through `services`.

A deed answers with a redirect; to a script that asks for JSON, with where to go or the new frame.
"""

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_POST, require_safe

from accounts.guests import known, user_of
from accounts.links import absolute_url
from accounts.models import User
from games.catalogue import RULES
from lobby import services
from lobby.again import rematch
from lobby.choices import choices_of
from lobby.computer import fill
from lobby.forms import OptionsForm, beginning, changed
from lobby.frame import frame
from lobby.levels import NUMBERS
from lobby.models import Lobby
from lobby.options import PRESETS, Options
from lobby.quick import play_now
from lobby.refusals import Reason, Refused
from lobby.turnstile import settle
from lobby.words import WORDS
from play.models import Game

Deed = Callable[[HttpRequest, Lobby], Lobby]


class Withdrawn(Exception):
    """The lobby's rule set is no longer offered."""


@require_safe
@never_cache
def new(request: HttpRequest) -> HttpResponse:
    """The form for a lobby, with the game in `?game=` chosen beforehand."""
    key = request.GET.get("game", "")
    return _form(request, beginning(key if key in PRESETS else next(iter(PRESETS))))


@require_POST
def create(request: HttpRequest) -> HttpResponse:
    """Makes a lobby; a stranger becomes a guest only if the form is in order.

    The same form sent twice leads to one lobby, or to its game if that has started meanwhile.
    """
    form = OptionsForm(request.POST)
    if not form.is_valid():
        return _form(request, request.POST.dict(), form.complaint, 400)
    try:
        made = services.create(user_of(request), form.options())
    except Refused as refused:
        return _form(request, request.POST.dict(), refused.say, 409)
    return redirect(_goal(made))


@require_POST
def quick(request: HttpRequest) -> HttpResponse:
    """Play now: to the game that starts, or to a lobby to wait in. `game` may be empty: any."""
    key = request.POST.get("game", "")
    if key and key not in PRESETS:
        return _form(
            request, beginning(next(iter(PRESETS))), str(Refused(Reason.MALFORMED).say), 400
        )
    try:
        return redirect(play_now(user_of(request), key))
    except Refused as refused:
        return _form(request, beginning(key or next(iter(PRESETS))), refused.say, 409)


@require_safe
@never_cache
@gzip_page
def lobby(request: HttpRequest, code: str) -> HttpResponse:
    """The page of a lobby. Looking at it changes nothing, so the link may be previewed."""
    try:
        return _page(request, _found(code))
    except Withdrawn:
        return render(request, "lobby/withdrawn.html", status=410)


@require_POST
@never_cache
def act(request: HttpRequest, code: str, verb: str) -> HttpResponse:
    """Does one of `DEEDS` and goes on to the lobby, or to the game if that has started."""
    if verb not in DEEDS:
        raise Http404
    try:
        here = _found(code)
        after = DEEDS[verb](request, here)
    except Withdrawn:
        return render(request, "lobby/withdrawn.html", status=410)
    except Refused as refused:
        return _refused(request, _found(code), refused)
    if _wants_json(request):
        return _told(request, _found(code))
    return redirect(_goal(after))


def _found(code: str) -> Lobby:
    """The lobby with all that its page shows; opened again first if its game is over."""
    found = get_object_or_404(Lobby.objects.with_games(), code=code)
    if found.rules not in RULES:
        raise Withdrawn
    if found.is_over:
        settle(found)
        found = Lobby.objects.with_games().get(code=code)
    return found


def _goal(here: Lobby) -> Lobby | Game:
    """Where somebody who has done something goes: to the game while it is played."""
    is_playing = here.status == Lobby.Status.PLAYING and here.game is not None
    return here.game if is_playing else here


def _known(request: HttpRequest, reason: Reason = Reason.NOT_SEATED) -> User:
    """The signed-in user; a stranger can't have what this needs."""
    if not request.user.is_authenticated:
        raise Refused(reason)
    return request.user


def _number(request: HttpRequest) -> int | None:
    text = request.POST.get("seat", "")
    if text not in {"", "1", "2"}:
        raise Refused(Reason.MALFORMED)
    return int(text) if text else None


def _sit(request: HttpRequest, here: Lobby) -> Lobby:
    number, seen = _number(request), request.POST.get("seen", "")
    if known(request) is None:
        services.check_room(here, number, seen)  # before a stranger becomes a guest for nothing
    return services.sit(here.code, user_of(request), number, seen)


def _ready(request: HttpRequest, here: Lobby) -> Lobby:
    return services.ready(here.code, _known(request), request.POST.get("seen", ""))


def _change(request: HttpRequest, here: Lobby) -> Lobby:
    user = _known(request, Reason.NOT_HOST)
    posted = request.POST.dict()

    def chosen(now: Lobby) -> Options:
        form = OptionsForm(changed(now, posted))
        if not form.is_valid():
            raise Refused(Reason.MALFORMED, form.complaint)
        return form.options()

    return services.choose(here.code, user, chosen)


def _free(request: HttpRequest, here: Lobby) -> Lobby:
    return services.give_free(here.code, _known(request, Reason.NOT_HOST), _number(request) or 0)


def _computer(request: HttpRequest, here: Lobby) -> Lobby:
    level = NUMBERS.get(request.POST.get("level", ""))
    if level is None:
        raise Refused(Reason.NO_LEVEL)
    user = _known(request, Reason.NOT_HOST)
    return fill(here.code, user, _number(request) or 0, level)


DEEDS: dict[str, Deed] = {
    "sit": _sit,
    "change": _change,
    "ready": _ready,
    "free": _free,
    "computer": _computer,
    "leave": lambda request, here: services.leave(here.code, _known(request)),
    "unready": lambda request, here: services.unready(here.code, _known(request)),
    "swap": lambda request, here: services.swap(here.code, _known(request)),
    "rematch": lambda request, here: rematch(here.code, _known(request)),
    "close": lambda request, here: services.close(here.code, _known(request, Reason.NOT_HOST)),
}


def _wants_json(request: HttpRequest) -> bool:
    return request.headers.get("Accept", "") == "application/json"


def _told(request: HttpRequest, here: Lobby, refused: Refused | None = None) -> HttpResponse:
    """The answer for a script: `next` (an address or null), `frame`, and the refusal if there is
    one."""
    shown = frame(here, request.user.pk)
    body: dict[str, Any] = {
        "next": shown["game"],
        "frame": shown,
        "you": request.user.get_username(),
    }
    if refused:
        body |= {"next": None, "refused": {"reason": refused.reason, "say": refused.say}}
    return JsonResponse(body, status=409 if refused else 200)


def _refused(request: HttpRequest, here: Lobby, refused: Refused) -> HttpResponse:
    if _wants_json(request):
        return _told(request, here, refused)
    return _page(request, here, refused)


def _form(
    request: HttpRequest, chosen: dict[str, str], complaint: str = "", status: int = 200
) -> HttpResponse:
    key = chosen.get("game") if chosen.get("game") in PRESETS else next(iter(PRESETS))
    context = {
        "chosen": {"watch": "yes", **chosen, "game": key},
        "choices": choices_of(key),
        "words": WORDS[key],
        "complaint": complaint,
    }
    return render(request, "lobby/new.html", context, status=status)


def _page(request: HttpRequest, here: Lobby, refused: Refused | None = None) -> HttpResponse:
    """The page of a lobby; with a refusal, that comes first and the status says conflict."""
    context = {
        "lobby": here,
        "frame": frame(here, request.user.pk),
        "link": absolute_url(here.get_absolute_url()),
        "refused": refused,
    }
    return render(request, "lobby/lobby.html", context, status=409 if refused else 200)
