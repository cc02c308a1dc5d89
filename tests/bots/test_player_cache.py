"""The players that a worker keeps between turns are bounded by the bytes that they hold."""

from dataclasses import dataclass
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.thinking import thinker
from bots.thinking.thinker import MAX_HELD_BYTES, PlayerCache
from games.catalogue import PINCER
from games.core import ROLES, Role
from games.players.levels import level_of
from games.players.random_player import RandomPlayer

LEVEL = level_of("pincer", 1)
SIZES = st.integers(0, MAX_HELD_BYTES // 3) | st.integers(0, 2 * MAX_HELD_BYTES)
THOUGHTS = st.lists(st.tuples(st.integers(1, 6), st.sampled_from(ROLES), SIZES), max_size=30)


@dataclass
class Sized(RandomPlayer):
    """A player that holds as much as its test says."""

    held: int = 0

    @property
    def nbytes(self) -> int:
        return self.held


def player_at(players: PlayerCache, game: int, role: Role) -> Sized:
    """The player of a role of a game, of which the cache reads its id and its rules alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(thinker, "player_of", lambda key, number: Sized())
        found = players.player_at(SimpleNamespace(id=game, rules=PINCER), role, LEVEL)
    assert isinstance(found, Sized)
    return found


def kept(players: PlayerCache) -> list[tuple[int, Role]]:
    """The seats whose players are kept, the least recently used first."""
    return list(players._players)


@given(THOUGHTS)
def test_players_hold_no_more_than_the_bound_but_for_the_one_in_use(thoughts) -> None:
    players, used = PlayerCache(), list[tuple[int, Role]]()
    for game, role, held in thoughts:
        seat = game, role
        used = [*(each for each in used if each != seat), seat]
        player = player_at(players, game, role)
        assert players.nbytes <= MAX_HELD_BYTES or kept(players) == [seat]
        player.held = held  # it thinks
        players.trim()
        assert players.nbytes <= MAX_HELD_BYTES or kept(players) == [seat]
        assert kept(players) == used[-len(kept(players)) :]  # the most recently used ones


@given(THOUGHTS)
def test_no_player_is_dropped_that_fits(thoughts) -> None:
    players = PlayerCache()
    for game, role, held in thoughts:
        before = {seat: player.nbytes for seat, player in players._players.items()}
        player_at(players, game, role).held = held
        players.trim()
        dropped = [seat for seat in before if seat not in kept(players)]
        if dropped:
            assert players.nbytes + before[dropped[-1]] > MAX_HELD_BYTES


def test_many_players_without_memory_are_kept() -> None:
    players = PlayerCache()
    first = [player_at(players, game, "white") for game in range(100)]
    again = [player_at(players, game, "white") for game in range(100)]
    assert [id(player) for player in again] == [id(player) for player in first]
    assert len(kept(players)) == 100


def test_the_players_of_a_game_are_forgotten() -> None:
    players = PlayerCache()
    for game in (1, 2):
        for role in ROLES:
            player_at(players, game, role).held = 1
    players.forget(1)
    assert kept(players) == [(2, role) for role in ROLES] and players.nbytes == 2
