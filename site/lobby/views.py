"""The pages of lobbies. Everything that changes one is a POST and goes through `services`."""

from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.guests import known, user_of
from accounts.models import User
from lobby import services
from lobby.choices import choices_of
from lobby.forms import OptionsForm, beginning, changed
from lobby.frame import firsts, frame
from lobby.models import Lobby
from lobby.options import PRESETS
from lobby.refusals import Reason, Refused
from lobby.words import WORDS

Deed = Callable[[HttpRequest, Lobby], Lobby]


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
    return redirect(made.game or made)


@require_safe
@never_cache
def lobby(request: HttpRequest, code: str) -> HttpResponse:
    """The page of a lobby. Looking at it changes nothing, so the link may be previewed."""
    return _page(request, _found(code))


@require_POST
@never_cache
def act(request: HttpRequest, code: str, verb: str) -> HttpResponse:
    """Does one of `DEEDS` and goes on to the lobby, or to the game if that has started."""
    if verb not in DEEDS:
        raise Http404
    here = _found(code)
    try:
        after = DEEDS[verb](request, here)
    except Refused as refused:
        return _page(request, _found(code), refused)
    return redirect(after.game or after)


def _found(code: str) -> Lobby:
    return get_object_or_404(Lobby.objects.with_people(), code=code)


def _known(request: HttpRequest, reason: Reason = Reason.NOT_SEATED) -> User:
    """The signed-in user; a stranger can't have what this needs."""
    if not request.user.is_authenticated:
        raise Refused(reason)
    return request.user


def _sit(request: HttpRequest, here: Lobby) -> Lobby:
    text = request.POST.get("seat", "")
    if text not in {"", "1", "2"}:
        raise Refused(Reason.MALFORMED)
    number = int(text) if text else None
    seen = request.POST.get("seen", "")
    if known(request) is None:
        services.check_room(here, number, seen)  # before a stranger becomes a guest for nothing
    return services.sit(here.code, user_of(request), number, seen)


def _ready(request: HttpRequest, here: Lobby) -> Lobby:
    return services.ready(here.code, _known(request), request.POST.get("seen", ""))


def _change(request: HttpRequest, here: Lobby) -> Lobby:
    user = _known(request, Reason.NOT_HOST)
    form = OptionsForm(changed(here, request.POST))
    if not form.is_valid():
        raise Refused(Reason.MALFORMED, form.complaint)
    return services.change(here.code, user, form.options())


DEEDS: dict[str, Deed] = {
    "sit": _sit,
    "change": _change,
    "leave": lambda request, here: services.leave(here.code, _known(request)),
    "ready": _ready,
    "unready": lambda request, here: services.unready(here.code, _known(request)),
    "close": lambda request, here: services.close(here.code, _known(request, Reason.NOT_HOST)),
}


def _form(
    request: HttpRequest, chosen: dict[str, str], complaint: str = "", status: int = 200
) -> HttpResponse:
    key = chosen.get("game") if chosen.get("game") in PRESETS else next(iter(PRESETS))
    context = {
        "chosen": {**chosen, "game": key},
        "choices": choices_of(key),
        "words": WORDS[key],
        "complaint": complaint,
    }
    return render(request, "lobby/new.html", context, status=status)


def _page(request: HttpRequest, here: Lobby, refused: Refused | None = None) -> HttpResponse:
    """The page of a lobby; with a refusal, that comes first and the status says conflict."""
    context = {
        "lobby": here,
        "frame": frame(here, request.user.get_username()),
        "choices": choices_of(here.rules, here.clock, firsts(here)),
        "words": WORDS[here.rules],
        "link": request.build_absolute_uri(here.get_absolute_url()),
        "refused": refused,
    }
    return render(request, "lobby/lobby.html", context, status=409 if refused else 200)
