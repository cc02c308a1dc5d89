"""Rated games that end by an incident: time-outs, early resignations, first turns not made."""

from itertools import count

from play.domain import commands
from play.domain.clocks import DAY_MS, FIRST_TURN_MS, FLAG_DELAY_MS
from play.domain.decide import decide
from play.storage import load
from play.storage.save import Verdict, commit
from ratings.models import RatingEntry
from tests.support.notice_games import TimedGame
from tests.support.rated_games import DAYS, FISCHER, rated_game

seeds = count()


def reasons() -> list[str]:
    """The reasons for which games are not rated, in the order of their entries."""
    entries = RatingEntry.objects.filter(kind="game").order_by("seq")
    return list(entries.values_list("not_rated", flat=True))


def timed_out(loser, winner, after=DAY_MS + 2_000, key="pincer") -> TimedGame:
    """A game by days that white loses on time, that long (ms) after its opening; no holidays."""
    game = TimedGame(loser, winner, key, DAYS, True, is_fair=False, is_rated=True)
    for turn in range(2):
        game.turn(("white", "black")[turn], 100 * (turn + 1), seed=next(seeds))
    flag = commands.Flag(game.slug, game.start + after)
    assert commit([decide(load.fetch(game.slug), flag)]) == [Verdict.WON]
    return game


def resigned_early(loser, winner, key="pincer") -> TimedGame:
    """A live game that black resigns after the first turn."""
    return rated_game(winner, loser, "white", key)


def missed(absent, present) -> TimedGame:
    """A live game in which white does not make the first turn."""
    game = TimedGame(absent, present, "pincer", FISCHER, True, is_rated=True)
    game.do(commands.Flag(game.slug, game.start + FIRST_TURN_MS + FLAG_DELAY_MS))
    assert game.row.reason == "no_show"
    return game
