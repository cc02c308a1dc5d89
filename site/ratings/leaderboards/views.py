"""Views of the leaderboards: all at a glance, the leaderboard of a pool, and the combined table.

The tables that all readers see alike are cached by a digest of their rows, so suspensions,
deletions and renames show at once. The reader's own rows are read for each request.
"""

from hashlib import sha256

import msgspec
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from accounts.restorable import restorable
from games.rating.pools import POOLS, SPEEDS, Pool, Speed
from ratings.leaderboards import leaderboard_context, leaderboard_reads, own_context
from ratings.leaderboards.leaderboard_pass import current_pass, current_pass_and_advantage

MAX_DIGITS = 9  # of a position


@require_safe
@restorable
@gzip_page
def overview(request: HttpRequest) -> HttpResponse:
    """Shows the top of all leaderboards and of the combined table, and the gains of the week."""
    shown = current_pass()
    found = leaderboard_context.Overview(
        leaderboard_reads.read_tops(shown) if shown else {pool: [] for pool in POOLS},
        leaderboard_reads.read_movers(shown) if shown else [],
        leaderboard_reads.read_combined(shown, limit=leaderboard_reads.TOP_ROWS) if shown else [],
    )
    context = {
        "version": _digest(sorted(found.tops.items()), found.movers, found.combined),
        **leaderboard_context.overview(found),
        **own_context.overview(request.user, shown, found.tops),
    }
    return render(request, "ratings/leaderboards/overview.html", context)


@require_safe
@restorable
@gzip_page
def leaderboard(request: HttpRequest, rules: str, speed: str) -> HttpResponse:
    """Shows a page of the leaderboard of a pool: the rows after position `?after=`."""
    if speed not in SPEEDS or (pool := Pool(rules, Speed(speed))) not in POOLS:
        raise Http404
    after = _position(request)
    shown, advantage = current_pass_and_advantage(rules)
    lines = leaderboard_reads.read_board(shown, pool, after) if shown else []
    names = len(lines)
    if after and shown:
        names = leaderboard_reads.count_first_names(shown, pool)
    context = {
        "version": _digest(lines),
        **leaderboard_context.leaderboard(pool, after, lines, names, advantage),
        **own_context.leaderboard(request.user, pool, shown, names),
    }
    return render(request, "ratings/leaderboards/leaderboard.html", context)


@require_safe
@restorable
@gzip_page
def combined(request: HttpRequest) -> HttpResponse:
    """Shows a page of the combined table: the rows after position `?after=`."""
    after, shown = _position(request), current_pass()
    lines = leaderboard_reads.read_combined(shown, after) if shown else []
    context = {
        "version": _digest(lines),
        **leaderboard_context.combined(after, lines),
        **own_context.combined(request.user, shown),
    }
    return render(request, "ratings/leaderboards/combined.html", context)


def _position(request: HttpRequest) -> int:
    """Return the position after which a page begins; 0 for the first. Raise Http404."""
    text = request.GET.get("after", "0")
    if not (text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS):
        raise Http404
    return int(text)


def _digest(*shown: object) -> str:
    """Return a short value that differs whenever the tables of a page show something else."""
    return sha256(msgspec.json.encode(shown)).hexdigest()
