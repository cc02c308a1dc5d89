"""Blotto's board has the points of people's revealed troops against the equilibrium."""

from fractions import Fraction

import pytest
from django.test import Client

from games.players.blotto.equilibrium_score import expected_points
from play.domain import commands
from play.domain.clocks import now
from play.models import Game
from ratings.leaderboards import ranking
from ratings.leaderboards.equilibrium_rounds import RoundScore, read_round_scores
from ratings.leaderboards.leaderboard_pass import make_pass
from ratings.leaderboards.leaderboard_texts import MIN_ROUNDS
from ratings.models import LeaderboardRow, Person
from tests.ratings.placement_games import ids
from tests.support.notice_games import TimedGame
from tests.support.page_visitors import browser_of, text_of
from tests.support.rated_games import FISCHER, apply_all, create_accounts, rated_game

pytestmark = pytest.mark.django_db
LATER = 60_000


def duel(white, black, splits, *, public=True, rated=True) -> TimedGame:
    """A game of Blotto with these splits of white; black always sends 4, 3 and 3."""
    game = TimedGame(white, black, "blotto", FISCHER, public, is_fair=False, is_rated=rated)
    for step, split in enumerate(splits):
        for role, troops in (("white", split), ("black", "4 3 3")):
            act = commands.Act(next(ids), step, (f"troops {troops}",))
            game.do(act, role, 10 * step + 1)
    if len(splits) < 5:
        game.do(commands.Resign(next(ids)), "white", 100)
    return game


def scores(*users) -> dict[int, RoundScore]:
    numbers = [Person.objects.get_or_create(user=user)[0].number for user in users]
    found = read_round_scores(numbers, now() + LATER)
    return {user.username: found.get(number) for user, number in zip(users, numbers, strict=True)}


def test_revealed_rounds_of_public_ended_games_are_counted_exactly() -> None:
    ada, bob, cy = create_accounts("ada", "bob", "cy")
    duel(ada, bob, ["10 0 0", "4 3 3"])
    duel(bob, ada, ["5 5 0", "5 5 0", "5 5 0", "5 5 0", "5 5 0"], rated=False)
    found = scores(ada, bob, cy)
    own = expected_points((10, 0, 0)) + 6 * expected_points((4, 3, 3))
    assert found["ada"] == RoundScore(7, round(Fraction(own, 7) * 1000))
    assert found["bob"].rounds == 7
    assert found["cy"] is None


def test_unlisted_running_aborted_and_old_games_are_left_out() -> None:
    ada, bob = create_accounts("ada", "bob")
    duel(ada, bob, ["10 0 0"], public=False)
    running = TimedGame(ada, bob, "blotto", FISCHER, True, is_fair=False)
    running.do(commands.Act(next(ids), 0, ("troops 4 3 3",)), "white", 1)
    aborted = TimedGame(ada, bob, "blotto", FISCHER, True, is_fair=False)
    aborted.do(commands.Abort(next(ids)), "white", 1)
    old = duel(ada, bob, ["4 3 3"])
    Game.objects.filter(pk=old.game.pk).update(ended=now() - ranking.WINDOW_MS - LATER)
    assert scores(ada)["ada"] is None


def test_the_board_shows_them_from_twenty_rounds_on() -> None:
    people = create_accounts("ada", "bob", "cy", "di")
    for n, white in enumerate(people):
        for black in people[n + 1 :]:
            for _ in range(2):
                duel(white, black, ["10 0 0"] * 4 if n == 0 else ["4 3 3"] * 2)
    apply_all()
    assert make_pass("test", now() + LATER) is not None
    rows = LeaderboardRow.objects.filter(rules="blotto").values_list(
        "person__user__username", "rounds"
    )
    assert dict(rows) == {"ada": 24, "bob": 16, "cy": 16, "di": 16}
    said = text_of(Client().get("/ratings/blotto/live/"))
    assert f"shown from {MIN_ROUNDS} rounds on" in said
    assert f"{float(expected_points((10, 0, 0))):.2f} (24)" in said
    own = text_of(browser_of(people[0]).get("/ratings/blotto/live/"))
    assert own.count(" (24)") == 2  # the reader's own row above the board has them too
    assert "(16)" not in said


def test_other_boards_have_no_such_column() -> None:
    rated_game(*create_accounts("ada", "bob"))
    apply_all()
    assert "Per round" not in text_of(Client().get("/ratings/pincer/live/"))
