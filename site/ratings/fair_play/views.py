"""The page of a user's own rated play: pauses, their causes, and the rules for incidents."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from play.domain.clocks import now
from play.game_texts import name_of
from play.models import Game
from ratings.fair_play.fair_play_texts import KIND_TEXTS, moment_text, pause_text
from ratings.fair_play.incidents import (
    MAX_COUNTED_TIME_OUTS,
    MAX_EARLY_RESIGNATIONS,
    MAX_NO_SHOWS,
    MAX_PAIR_GAMES,
    MAX_QUICK_RESIGNATIONS,
    RESIGNATION_WINDOW_GAMES,
    SHOWN_MS,
    Kind,
    Pause,
)
from ratings.fair_play.rated_log import current_pauses, recent_incidents


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game in a list of the page."""

    url: str
    text: str
    ended: str


@dataclass(frozen=True, slots=True)
class PauseRow:
    """A pause with the games that it rests on."""

    text: str
    reason: str
    games: list[GameRow]


@require_safe
@never_cache
def rated_play(request: HttpRequest) -> HttpResponse:
    """Show the user's own pauses and incidents; strangers and guests sign in first."""
    if not getattr(request.user, "is_account", False):
        return redirect_to_login(request.path)
    user, at = request.user.pk, now()
    assert user is not None  # that of an account
    pauses = current_pauses(user, at)
    incidents = recent_incidents(user, at - SHOWN_MS)
    keys = {each.game for each in incidents}.union(*(pause.games for pause in pauses))
    rows = _game_rows(keys, user)
    context = {
        "pauses": [_pause_row(pause, rows) for pause in reversed(pauses)],
        "incidents": [(rows[each.game], KIND_TEXTS[each.incident]) for each in incidents],
        "rules": _rules(),
    }
    return render(request, "ratings/rated_play.html", context)


def _game_rows(keys: Collection[int], user: int) -> dict[int, GameRow]:
    rows = {}
    for game in Game.objects.filter(pk__in=keys).prefetch_related("seats__user"):
        other = next(seat.user.username for seat in game.seats.all() if seat.user_id != user)
        text = _("%(game)s against %(name)s") % {"game": name_of(game.rules), "name": other}
        rows[game.pk] = GameRow(game.get_absolute_url(), text, moment_text(game.ended or 0))
    return rows


def _pause_row(pause: Pause, rows: Mapping[int, GameRow]) -> PauseRow:
    games = [rows[key] for key in pause.games]
    return PauseRow(pause_text(pause.until), _reason(pause), games)


def _reason(pause: Pause) -> str:
    """Return the sentence about the reason of a pause."""
    count = len(pause.games)
    if pause.kind is Kind.TIME_OUT:
        return ngettext(
            "Within seven days you lost %(count)s game with days on time.",
            "Within seven days you lost %(count)s games with days on time.",
            count,
        ) % {"count": count}
    if pause.kind is Kind.RESIGNATION:
        return _(
            "You resigned %(count)s of your last %(games)s rated games before your sixth turn."
        ) % {"count": count, "games": RESIGNATION_WINDOW_GAMES}
    if pause.kind is Kind.QUICK_RESIGNATION:
        return _(
            "You resigned %(count)s of your last %(games)s rated games before your ninth turn."
        ) % {"count": count, "games": RESIGNATION_WINDOW_GAMES}
    return ngettext(
        "Within a day you missed the first turn of %(count)s rated game.",
        "Within a day you missed the first turn of %(count)s rated games.",
        count,
    ) % {"count": count}


def _rules() -> list[str]:
    return [
        _(
            "You lose a game with days on time: %(count)s within seven days count. Further ones "
            "rate neither player and pause your rated play."
        )
        % {"count": MAX_COUNTED_TIME_OUTS},
        _(
            "A game of Amazons that you have certainly lost counts even so: both sides are walled "
            "off, and you run out of moves first."
        ),
        _(
            "You resign in Amazons or Pincer before your sixth turn: %(count)s of your last "
            "%(games)s rated games pause your rated play; before your ninth turn, %(quick)s."
        )
        % {
            "count": MAX_EARLY_RESIGNATIONS,
            "games": RESIGNATION_WINDOW_GAMES,
            "quick": MAX_QUICK_RESIGNATIONS,
        },
        _("You play the same person: %(count)s rated games within a day count.")
        % {"count": MAX_PAIR_GAMES},
        _("You miss your first turn in a rated game: %(count)s within a day pause your rated play.")
        % {"count": MAX_NO_SHOWS},
        _("A pause lasts one day from the end of the last of these games."),
        _("You can always play casual games."),
    ]
