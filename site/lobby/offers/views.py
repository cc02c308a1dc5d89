"""Views for "Your open games": the list, adding, changing and removing standing offers."""

from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.limits.networks import of_request
from accounts.models import User
from accounts.people.guests import user_of
from accounts.refusal_responses import render_form
from accounts.refusals import Refused
from lobby.forms import RATED_TEXTS, YES_NO, Choice, choices_of
from lobby.lobby_options import SIDES, Side
from lobby.lobby_refusals import LobbyReason
from lobby.offers import offer_service
from lobby.offers.models import MAX_OPEN_GAMES, StandingOffer
from play.domain.abandonment import OFFER_LIFE_MS
from play.domain.clocks import DAY_MS, Clock
from play.game_texts import RULES_TEXTS, figure_of, name_of
from play.time_controls import PRESETS, clock_label, clock_of, clock_value, time_label


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def open_games(request: HttpRequest) -> HttpResponse:
    """Shows a user's standing offers; POST keeps a game open: `game`, `clock`, `side`, `count`,
    `rated`.

    A stranger becomes a guest only with a valid POST for a casual game.
    """
    if request.method != "POST":
        return _page(request, chosen={"game": request.GET.get("game", "")})
    posted = request.POST
    try:
        key, clock, side = posted.get("game", ""), _clock(request), _side(request)
        count = _count(posted.get("count") or "1")
        rated = posted.get("rated") or "no"
        if key not in PRESETS or rated not in YES_NO:
            raise Refused(LobbyReason.MALFORMED)
        if YES_NO[rated] and not getattr(request.user, "is_account", False):
            raise Refused(LobbyReason.NO_ACCOUNT)
        user = user_of(request)
        offer_service.keep(user, key, clock, side, count, of_request(request), YES_NO[rated])
    except Refused as refused:
        return _page(request, refused, posted.dict())
    return redirect("open-games")


@require_POST
def change(request: HttpRequest, pk: int) -> HttpResponse:
    """Changes how many games an offer keeps open: `count`."""
    count = request.POST.get("count", "")
    return _act(
        request,
        lambda user: offer_service.change_count(user, pk, _count(count), of_request(request)),
    )


@require_POST
def remove(request: HttpRequest, pk: int) -> HttpResponse:
    """Removes an offer; its running games go on."""
    return _act(request, lambda user: offer_service.remove(user, pk))


def _act(request: HttpRequest, act: Callable[[User], object]) -> HttpResponse:
    if not request.user.is_authenticated:
        raise Http404
    try:
        act(request.user)
    except StandingOffer.DoesNotExist:
        raise Http404 from None
    except Refused as refused:
        return _page(request, refused)
    return redirect("open-games")


def _clock(request: HttpRequest) -> Clock | None:
    """Returns the posted clock, None without one. Raises Refused."""
    text = request.POST.get("clock", "")
    if not text:
        return None
    try:
        clock = clock_of(text)
    except ValueError as error:
        raise Refused(LobbyReason.MALFORMED, str(error)) from None
    if not clock.is_by_days:
        raise Refused(LobbyReason.MALFORMED)
    return clock


def _side(request: HttpRequest) -> Side | None:
    """Returns the posted side, None without one. Raises Refused."""
    text = request.POST.get("side", "")
    side: Side | None = next((side for side in SIDES if side == text), None)
    if text and side is None:
        raise Refused(LobbyReason.MALFORMED)
    return side


def _count(text: str) -> int:
    """Returns a posted number. Raises Refused."""
    if not (text.isascii() and text.isdecimal() and len(text) <= 4):
        raise Refused(LobbyReason.MALFORMED)
    offer_service.check_count(int(text))
    return int(text)


def _page(
    request: HttpRequest,
    refused: Refused | None = None,
    chosen: dict[str, str] | None = None,
) -> HttpResponse:
    """Renders the page; a refusal comes first."""
    asked = {name: value for name, value in (chosen or {}).items() if value}
    key = asked.get("game", "")
    key = key if key in PRESETS else next(iter(PRESETS))
    usual = {
        "clock": clock_value(offer_service.USUAL_CLOCK),
        "side": "lot",
        "count": "1",
        "rated": "no",
    }
    choices = choices_of(key)
    context = {
        "offers": _rows(request.user),
        "chosen": {**usual, **asked, "game": key},
        "choices": choices,
        "games": choices["game"],
        "clocks": [Choice(clock_value(c), time_label(c)) for c in offer_service.CLOCKS],
        "sides": [Choice(side, str(RULES_TEXTS[key].choices[side])) for side in SIDES],
        "words": RULES_TEXTS[key],
        "most": MAX_OPEN_GAMES,
        "life_days": OFFER_LIFE_MS // DAY_MS,
    }
    return render_form(request, "lobby/open_games.html", context, refused)


def _side_label(offer: StandingOffer) -> str:
    """Returns which side the owner takes: `You move: First`."""
    words = RULES_TEXTS[offer.rules]
    return f"{words.choice}: {words.choices[offer.side]}"


def _rows(user: object) -> list[dict[str, object]]:
    """Returns the user's offers for the page; those of withdrawn rules are left out."""
    if not isinstance(user, User):
        return []
    found = StandingOffer.objects.of(user).with_counts().filter(rules__in=list(PRESETS))
    return [
        {
            "offer": offer,
            "name": name_of(offer.rules),
            "figure": figure_of(offer.rules, offer.side),
            "clock": clock_label(offer.rules, offer.clock),
            "side": _side_label(offer),
            "rated": RATED_TEXTS["yes"] if offer.is_rated else "",
            "opened": offer.opened,
            "running": offer.running,
            "less": offer.count - 1 or None,
            "more": offer.count + 1 if offer.count < MAX_OPEN_GAMES else None,
        }
        for offer in found.order_by("created", "pk")
    ]
