"""Placement by games against the level nearest to the estimate."""

from itertools import product

import pytest

from games.rating.placement import (
    MAX_GAMES,
    PLACED_DEVIATION,
    NotNext,
    Outcome,
    PlacementGame,
    next_level,
    place,
)
from games.rating.standing import START

ANCHORS = [1_250_000, 1_375_000, 1_500_000, 1_625_000, 1_750_000, 1_875_000, 2_000_000, 2_125_000]


def games_with(results: tuple[Outcome, ...]) -> list[PlacementGame]:
    """Return placement games with these results."""
    games: list[PlacementGame] = []
    for result in results:
        level = next_level(games, ANCHORS)
        assert level is not None
        games.append(PlacementGame(level, result))
    return games


def test_the_first_game_is_against_the_level_of_the_starting_rating() -> None:
    assert next_level([], ANCHORS) == 3


def test_a_win_leads_to_a_higher_level_and_a_loss_to_a_lower_one() -> None:
    assert [game.level for game in games_with(("won", "lost", "lost"))] == [3, 4, 3]
    assert next_level(games_with(("won",)), ANCHORS) > next_level(games_with(("lost",)), ANCHORS)


def test_every_course_of_results_ends_after_six_games_and_more_wins_rate_higher() -> None:
    ratings: dict[int, list[int]] = {wins: [] for wins in range(MAX_GAMES + 1)}
    for results in product(("won", "lost"), repeat=MAX_GAMES):
        games = games_with(results)
        assert next_level(games, ANCHORS) is None
        ratings[results.count("won")].append(place(games, ANCHORS, 0).numbers.rating)
    means = [sum(each) / len(each) for each in ratings.values()]
    assert means == sorted(means)


def test_a_placed_rating_stays_uncertain() -> None:
    standing = place(games_with(("won",) * 6), ANCHORS, at=7)
    assert standing.numbers.deviation == PLACED_DEVIATION
    assert standing.numbers.volatility == START.volatility
    assert (standing.at, standing.games) == (7, 0)


def test_games_in_another_order_than_the_search_asks_for_are_refused() -> None:
    with pytest.raises(NotNext, match="asks for level 3, not 8"):
        place([PlacementGame(8, "won")], ANCHORS, 0)
    with pytest.raises(NotNext, match="1 to 6 games"):
        place([], ANCHORS, 0)
    with pytest.raises(NotNext, match="1 to 6 games"):
        place([*games_with(("lost",) * 6), PlacementGame(1, "lost")], ANCHORS, 0)
