"""View of the ladder."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from accounts.restorable import restorable
from play.domain.clocks import now
from play.game_texts import short_name
from play.time_controls import PRESETS
from ratings.ladder.ladder_queries import (
    fastest_wins,
    held_rungs,
    longest_survivals,
    open_rungs,
    shortest_wins,
)
from ratings.ladder.ladder_texts import boss_text, ladder_rows
from ratings.ladder.rungs import BOARD_GAMES

# As on all other pages. The order of `BOARD_GAMES` decides about the boss of the week.
LISTED_GAMES = tuple(rules for rules in PRESETS if rules in BOARD_GAMES)


@require_safe
@restorable
@gzip_page
def ladder(request: HttpRequest) -> HttpResponse:
    """Show all rungs, the reader's own ones marked, the boss of the week and the hall of records.

    The number of queries does not depend on the number of games.
    """
    user = request.user
    climber = user if user.is_authenticated and user.is_account else None
    own = held_rungs(climber.pk) if climber else []
    sides = open_rungs(climber.pk) if climber else {}
    context = {
        "boss": boss_text(now()),
        "games": [(short_name(rules), ladder_rows(rules, own, sides)) for rules in LISTED_GAMES],
        "halls": [
            (
                short_name(rules),
                [
                    (_("Highest level beaten, in fewest turns"), shortest_wins(rules), False),
                    (_("Highest level beaten, in least time"), fastest_wins(rules), True),
                    (_("Longest game against level 8"), longest_survivals(rules), False),
                ],
            )
            for rules in LISTED_GAMES
        ],
    }
    return render(request, "ratings/ladder.html", context)
