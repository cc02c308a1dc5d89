"""The fold beside whole-history ratings of the same games, and the optimum of the bench itself."""

import numpy as np
import pytest

from tests.bench.ratings.simulation import MODELS, simulate
from tests.bench.ratings.whole_history import compare, optimum, whole_history

PEOPLE, GAMES = 150, 30


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["amazons", "pincer"])
def test_the_fold_ranks_people_as_the_whole_history_does(rules) -> None:
    pytest.importorskip("whr", reason="needs the package whr")
    found = compare(simulate(rules, PEOPLE, GAMES, 1, is_placed=False, candidates=8))
    assert found.rank_correlation > 0.98
    assert found.distance < 80
    assert found.optimum < found.fold < 110  # of 150 people alone


@pytest.mark.parametrize("rules", ["amazons", "pincer"])
def test_the_optimum_is_as_near_to_the_truth_as_it_says(rules) -> None:
    year = simulate(rules, PEOPLE, GAMES, 2, is_placed=False, candidates=4)
    found = optimum(year)
    errors = np.abs(found.strengths - np.array(year.strengths)) / found.deviations
    assert 0.9 < (errors < 1.96).mean() < 0.99
    assert (found.known_opponents < found.deviations).all()


def test_the_optimum_agrees_with_an_independent_program() -> None:
    """`whr` has another prior, so both agree up to a factor."""
    pytest.importorskip("whr", reason="needs the package whr")
    year = simulate("amazons", PEOPLE, GAMES, 3, is_placed=False, candidates=8)
    assert np.corrcoef(optimum(year).strengths, whole_history(year))[0, 1] > 0.995


def test_without_games_nothing_is_known_but_the_spread() -> None:
    year = simulate("amazons", 20, 1, 1, is_placed=False, candidates=1)
    alone = [n for n in range(20) if all(n not in (g.white, g.black) for g in year.games)]
    found = optimum(year)
    assert alone
    assert np.allclose(found.strengths[alone], 1500)
    assert np.allclose(found.deviations[alone], MODELS["amazons"].spread)
