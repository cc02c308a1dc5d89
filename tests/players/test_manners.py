"""The table of manners: which levels resign and what they say of it."""

from __future__ import annotations

import pytest

from games.catalogue import RULES
from games.players.levels import levels_of
from games.players.manners import LOST, MANNERS, manners_of


def test_every_level_of_every_game_has_manners():
    assert set(MANNERS) == set(RULES)
    for key, rows in MANNERS.items():
        assert len(rows) == len(levels_of(key))


@pytest.mark.parametrize("key", ["amazons-10x10", "amazons-8x8"])
def test_where_every_turn_burns_a_square_only_a_proof_makes_a_level_resign(key):
    values = [manners_of(key, number).resign_value for number in range(1, 9)]
    assert values == [None] * 3 + [LOST] * 5
    assert all(manners_of(key, number).draw is None for number in range(1, 9))


def test_the_sentence_that_a_level_resigns_stands_at_the_first_that_does():
    from bots.level_texts import SENTENCES

    for key, rows in MANNERS.items():
        says = [number for number, text in enumerate(SENTENCES[key]) if "Resigns" in str(text)]
        does = [number for number, row in enumerate(rows) if row.resign_value is not None]
        assert says == does[:1], key
