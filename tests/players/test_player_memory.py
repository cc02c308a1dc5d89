"""The bytes that players say they hold."""

import pytest

from games.catalogue import rules_of
from games.core import assemble_joint
from games.players.amazons.player import player_of as amazons_player
from games.players.core import SMALL_PLAYER_BYTES, Allowance, Player
from games.players.levels import ENGINES, has_numba, player_of

AMAZONS = [key for key in ENGINES if key.startswith("amazons")]


def play(key: str, player: Player, actions: int, nodes: int) -> list[int]:
    """The bytes that a player of both roles holds after each action."""
    rules, state, held = rules_of(key), rules_of(key).start(), []
    for _ in range(actions):
        (role,) = rules.control(state)
        view, choices = rules.view(state, role), rules.choices(state, role)
        thought = player.choose(view, role, choices, Allowance(nodes), 1)
        state = rules.play(state, assemble_joint(rules, state, {role: thought.action}))
        held.append(player.nbytes)
    return held


@pytest.mark.parametrize("key", AMAZONS)
def test_a_player_of_amazons_holds_the_written_part_of_its_tree(key) -> None:
    number = 8 if has_numba() else 4  # the highest: it has no lapse, which would forget the tree
    player, other = (amazons_player(key, number, may_use_book=False) for _ in range(2))
    unused = player.nbytes
    few, more = play(key, player, 1, 20)[-1], play(key, other, 1, 100)[-1]
    assert unused < few < more
    tree = player.search.tree
    assert tree is not None
    reserved = sum(array.nbytes for array in tree)
    assert few - unused <= reserved
    player.search.forget()
    assert player.nbytes == unused


@pytest.mark.parametrize("key", ENGINES)
def test_a_player_holds_something_and_every_level_says_how_much(key) -> None:
    for number in range(1, 9 if has_numba() else 5):
        assert player_of(key, number).nbytes >= SMALL_PLAYER_BYTES


def test_a_high_level_of_pincer_holds_its_table_whole() -> None:
    player = player_of("pincer", 8 if has_numba() else 6)
    table = 8 * len(player.tree.table)  # type: ignore[attr-defined]
    assert table < player.nbytes < table + 2**20
    assert play("pincer", player, 3, 500) == [player.nbytes] * 3
