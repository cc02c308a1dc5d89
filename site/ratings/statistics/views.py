"""The page of a person's statistics in one game at one speed."""

from collections.abc import Collection
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.people.blocks import hidden_from
from accounts.public_profile.person_pages import page_of_person
from accounts.restorable import restorable
from games.catalogue import rules_of
from games.rating.pools import Pool, Speed
from play.domain.clocks import DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS
from play.game_texts import short_name
from play.time_controls import PRESETS
from ratings.leaderboards.leaderboard_texts import speed_name
from ratings.statistics.statistics import (
    MAX_GAMES,
    MAX_TIMED_GAMES,
    has_public_games,
    pools_played,
    read_statistics,
)


@require_safe
@restorable
@gzip_page
@page_of_person
def statistics(request: HttpRequest, user: User, rules: str = "", speed: str = "") -> HttpResponse:
    """Show a person's statistics in a pool; without one, in the pool with most of their games.

    There is no such page for guests, suspended and deleted people, and for pools without a public
    game.
    """
    if not user.is_active or (rules and rules not in PRESETS):
        raise Http404
    pools = pools_played(user)
    if not rules:
        if not pools:
            raise Http404
        return redirect(_url(user, max(pools, key=lambda pool: pools[pool])))
    pool = Pool(rules, Speed(speed))
    if pool not in pools:
        raise Http404
    hidden = hidden_from(request.user)
    return render(request, "ratings/statistics/page.html", _context(user, pool, pools, hidden))


def has_statistics(user: User) -> bool:
    """Return whether there is such a page of a person; one query."""
    return user.is_active and has_public_games(user)


def statistics_url(user: User, pool: Pool) -> str:
    """Return the address of the page of a pool; empty without a public game there; one query."""
    return _url(user, pool) if has_public_games(user, pool) else ""


def _context(
    user: User, pool: Pool, pools: dict[Pool, int], hidden: Collection[int]
) -> dict[str, Any]:
    """Return the context of the page; opponents among `hidden` users are not named."""
    found = read_statistics(user, pool)
    people = User.objects.in_bulk([pk for pk, _ in found.opponents if pk not in hidden])
    is_split = rules_of(pool.rules).is_simultaneous
    own_title = _("First rounds") if is_split else _("First moves as first player")
    tables = [
        (own_title, found.own_first),
        (_("First moves of opponents"), found.faced_first),
    ]
    return {
        "person": user,
        "game": short_name(pool.rules),
        "speed": speed_name(pool.speed),
        "pools": [
            (short_name(each.rules), speed_name(each.speed), _url(user, each), each == pool)
            for each in pools
        ],
        "games": found.games,
        "is_cut": pools[pool] > MAX_GAMES,
        "opponents": [(people[key], results) for key, results in found.opponents if key in people],
        "time": found.time
        and {
            "turn": duration_text(found.time.turn_ms),
            "percent": found.time.clock_percent,
            "turns": found.time.turns,
            "games": found.time.games,
            "is_cut": found.time.games == MAX_TIMED_GAMES < pools[pool],
        },
        "tables": [(title, rows) for title, rows in tables if rows],
        "is_split": is_split,
    }


def duration_text(ms: int) -> str:
    """Return a duration in words: its two largest units at most."""
    if ms < MINUTE_MS:
        tenths = f"{ms / SECOND_MS:.1f}" if ms < 10 * SECOND_MS else f"{round(ms / SECOND_MS)}"
        return _("%(count)s s") % {"count": tenths}
    if ms < HOUR_MS:
        minutes, seconds = divmod(round(ms / SECOND_MS), 60)
        return _("%(minutes)s min %(seconds)s s") % {"minutes": minutes, "seconds": seconds}
    if ms < DAY_MS:
        hours, minutes = divmod(round(ms / MINUTE_MS), 60)
        return _("%(hours)s h %(minutes)s min") % {"hours": hours, "minutes": minutes}
    days, hours = divmod(round(ms / HOUR_MS), 24)
    days_text = ngettext("%(count)s day", "%(count)s days", days) % {"count": days}
    return f"{days_text} " + _("%(count)s h") % {"count": hours}


def _url(user: User, pool: Pool) -> str:
    return reverse("statistics", args=[user.username, pool.rules, pool.speed.value])
