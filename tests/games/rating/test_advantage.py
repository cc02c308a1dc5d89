"""The fit of the first-move advantage to simulated games."""

import random

import pytest

from games.rating.advantage import MAX_ADVANTAGE, MIN_GAMES, first_move_advantage, meeting
from games.rating.glicko2 import expected_score
from games.rating.standing import Numbers


def simulated(games: int, advantage: float, seed: int = 1) -> list:
    """Return games of players of known ratings in which white has this advantage, in points."""
    chance, meetings = random.Random(seed), []
    for _ in range(games):
        white, black = (
            Numbers(chance.randrange(1_200_000, 1_800_000), 45_000, 60_000_000) for _ in range(2)
        )
        difference = (white.rating - black.rating) / 1000
        wins = chance.random() < expected_score(difference + advantage, 0)
        meetings.append(meeting(white, black, 1.0 if wins else 0.0))
    return meetings


@pytest.mark.parametrize("advantage", [-35, 0, 20, 40])
def test_the_fit_finds_the_advantage_of_simulated_games(advantage: int) -> None:
    # Of 20,000 games the standard error is some 3 points.
    assert first_move_advantage(simulated(20_000, advantage)) / 1000 == pytest.approx(
        advantage, abs=9
    )


def test_few_games_give_no_advantage() -> None:
    meetings = simulated(MIN_GAMES, 50)
    assert first_move_advantage(meetings[:-1]) == 0
    assert first_move_advantage(meetings) != 0


def test_the_advantage_is_capped() -> None:
    assert first_move_advantage(simulated(2_000, 200)) == MAX_ADVANTAGE
    assert first_move_advantage(simulated(2_000, -200)) == -MAX_ADVANTAGE


def test_games_that_one_side_always_wins_give_the_cap() -> None:
    always = [meeting(Numbers(1_500_000, 45_000, 1), Numbers(1_500_000, 45_000, 1), 1.0)] * 300
    assert first_move_advantage(always) == MAX_ADVANTAGE
