"""The table of the Blotto lab is the rules' and the solver's, exactly."""

from fractions import Fraction

import pytest

from games.blotto import score
from games.players.blotto.equilibrium import one_round
from games.players.blotto.equilibrium_score import expected_points
from games.players.blotto.lab_table import lab_table
from games.players.blotto.splits import SPLITS

TABLE = lab_table()


def points(own: int, other: int) -> int:
    return int(TABLE["points"][own * len(SPLITS) + other])


def test_every_pair_shares_the_points_of_a_round() -> None:
    pairs = [(own, other) for own in range(len(SPLITS)) for other in range(len(SPLITS))]
    assert len(TABLE["points"]) == len(pairs) == 66 * 66
    assert all(points(*pair) + points(*pair[::-1]) == TABLE["round_points"] for pair in pairs)
    assert all(points(a, b) == score((SPLITS[a], SPLITS[b]))[0] for a, b in pairs)


def test_the_mix_is_the_solvers() -> None:
    assert sum(TABLE["mix"]) == TABLE["mix_total"]
    shares = [weight / TABLE["mix_total"] for weight in TABLE["mix"]]
    assert shares == pytest.approx(one_round())


def test_expected_points_by_the_table_are_exact() -> None:
    for own, split in enumerate(SPLITS):
        total = sum(weight * points(own, other) for other, weight in enumerate(TABLE["mix"]))
        assert Fraction(total, TABLE["mix_total"]) == expected_points(split)
