"""The soak's slope and games, and the curves of the bench."""

from random import Random
from xml.etree import ElementTree

import pytest

from games.catalogue import rules_of
from games.core import assemble_joint
from tests.bench.curve import HEIGHT, WIDTH, nice, plot
from tests.bench.soak.churn import KEYS, scripts
from tests.bench.soak.samples import growth


def test_growth_is_told_for_a_million_actions_and_after_the_warm_up():
    series = [(0.0, 0.0), (100.0, 80.0), (200.0, 81.0), (300.0, 82.0)]
    assert growth(series, 100.0) == pytest.approx(10_000.0)


def test_growth_of_noise_around_a_level_is_small_beside_a_real_one():
    random = Random(1)
    level = [(1_000.0 * n, 150 + random.gauss(0, 0.2)) for n in range(500)]
    leak = [(at, value + 50 * at / 1e6) for at, value in level]
    assert abs(growth(level, 0.0)) < 0.5
    assert growth(leak, 0.0) == pytest.approx(50, abs=0.5)


def test_too_few_samples_have_no_growth():
    assert growth([(0.0, 1.0), (10.0, 9.0)], 0.0) == 0.0


@pytest.mark.parametrize("key", KEYS)
def test_the_games_of_the_soak_are_legal_and_short(key):
    rules = rules_of(key)
    for steps, is_over in scripts(key, 10):
        state = rules.start()
        for step in steps:
            actions = {role: rules.parse(text) for role, text in step.items()}
            for role, action in actions.items():
                rules.check(state, role, action)
            state = rules.play(state, assemble_joint(rules, state, actions))
        assert is_over == (rules.outcome(state) is not None)
        assert 1 <= sum(map(len, steps)) <= 11


def test_a_plot_is_svg_with_all_points_inside():
    svg = plot("a < b", "actions", "MiB", {"RSS": [(0, 5), (120, 90)], "files": [(60, 10)]})
    root = ElementTree.fromstring(svg)
    lines = [each for each in root.iter() if each.tag.endswith("polyline")]
    points = [point.split(",") for line in lines for point in line.get("points").split()]
    assert all(0 <= float(x) <= WIDTH and 0 <= float(y) <= HEIGHT for x, y in points)
    assert root.get("aria-label") == "a < b"


def test_a_plot_without_points_is_refused():
    with pytest.raises(ValueError, match="no point"):
        plot("nothing", "x", "y", {"RSS": []})


@pytest.mark.parametrize(
    ("value", "round_one"), [(0, 1e-9), (1, 1), (1.1, 2), (230, 250), (51, 100)]
)
def test_axes_end_at_round_numbers(value, round_one):
    assert nice(value) == pytest.approx(round_one)
