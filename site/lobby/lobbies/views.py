"""Views for lobbies. All changes are POST requests and go through `lobby_service`.

The response to a change is a redirect; for scripts that accept JSON, the next address or the new
frame.
"""

from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.safestring import mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_POST, require_safe
from msgspec import to_builtins

from accounts.content_negotiation import wants_json
from accounts.models import User
from accounts.people.guests import current_user
from accounts.qr_codes import filled_qr_svg
from accounts.refusal_responses import refusal_json
from accounts.refusals import Refused
from accounts.site_links import absolute_url
from games.catalogue import RULES, rules_of
from lobby.computer_seats import NUMBERS, seat_computer
from lobby.forms import OptionsForm, changed_values
from lobby.lobbies import challenges, lobby_checks, lobby_service
from lobby.lobbies.lobby_status import invitation_title
from lobby.lobbies.lobby_view import lobby_frame
from lobby.lobbies.new_game_views import next_url, posted_user, shown_guest_name
from lobby.lobbies.rematch import rematch
from lobby.lobbies.transactions import settle
from lobby.lobby_options import Options
from lobby.lobby_refusals import LobbyReason
from lobby.models import Lobby
from lobby.offers.acceptance import check_not_kept
from play.domain.clocks import now
from play.game_texts import SHORT_RULES, name_of
from play.time_controls import long_clock_label

Handler = Callable[[HttpRequest, Lobby], Lobby]


class Withdrawn(Exception):
    """The lobby's rule set is no longer offered."""


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
    if here.is_kept and here.host_id == request.user.pk:
        return redirect("open-games")
    game_url = lobby_frame(here, request.user.pk)["game"]
    return redirect(game_url) if game_url else _page(request, here)


@require_POST
@never_cache
def act(request: HttpRequest, code: str, verb: str) -> HttpResponse:
    """Runs one of `HANDLERS` and redirects to the lobby, or to the game if it has started."""
    if verb not in HANDLERS:
        raise Http404
    try:
        here = _find_lobby(code)
        check_not_kept(here, request.user.pk)
        after = HANDLERS[verb](request, here)
    except Withdrawn:
        return render(request, "lobby/withdrawn.html", status=410)
    except Refused as refused:
        return _answer_refusal(request, _find_lobby(code), refused)
    if wants_json(request):
        return _json_answer(request, _find_lobby(code))
    return redirect(next_url(after))


def _find_lobby(code: str) -> Lobby:
    """Returns the lobby with all that its page shows; reopens it first if its game is over."""
    found = get_object_or_404(Lobby.objects.with_games(), code=code)
    if found.rules not in RULES:
        raise Withdrawn
    if found.is_over:
        settle(found)
        found = Lobby.objects.with_games().get(code=code)
    return found.load_ratings(now())


def _require_user(request: HttpRequest, reason: LobbyReason = LobbyReason.NOT_SEATED) -> User:
    """Returns the signed-in user. Raises Refused for a stranger."""
    if not request.user.is_authenticated:
        raise Refused(reason)
    return request.user


def _parse_seat_number(request: HttpRequest) -> int | None:
    text = request.POST.get("seat", "")
    if text not in {"", "1", "2"}:
        raise Refused(LobbyReason.MALFORMED)
    return int(text) if text else None


def _sit(request: HttpRequest, here: Lobby) -> Lobby:
    number, seen = _parse_seat_number(request), request.POST.get("seen", "")
    if current_user(request) is None:
        lobby_checks.check_not_reserved(here, None)
        # Refuse before a guest account is created in vain.
        lobby_checks.check_room(here, number, seen)
        lobby_checks.check_may_play(here.options, None)
    return lobby_service.sit(here.code, posted_user(request), number, seen)


def _ready(request: HttpRequest, here: Lobby) -> Lobby:
    return lobby_service.ready(here.code, _require_user(request), request.POST.get("seen", ""))


def _change(request: HttpRequest, here: Lobby) -> Lobby:
    user = _require_user(request, LobbyReason.NOT_HOST)
    posted = request.POST.dict()

    def chosen(current: Lobby) -> Options:
        return OptionsForm(changed_values(current, posted)).options()

    return lobby_service.choose(here.code, user, chosen)


def _free(request: HttpRequest, here: Lobby) -> Lobby:
    return lobby_service.free_seat(
        here.code, _require_user(request, LobbyReason.NOT_HOST), _parse_seat_number(request) or 0
    )


def _computer(request: HttpRequest, here: Lobby) -> Lobby:
    level = NUMBERS.get(request.POST.get("level", ""))
    if level is None:
        raise Refused(LobbyReason.NO_LEVEL)
    user = _require_user(request, LobbyReason.NOT_HOST)
    return seat_computer(here.code, user, _parse_seat_number(request) or 0, level)


HANDLERS: dict[str, Handler] = {
    "sit": _sit,
    "change": _change,
    "ready": _ready,
    "free": _free,
    "computer": _computer,
    "decline": lambda request, here: challenges.decline(here.code, _require_user(request)),
    "leave": lambda request, here: lobby_service.leave(here.code, _require_user(request)),
    "unready": lambda request, here: lobby_service.unready(here.code, _require_user(request)),
    "swap": lambda request, here: lobby_service.swap(here.code, _require_user(request)),
    "rematch": lambda request, here: rematch(here.code, _require_user(request)),
    "close": lambda request, here: lobby_service.close(
        here.code, _require_user(request, LobbyReason.NOT_HOST)
    ),
}


def _json_answer(request: HttpRequest, here: Lobby, refused: Refused | None = None) -> HttpResponse:
    """Returns the answer for a script: `next` (address or null), `frame`, `you`, any refusal."""
    shown = lobby_frame(here, request.user.pk)
    frame = {"frame": shown, "you": request.user.get_username()}
    if not refused:
        return JsonResponse({"next": shown["game"], **frame})
    return refusal_json(refused, next=None, **frame)


def _answer_refusal(request: HttpRequest, here: Lobby, refused: Refused) -> HttpResponse:
    if wants_json(request):
        return _json_answer(request, here, refused)
    return _page(request, here, refused)


def _page(request: HttpRequest, here: Lobby, refused: Refused | None = None) -> HttpResponse:
    """Renders the page of a lobby; a refusal comes first, with its status."""
    frame = lobby_frame(here, request.user.pk)
    link = absolute_url(here.get_absolute_url())
    is_name = refused is not None and refused.reason is LobbyReason.NAME
    rules = rules_of(here.rules)
    turn, goal = SHORT_RULES[here.rules]
    context = {
        "lobby": here,
        "frame": frame,
        "link": link,
        "invitation_title": invitation_title(here),
        "game_name": name_of(here.rules),
        "clock": long_clock_label(here.rules, here.clock),
        "short_rules": {"turn": turn, "goal": goal},
        "picture": {"key": here.rules, "view": to_builtins(rules.view(rules.start(), None))},
        "qr": mark_safe(filled_qr_svg(link).decode()) if here.place_of(request.user.pk) else "",
        "guest_name": shown_guest_name(request),
        "refused": None if is_name else refused,
        "name_error": refused.say if is_name and refused else "",
    }
    return render(
        request, "lobby/lobby.html", context, status=refused.reason.status if refused else 200
    )
