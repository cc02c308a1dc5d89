"""Playing the computer: the page that begins a game, and what the computer was thinking."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.computers import NAMES
from accounts.guests import user_of
from bots import services
from bots.habits import Habit, beginning, habits_of, keep
from bots.words import NEEDS_NUMBA, absence, sentence
from games.catalogue import UnknownRules
from lobby.choices import choices_of
from lobby.computer import play_computer
from lobby.forms import OptionsForm
from lobby.levels import NUMBERS
from lobby.options import NO_CLOCK, PRESETS, SIDES, clock_of, spelled
from lobby.refusals import SENTENCES, Reason, Refused
from lobby.words import WORDS
from play.models import Game


@dataclass(frozen=True, slots=True)
class Offer:
    """A level as it stands on the page."""

    number: int
    name: str
    say: str  # how it plays the chosen game
    off: str  # why it cannot be played here; empty if it can
    is_last: bool  # played last time
    is_meant: bool  # the page was asked for with this level


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def computer(request: HttpRequest) -> HttpResponse:
    """Begins a game against the computer, or asks for game (`?game=`), side, clock and level.

    A stranger becomes a guest only if the form is in order.
    """
    return _begin(request) if request.method == "POST" else _form(request, request.GET.dict())


@require_safe
@never_cache
def state(request: HttpRequest) -> JsonResponse:
    """Whether computer players answer; see `services.state`."""
    return JsonResponse(services.state())


@require_safe
@never_cache
def thoughts(request: HttpRequest, slug: str) -> JsonResponse:
    """What computer players thought in a game that is over; see `services.thoughts`."""
    try:
        return JsonResponse({"thoughts": services.thoughts(slug)})
    except (Game.DoesNotExist, services.StillRunning, UnknownRules) as error:
        raise Http404 from error


def _begin(request: HttpRequest) -> HttpResponse:
    posted = request.POST.dict()
    form = OptionsForm({**posted, "visibility": "public", "watch": "yes"})
    if not form.is_valid():
        return _form(request, posted, form.complaint, 400)
    if not posted.get("level"):
        return _form(request, posted, _("Press one of the levels."), 400)
    options, level = form.options(), NUMBERS.get(posted["level"])
    if level is None:
        return _form(request, posted, str(SENTENCES[Reason.NO_LEVEL]), 400)
    try:
        if level in services.state()["off"][options.rules]:
            raise Refused(Reason.NO_LEVEL)  # before a stranger becomes a guest for nothing
        game = play_computer(user_of(request), options, level)
    except Refused as refused:
        return _form(request, posted, refused.say, 409)
    response = redirect(game)
    keep(request, response, options.rules, Habit(options.side, posted["clock"], level))
    return response


def _form(
    request: HttpRequest, asked: Mapping[str, str], complaint: str = "", status: int = 200
) -> HttpResponse:
    """The page; what is asked for goes before what was chosen last time."""
    habits = habits_of(request)
    key = asked.get("game", "")
    if key not in PRESETS:
        key = next(iter(habits or PRESETS))
    habit = habits.get(key) or beginning(key)
    told = services.state()
    side = asked.get("side", "")
    clock = _clock(asked.get("clock", "")) or habit.clock
    choices = choices_of(key, clock_of(clock))
    context = {
        "chosen": {"game": key, "side": side if side in SIDES else habit.side, "clock": clock},
        "choices": choices,
        "clocks": sorted(choices["clock"], key=lambda choice: choice.value != spelled(NO_CLOCK)),
        "words": WORDS[key],
        "levels": _levels(key, told, habit.level, NUMBERS.get(asked.get("level", ""))),
        "absence": absence(told),
        "complaint": complaint,
    }
    return render(request, "bots/computer.html", context, status=status)


def _levels(key: str, told: Mapping[str, Any], last: int | None, meant: int | None) -> list[Offer]:
    off = told["off"][key]
    return [
        Offer(
            number,
            NAMES[number - 1],
            sentence(key, number),
            str(NEEDS_NUMBA) if number in off else "",
            number == last,
            number == meant,
        )
        for number in NUMBERS.values()
    ]


def _clock(text: str) -> str:
    """The form value of a clock if it is one, else nothing."""
    try:
        clock_of(text)
    except ValueError:
        return ""
    return text
