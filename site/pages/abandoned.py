"""The page about abandoned games; its figures come from the code."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from accounts.account_service import UNPLAYED_GUEST_LIFE
from lobby.offers.models import MAX_OPEN_GAMES
from play.domain.abandonment import (
    AWAY_INVITED_MS,
    AWAY_LIVE_MS,
    AWAY_SLOW_MS,
    GONE_LIMIT_MS,
    IDLE_LIMIT_MS,
    LEFT_AFTER_MS,
    OFFER_LIFE_MS,
    UNPLAYED_KEPT_MS,
)
from play.domain.clocks import DAY_MS, FIRST_TURN_MS, MINUTE_MS, SECOND_MS
from play.domain.holidays import MAX_DAYS_A_YEAR, MAX_DAYS_IN_A_ROW


@require_safe
@gzip_page
def abandoned(request: HttpRequest) -> HttpResponse:
    """Shows the rules for abandoned open games and games."""
    sections = [
        (_("Games that wait for an opponent"), _open_games(), ""),
        (_("Games without a first move"), _unstarted_games(), ""),
        (_("Games in play"), _running_games(), ""),
        (_("Holidays"), _holidays(), "holidays"),
        (_("What is deleted"), _deletions(), ""),
    ]
    return render(request, "pages/abandoned.html", {"sections": sections})


def _open_games() -> list[str]:
    return [
        _(
            "A live game is listed while its host keeps the page open. %(seconds)s after they "
            "close it, the game leaves the list, and after %(minutes)s it closes. An unlisted "
            "game waits %(invited)s for its host."
        )
        % {
            "seconds": _seconds(LEFT_AFTER_MS),
            "minutes": _minutes(AWAY_LIVE_MS),
            "invited": _minutes(AWAY_INVITED_MS),
        },
        _(
            "A game with days for each move, or without a clock, closes when its host hasn’t "
            "visited the site for %(days)s."
        )
        % {"days": _days(AWAY_SLOW_MS)},
        _(
            "Games that you leave open (at most %(most)s) end after %(days)s without a visit. When "
            "one of them ends, a new one opens."
        )
        % {"most": MAX_OPEN_GAMES, "days": _days(OFFER_LIFE_MS)},
    ]


def _unstarted_games() -> list[str]:
    return [
        _(
            "Live: each player has %(seconds)s for the first move. If it isn’t made, the game is "
            "aborted, and nobody loses."
        )
        % {"seconds": _seconds(FIRST_TURN_MS)},
        _(
            "Days for each move: if a player’s first move isn’t made within those days, the game "
            "is aborted, and nobody loses."
        ),
    ]


def _running_games() -> list[str]:
    return [
        _("With a clock: if your time runs out, you lose."),
        _(
            "Live: if it’s your opponent’s turn and they have left, you can claim the win or a "
            "draw after a while."
        ),
        _("Without a clock: after %(days)s without a move the game is aborted.")
        % {"days": _days(IDLE_LIMIT_MS)},
        _(
            "A game with days or without a clock is aborted after %(days)s without a move if "
            "neither player can come back: their accounts are deleted or suspended, or they were "
            "guests and have logged out."
        )
        % {"days": _days(GONE_LIMIT_MS)},
        _("If you delete your account, you resign your games."),
    ]


def _holidays() -> list[str]:
    return [
        _(
            "In a game with days, a holiday begins by itself when your time runs out. It lasts 24 "
            "hours, and your clocks stand still in all your games with days."
        ),
        _(
            "You have %(year)s of holiday in a calendar year (UTC), and at most %(row)s in a row. "
            "If none is left, you lose on time."
        )
        % {"year": _days(MAX_DAYS_A_YEAR * DAY_MS), "row": _days(MAX_DAYS_IN_A_ROW * DAY_MS)},
        _(
            "There are no holidays in the first move of a game. Computer players and suspended "
            "players have none. You can turn yours off in the settings, but not your opponent’s."
        ),
    ]


def _deletions() -> list[str]:
    return [
        _("A closed lobby in which nobody played is deleted after %(days)s.")
        % {"days": _days(UNPLAYED_KEPT_MS)},
        _("A guest who never played is deleted after %(days)s.")
        % {"days": _days(UNPLAYED_GUEST_LIFE.days * DAY_MS)},
        _("Games that were played are kept."),
    ]


def _seconds(time_ms: int) -> str:
    count = time_ms // SECOND_MS
    return ngettext("%(count)s second", "%(count)s seconds", count) % {"count": count}


def _minutes(time_ms: int) -> str:
    count = time_ms // MINUTE_MS
    return ngettext("%(count)s minute", "%(count)s minutes", count) % {"count": count}


def _days(time_ms: int) -> str:
    count = time_ms // DAY_MS
    return ngettext("%(count)s day", "%(count)s days", count) % {"count": count}
