"""The page of a person's own placement in a pool: games played, and the next one."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models import User
from accounts.people.computer_users import NAMES
from accounts.refusal_responses import render_form
from accounts.refusals import Refused
from games.rating.placement import MAX_GAMES
from games.rating.pools import SPEEDS, Pool, Speed
from games.rating.standing import UNIT
from lobby.computer_seats import placement_clock, play_placement_game
from play.game_texts import RULES_TEXTS, short_name
from play.time_controls import clock_label
from ratings.models import Standing
from ratings.placing.closing import close_placements, judge_ended_games
from ratings.placing.models import PlacementGame
from ratings.placing.search_state import SearchState, ask_to_finish, has_placement, search_state

RESULTS = {"won": _("Won"), "drawn": _("Drawn"), "lost": _("Lost")}


@dataclass(frozen=True, slots=True)
class PlayedRow:
    """A placement game that counts."""

    url: str
    level: int
    name: str
    result: str


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def placement(request: HttpRequest, rules: str, speed: str) -> HttpResponse:
    """Show the placement, start its next game (`do=play`), or end it (`do=finish`).

    Strangers and guests sign in first. The level comes from the server alone.
    """
    pool = Pool(rules, Speed(speed)) if speed in SPEEDS else None
    if pool is None or not has_placement(pool):
        raise Http404
    user = request.user
    if not (isinstance(user, User) and user.is_account):
        return redirect_to_login(request.path)
    if request.method != "POST":
        return _page(request, user, pool)
    if request.POST.get("do") == "finish":
        judge_ended_games({user.pk})
        ask_to_finish(user, pool)
        close_placements({user.pk})
        return redirect(request.path)
    try:
        return redirect(play_placement_game(user, pool))
    except Refused as refused:
        return _page(request, user, pool, refused)


def _page(
    request: HttpRequest, user: User, pool: Pool, refused: Refused | None = None
) -> HttpResponse:
    state = search_state(user, pool)
    following = state.next
    context = {
        "game": short_name(pool.rules),
        "clock": clock_label(pool.rules, placement_clock(pool.rules)),
        "most": MAX_GAMES,
        "state": state,
        "played": _rows(state.games),
        "running": reverse("game", args=[state.running]) if state.running else "",
        "level": following.level if following else None,
        "level_name": NAMES[following.level - 1] if following else "",
        "side": str(RULES_TEXTS[pool.rules].own[following.role]) if following else "",
        "is_counting": _is_counting(state),
        "rating": None if state.is_offered else _rating(user, pool),
        "search_url": f"{reverse('play-online')}?game={pool.rules}",
    }
    return render_form(request, "bots/placement/placement.html", context, refused)


def _is_counting(state: SearchState) -> bool:
    """Return whether the last game has ended and waits for a worker."""
    waits = state.next is None and state.running is None
    return state.is_offered and waits and not state.is_finishing


def _rows(games: Sequence[PlacementGame]) -> list[PlayedRow]:
    return [
        PlayedRow(
            game.game.get_absolute_url(),
            game.level,
            NAMES[game.level - 1],
            str(RESULTS[game.result]),
        )
        for game in games
    ]


def _rating(user: User, pool: Pool) -> tuple[int, int] | None:
    """Return rating and margin of a user who is placed or has played, else None."""
    own = Standing.objects.current().filter(
        person__user=user, rules=pool.rules, speed=pool.speed.value
    )
    found = own.first()
    if found is None:
        return None
    return round(found.rating / UNIT), round(2 * found.deviation / UNIT)
