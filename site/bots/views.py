"""Views of the workers' products: games against the computer, their thoughts."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.people.computer_users import NAMES
from accounts.people.guests import user_of
from accounts.refusal_responses import render_form
from accounts.refusals import Refused
from bots import thought_log
from bots.level_texts import NEEDS_NUMBA, absence_text, level_sentence
from bots.preference_cookie import Preference, initial_values, keep, preferences_of
from games.catalogue import UnknownRules, rules_of
from lobby.computer_seats import NUMBERS, play_computer
from lobby.forms import OptionsForm, choices_of
from lobby.lobby_options import SIDES
from lobby.lobby_refusals import LobbyReason
from play.game_texts import RULES_TEXTS
from play.models import Game
from play.time_controls import NO_CLOCK, PRESETS, clock_of, clock_value
from ratings.level_ratings import level_rating, measured_games

FIRST_GAME = "amazons-8x8"  # of people who have never played the computer


@dataclass(frozen=True, slots=True)
class Offer:
    """A level, as the page shows it."""

    number: int
    name: str
    say: str  # how it plays the chosen game
    off: str  # why it cannot be played here; empty if it can
    is_last: bool  # played last time
    is_meant: bool  # the page was asked for with this level
    is_first: bool  # the default for people who have never played the computer
    rating: str  # such as 2151 ± 247; empty without one


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def computer(request: HttpRequest) -> HttpResponse:
    """Begin a game against the computer, or show the form for game (`?game=`), side and clock.

    A visitor without a session becomes a guest only if the form is valid.
    """
    return _begin(request) if request.method == "POST" else _form(request, request.GET.dict())


@require_safe
@never_cache
def state(request: HttpRequest) -> JsonResponse:
    """Return the state of the workers; see `thought_log.state`."""
    return JsonResponse(thought_log.state())


@require_safe
@never_cache
def thoughts(request: HttpRequest, slug: str) -> JsonResponse:
    """Return the thoughts in a game that is over; see `thought_log.thoughts`."""
    try:
        return JsonResponse({"thoughts": thought_log.thoughts(slug)})
    except (Game.DoesNotExist, thought_log.StillRunning, UnknownRules) as error:
        raise Http404 from error


def _begin(request: HttpRequest) -> HttpResponse:
    posted = request.POST.dict()
    is_listed = posted.get("listed") == "yes"
    visibility = "public" if is_listed else "link"
    choices = {**posted, "visibility": visibility, "watch": "yes", "rated": "no"}
    try:
        options = OptionsForm(choices).options()
        if not posted.get("level"):
            raise Refused(LobbyReason.MALFORMED, _("Pick a level to start."))
        level = NUMBERS.get(posted["level"])
        if level is None or level in thought_log.state()["off"][options.rules]:
            raise Refused(LobbyReason.NO_LEVEL)  # before `user_of` makes a guest for nothing
        game = play_computer(user_of(request), options, level)
    except Refused as refused:
        return _form(request, posted, refused)
    response = redirect(game)
    habit = Preference(options.side, posted["clock"], level, is_listed)
    keep(request, response, options.rules, habit)
    return response


def _form(
    request: HttpRequest, asked: Mapping[str, str], refused: Refused | None = None
) -> HttpResponse:
    """Return the page; options in the request take precedence over those of the last game."""
    habits = preferences_of(request)
    key = asked.get("game", "")
    if key not in PRESETS:
        key = next(iter(habits), FIRST_GAME)
    newest = next(iter(habits.values()), None)
    habit = habits.get(key) or initial_values(key)
    is_listed = newest is not None and newest.is_listed
    if request.method == "POST":
        is_listed = asked.get("listed") == "yes"
    workers = thought_log.state()
    side = asked.get("side", "")
    clock = _clock(asked.get("clock", "")) or habit.clock
    choices = choices_of(key, clock_of(clock))
    rules = rules_of(key)
    view = rules.view(rules.start(), None)
    context = {
        "chosen": {
            "game": key,
            "side": side if side in SIDES else habit.side,
            "clock": clock,
            "listed": is_listed,
        },
        "pictures": {key: {"key": key, "view": msgspec.to_builtins(view)}},
        "choices": choices,
        "clocks": sorted(
            (c for c in choices["clock"] if c.value == clock or clock_of(c.value).kind != "bank"),
            key=lambda choice: choice.value != clock_value(NO_CLOCK),
        ),
        "words": RULES_TEXTS[key],
        "levels": _levels(
            key, workers, habit.level, NUMBERS.get(asked.get("level", "")), is_new=not habits
        ),
        "measured": measured_games(key),
        "absence": absence_text(workers),
    }
    return render_form(request, "bots/computer.html", context, refused)


def _levels(
    key: str, workers: Mapping[str, Any], last: int | None, meant: int | None, is_new: bool
) -> list[Offer]:
    off = workers["off"][key]
    return [
        Offer(
            number,
            NAMES[number - 1],
            level_sentence(key, number),
            str(NEEDS_NUMBA) if number in off else "",
            number == last,
            number == meant,
            is_new and number == 1,
            level_rating(key, number),
        )
        for number in NUMBERS.values()
    ]


def _clock(text: str) -> str:
    """Return the form value of a clock if it is valid, else an empty text."""
    try:
        clock_of(text)
    except ValueError:
        return ""
    return text
