"""Expected points against the equilibrium are exact."""

from fractions import Fraction

from games.blotto import score
from games.players.blotto.equilibrium import one_round
from games.players.blotto.equilibrium_score import EVEN_POINTS, expected_points, mean_points
from games.players.blotto.splits import SPLITS


def test_all_splits_agree_with_the_sum_over_the_mix() -> None:
    mix = one_round()
    for own in SPLITS:
        plain = sum(
            chance * score((own, theirs))[0] for chance, theirs in zip(mix, SPLITS, strict=True)
        )
        assert abs(float(expected_points(own)) - plain) < 1e-12


def test_the_equilibrium_earns_half_and_nothing_earns_noticeably_more() -> None:
    mix = one_round()
    of_mix = sum(
        Fraction(chance) * expected_points(own) for chance, own in zip(mix, SPLITS, strict=True)
    )
    assert abs(float(of_mix) - EVEN_POINTS) < 1e-9
    best = max(expected_points(own) for own in SPLITS)
    assert EVEN_POINTS - 1e-6 < float(best) < EVEN_POINTS + 0.35
    assert float(expected_points((10, 0, 0))) < 2.5


def test_a_mean_is_exact() -> None:
    splits = [(10, 0, 0), (4, 3, 3), (4, 3, 3)]
    total = expected_points((10, 0, 0)) + 2 * expected_points((4, 3, 3))
    assert mean_points(splits) == total / 3
    assert expected_points((3, 4, 3)) == expected_points((4, 3, 3))
