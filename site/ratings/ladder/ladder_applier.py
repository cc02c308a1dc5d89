"""Record each ended game against a level, and award the rung that it completes.

A follow-up to the end of a game (`play.storage.ended_games`). A game is entered once by a unique
constraint, in one transaction with the rung, and a process may be killed at any moment.
"""

import json
from collections.abc import Collection

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef

from games.catalogue import rules_of
from play.models import COUNTED, Seat, Step
from play.runtime.game_commands import has_given_turns
from ratings.ladder.models import LadderGame, Rung
from ratings.ladder.rungs import BOARD_GAMES, GAMES_A_RUNG, Played, games_of_rung

GAMES_A_ROUND = 50


def pending_seats(among: Collection[int] | None = None) -> list[Seat]:
    """Return the accounts' seats in ended games against levels, `among` some ids of games or all.

    Those that have been entered are left out. Oldest first, at most `GAMES_A_ROUND`.
    """
    entered = LadderGame.objects.filter(game=OuterRef("game"))
    seats = Seat.objects.filter(
        ~Exists(entered),
        game__ended__isnull=False,
        game__has_bot=True,
        user__is_bot=False,
        has_account=True,
        against__level__isnull=False,
        rules__in=BOARD_GAMES,
        result__in=COUNTED,
    )
    if among is not None:
        seats = seats.filter(game__in=among)
    rows = seats.select_related("game", "against")
    return list(rows.order_by("game__ended", "game")[:GAMES_A_ROUND])


def apply_ended_games(among: Collection[int] | None = None) -> list[Seat]:
    """Enter ended games, those `among` some ids or all, and return their seats."""
    found = pending_seats(among)
    for seat in found:
        enter(seat)
    return found


def enter(seat: Seat) -> None:
    """Enter a game against a level. Nothing happens if another process has done so."""
    try:
        with transaction.atomic():
            entered = _entry_of(seat)
            entered.save(force_insert=True)
            _give_rung(entered)
    except IntegrityError:
        if not LadderGame.objects.filter(game=seat.game_id).exists():
            raise


def _entry_of(seat: Seat) -> LadderGame:
    game, rules = seat.game, rules_of(seat.rules)
    assert game.ended is not None
    assert seat.against.level is not None
    return LadderGame(
        game=game,
        user_id=seat.user_id,
        rules=seat.rules,
        level=seat.against.level,
        role=seat.role,
        is_won=seat.result == "won",
        is_void=game.takebacks > 0 or has_given_turns(game.pk),
        turns=rules.turns(rules.read(game.position)),
        spent_ms=_spent_ms(game.pk, seat.role),
        ended=game.ended,
    )


def _spent_ms(game: int, role: str) -> int:
    """Return the time that a role's clock paid for its steps, taken back ones left out."""
    steps = Step.objects.filter(game=game, undone=None).values_list("spent", flat=True)
    return sum(json.loads(spent).get(role, 0) for spent in steps)


def _give_rung(entered: LadderGame) -> None:
    """Give the rung that a game completes, unless the player holds it."""
    key = (entered.user_id, entered.rules, entered.level)
    if entered.is_void or Rung.objects.filter(user=key[0], rules=key[1], level=key[2]).exists():
        return
    newest = list(LadderGame.objects.of(*key).reverse()[:GAMES_A_RUNG])[::-1]
    if count := games_of_rung([Played(game.role, game.is_won) for game in newest]):
        rung = Rung.objects.create(user_id=key[0], rules=key[1], level=key[2], at=newest[-1].ended)
        games = [game.pk for game in newest[-count:]]
        LadderGame.objects.filter(pk__in=games).update(rung=rung)
