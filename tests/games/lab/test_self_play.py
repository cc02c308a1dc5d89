"""Self-play and the fit of the evaluation to it."""

from __future__ import annotations

import json
from itertools import pairwise

import numpy as np
import pytest

from games.__main__ import main
from games.lab.fit_evaluation import ALONE_WEIGHT, Samples, design, fit, fit_both, loss
from games.lab.self_play import SelfPlay, play, read_games, replay, start_of, write
from games.players.amazons.distances import ALONE_AT, COLUMNS
from games.players.amazons.evaluation import weigh_inputs
from games.players.amazons.general_weights import PHASES, WEIGHTS
from games.players.amazons.weights import fitted_weights
from tests.games.stories import AMAZONS

SERIES = SelfPlay("amazons-8x8", 8, 3)


def test_a_game_of_self_play_is_reproducible_and_keeps_to_the_rules():
    record = play(SERIES, 5)
    assert record == play(SERIES, 5)
    assert record != play(SERIES, 6)
    positions = [position for position, _, _ in replay(SERIES.key, record)]
    assert positions[0] == start_of(SERIES.key)
    for before, after in pairwise(positions):
        if before.move < 0:
            assert (after.own.bit_count(), after.free.bit_count()) == (4, before.free.bit_count())
        else:
            assert after.free.bit_count() == before.free.bit_count() - 1


def test_games_are_read_as_they_were_written(tmp_path):
    records = [play(SERIES, index) for index in range(3)]
    write(tmp_path / "games.npz", records)
    assert read_games(tmp_path / "games.npz") == records


def random_inputs(rng, many):
    """Inputs and w of no real position."""
    inputs = rng.normal(size=(many, COLUMNS))
    inputs[:, 5:] *= rng.random((many, COLUMNS - 5)) < 0.1
    return inputs, rng.uniform(0.1, 70.0, many)


def test_the_design_is_what_the_evaluation_computes():
    rng = np.random.default_rng(1)
    inputs, w = random_inputs(rng, 50)
    weights = rng.normal(size=(len(PHASES), COLUMNS))
    for row, phase, columns in zip(inputs, w, design(inputs, w), strict=True):
        assert columns @ weights[:, :ALONE_AT].ravel() == pytest.approx(
            weigh_inputs(row, phase, weights, 0), abs=1e-9
        )


@pytest.mark.nightly
def test_a_fit_finds_the_weights_that_made_the_results():
    rng = np.random.default_rng(2)
    inputs, w = random_inputs(rng, 40_000)
    true = np.zeros((len(PHASES), COLUMNS))
    true[:, :5] = 0.5, 0.0, -0.3, 0.2, 0.7
    chance = 1.0 / (1.0 + np.exp(-2.0 * (design(inputs, w) @ true[:, :ALONE_AT].ravel())))
    result = np.where(rng.random(len(w)) < chance, 1.0, -1.0)
    found = fit(inputs, w, result)
    assert np.abs((found - true)[:, :5]).max() < 0.1
    assert loss(inputs, w, found, result) <= loss(inputs, w, true, result) + 1e-3
    assert (found[:, ALONE_AT] == ALONE_WEIGHT).all()


def test_positions_before_a_move_and_before_a_shot_have_weights_of_their_own():
    rng = np.random.default_rng(3)
    inputs, w = random_inputs(rng, 4_000)
    is_shot = rng.random(len(w)) < 0.5
    result = np.where((inputs[:, 0] > 0) == is_shot, 1.0, -1.0)
    samples = Samples(inputs, w, result, result, is_shot, np.zeros(len(w), bool))
    before_move, before_shot = np.split(fit_both(samples), 2)
    assert before_move[:, 0].max() < 0 < before_shot[:, 0].min()


def test_the_commands_play_and_fit(tmp_path, capsys):
    file = str(tmp_path / "games.npz")
    assert main(["self-play", "amazons-8x8", file, "--games", "6", "--nodes", "4"]) == 0
    assert main(["fit-evaluation", "amazons-8x8", file]) == 0
    told = json.loads(capsys.readouterr().out)
    assert np.array(told["weights"]).shape == WEIGHTS.shape
    assert told["loss"]["fitted"] != told["loss"]["general"]


@pytest.mark.parametrize("content", [b"no games", b"PK\x03\x04 cut off", b""])
def test_a_file_of_something_else_is_refused(tmp_path, capsys, content):
    (tmp_path / "games.npz").write_bytes(content)
    assert main(["fit-evaluation", "amazons-8x8", str(tmp_path / "games.npz")]) == 2
    assert "no games of self-play" in capsys.readouterr().err


@pytest.mark.parametrize("key", AMAZONS)
def test_fitted_weights_are_of_the_right_shape_and_cannot_be_changed(key):
    weights = fitted_weights(key)
    assert weights.shape == WEIGHTS.shape
    with pytest.raises(ValueError, match="read-only"):
        weights[0, 0] = 1.0


def test_the_free_arrow_has_the_weights_of_its_board():
    assert (fitted_weights("amazons") == fitted_weights("amazons-10x10")).all()
