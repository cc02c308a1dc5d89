"""The cheap steps of the ladder: a higher level wins more than it loses, and not everything."""

from __future__ import annotations

import pytest

from games.lab.likelihood import mean_of
from games.lab.series import Match, tallies

pytestmark = pytest.mark.slow

GAMES = 16
# Two levels apart: so few games cannot tell neighbours apart.
PAIRS = [("amazons-8x8", 3, 1), ("pincer", 3, 1), ("pincer", 4, 2)]


def score(a: str, b: str, key: str) -> float:
    *_, last = tallies(Match(a, b, key, GAMES, seed=5), 1, None)
    return mean_of(last.pairs)


@pytest.mark.parametrize(("key", "higher", "lower"), PAIRS)
def test_two_levels_higher_wins_most_games(key, higher, lower):
    assert score(str(higher), str(lower), key) > 0.6


@pytest.mark.nightly
@pytest.mark.parametrize("key", ["amazons-8x8", "pincer"])
def test_a_novice_beats_the_first_level_at_times_and_the_third_less_often(key):
    assert score("novice", "1", key) > max(0.2, score("novice", "3", key))
