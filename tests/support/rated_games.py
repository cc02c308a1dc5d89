"""Rated games between accounts that end at chosen times, played without a server."""

from itertools import count

from accounts.models import User
from games.core import OTHER
from play.domain import commands
from play.domain.clocks import SECOND_MS, Clock
from ratings.rules.applier import apply_ended_games
from ratings.rules.public_file import find_generation, page_of
from tests.support.notice_games import TimedGame

FISCHER = Clock("fischer", 300 * SECOND_MS, 3 * SECOND_MS)
DAYS = Clock("days", 86_400 * SECOND_MS)
ids = (f"rated-{n}" for n in count())


def create_accounts(*names: str) -> list[User]:
    """Create users with an account."""
    return [User.objects.create(username=name) for name in names]


def rated_game(
    white, black, winner="white", key="pincer", clock=FISCHER, *, turns=2, public=True, at=None
) -> TimedGame:
    """A rated game in which the other side resigns after some turns; at a time (epoch ms) if given.

    Without a winner a draw is agreed upon.
    """
    game = TimedGame(white, black, key, clock, public, is_fair=False, is_rated=True)
    for turn in range(turns):
        game.turn(("white", "black")[turn % 2], 100 * (turn + 1), seed=turn)
    after = 1_000 if at is None else at - game.start
    if winner:
        game.do(commands.Resign(next(ids)), OTHER[winner], after)
    else:
        game.do(commands.Draw(next(ids), "offer"), "white", after)
        game.do(commands.Draw(next(ids), "accept"), "black", after)
    return game


def apply_all() -> int:
    """Rate all games that have ended, and return how many there were."""
    total = 0
    while found := apply_ended_games():
        total += found
    return total


def read_public_file(number: int | None = None) -> list[str]:
    """Return the lines of the public file of a generation, the current one without a number."""
    found = find_generation(number)
    assert found is not None
    page = page_of(found, 0, limit=10_000)
    assert page.next_after is None
    return page.text.splitlines()
