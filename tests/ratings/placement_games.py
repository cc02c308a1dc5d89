"""Placement games that are played and ended without a server."""

from itertools import count

from accounts.models import User
from games.core import OTHER
from games.rating.anchors import LevelAnchors
from games.rating.pools import Pool, Speed
from lobby.computer_seats import play_placement_game
from play.domain import commands
from play.models import Game
from ratings.placing.closing import close_placements, judge_ended_games
from tests.support.notice_games import TimedGame

PINCER = Pool("pincer", Speed.LIVE)
ids = (f"placement-{n}" for n in count())
RATINGS = (1_250, 1_375, 1_500, 1_625, 1_750, 1_875, 2_000, 2_125)


def anchors_with(version: int, shift: int = 0):
    """Anchors of each board game, 125 points apart, from level 4 on by `shift` more."""
    ratings = tuple(1000 * (each + (shift if each > 1_500 else 0)) for each in RATINGS)

    def read(rules: str) -> LevelAnchors:
        return LevelAnchors(rules, version, ratings, (50,) * 8, 100, "made for a test")

    return read


def timed(game: Game) -> TimedGame:
    """A game that exists, as one whose commands come at chosen times."""
    found = TimedGame.__new__(TimedGame)
    found.game, found.slug, found.start = game, game.slug, game.created
    found.users = {seat.role: seat.user for seat in game.seats.select_related("user")}
    return found


def own_role(game: Game, user: User) -> str:
    """The role of a user in a game."""
    return game.seats.get(user=user).role


def begin(user: User, pool: Pool = PINCER) -> TimedGame:
    """Start the next placement game of a user."""
    return timed(play_placement_game(user, pool))


def end(game: TimedGame, user: User, result: str = "won", after: int = 3) -> None:
    """End a game `after` ms, by resignation or agreement, after a turn of each side."""
    game.turn("white", after - 2, seed=1)
    game.turn("black", after - 1, seed=2)
    role = own_role(game.game, user)
    if result == "drawn":
        game.do(commands.Draw(next(ids), "offer"), "white", after)
        game.do(commands.Draw(next(ids), "accept"), "black", after)
    else:
        loser = OTHER[role] if result == "won" else role
        game.do(commands.Resign(next(ids)), loser, after)


def play(user: User, *results: str, pool: Pool = PINCER) -> list[TimedGame]:
    """Play placement games with these results; each is judged."""
    games = []
    for result in results:
        games.append(begin(user, pool))
        end(games[-1], user, result)
        judge_ended_games()
    return games


def work() -> None:
    """Do what a worker does for placements."""
    judge_ended_games()
    close_placements()
