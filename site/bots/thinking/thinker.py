"""Think about a turn, from the view of its seat, and within its time.

Runs in a thread, without database. The level's nodes decide the strength; time bounds them, so that
no player loses on time. Level 8 goes on beyond its nodes while its clock allows (`turn_time`).
"""

import logging
import secrets
import shutil
import time
import traceback
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace

from bots.thinking.code_compiler import prepare_player
from bots.thinking.turn_time import TurnTimer, budget_of
from games.core import Role, assemble_joint
from games.players.core import Allowance, Level, Player, Thought
from games.players.levels import outdated_code, player_of
from games.players.random_player import RandomPlayer
from play.domain import clocks
from play.domain.game_state import GameState, with_position
from telemetry.redaction import shorten_key

SEED_BITS = 53
MAX_HELD_BYTES = 24 * 2**20  # of all players kept between turns; a worker has 215 MiB besides
FAILED = "failed"  # `Thought.why` of a random action after an engine has failed
EXHIBITION_NODES_DIVISOR = 4  # an exhibition has the level's nodes divided by that
MAX_EXHIBITION_THOUGHT_S = 0.5
log = logging.getLogger("quiver.bots")


@dataclass(frozen=True, slots=True)
class ActionThought:
    """An action of a turn, with the thought behind it."""

    number: int  # of the step
    thought: Thought
    ms: int  # of the processor


class PlayerCache:
    """Cache of players by game and role, bounded by the bytes that they hold.

    The least recently used are dropped, but never the one that was used last: a dropped player
    only has to search anew.
    """

    def __init__(self) -> None:
        self._players: OrderedDict[tuple[int, Role], Player] = OrderedDict()

    def player_at(self, game: GameState, role: Role, level: Level) -> Player:
        """Return the player of a role of a game, a new one if it is not cached."""
        seat = game.id, role
        if seat not in self._players:
            self._players[seat] = player_of(game.rules.key, level.number)
        self._players.move_to_end(seat)
        self.trim()
        return self._players[seat]

    @property
    def nbytes(self) -> int:
        """The bytes that all players hold."""
        return sum(player.nbytes for player in self._players.values())

    def trim(self) -> None:
        """Drop players until the others fit; call it when one has thought, and so has grown."""
        held = self.nbytes
        while held > MAX_HELD_BYTES and len(self._players) > 1:
            _, dropped = self._players.popitem(last=False)
            held -= dropped.nbytes

    def lend(self, game: GameState, role: Role) -> Player | None:
        """Take the player of a role out for another thread; None if it is not cached."""
        return self._players.pop((game.id, role), None)

    def take_back(self, game: GameState, role: Role, player: Player) -> None:
        """Cache a player again that was lent, unless there is a new one."""
        self._players.setdefault((game.id, role), player)
        self.trim()

    def forget(self, game: int) -> None:
        """Drop the players of a game."""
        for seat in [seat for seat in self._players if seat[0] == game]:
            del self._players[seat]


def clear_out() -> None:
    """Delete compiled code whose sources are gone."""
    for folder in outdated_code():
        shutil.rmtree(folder, ignore_errors=True)  # another process may delete it as well


def think(
    players: PlayerCache,
    game: GameState,
    role: Role,
    level: Level,
    is_over: Callable[[], bool],
    is_plain: bool = False,
    may_go_on: Callable[[], bool] = lambda: True,
    latency_ms: int = 0,
) -> list[ActionThought]:
    """Return a whole turn of a role in control, action by action.

    An engine stops early when `is_over` returns True, and goes beyond the nodes of its level only
    while `may_go_on` does. `latency_ms` is the time that a turn takes besides its thought.
    `is_plain` plays random legal actions instead, for positions in which engines have failed.
    """
    if not is_plain:
        prepare_player(game.rules.key)
    rules, state = game.rules, game.state
    turn: list[ActionThought] = []
    budget = budget_of(game, role, clocks.now(), latency_ms)
    timer = TurnTimer(budget, level, is_over, may_go_on)
    while role in rules.control(state) and rules.turns(state) == rules.turns(game.state):
        spent, seed = time.thread_time(), secrets.randbits(SEED_BITS)
        clock = timer.allowance(rules.key, is_first=not turn)
        player = RandomPlayer() if is_plain else players.player_at(game, role, level)
        thought = _choose(players, player, with_position(game, state), role, clock, seed)
        turn.append(
            ActionThought(game.step + len(turn), thought, _to_ms(time.thread_time() - spent))
        )
        if len(rules.control(state)) > 1:
            break  # the other role decides as well, so the next position is unknown
        state = rules.play(state, assemble_joint(rules, state, {role: thought.action}))
    players.trim()
    return turn


def exhibition_level(level: Level) -> Level:
    """Return a level with less time and fewer nodes, so that exhibitions cost little."""
    seconds = min(level.seconds, MAX_EXHIBITION_THOUGHT_S)
    nodes = max(1, level.nodes // EXHIBITION_NODES_DIVISOR)
    return replace(level, nodes=nodes, seconds=seconds, uses_clock=False, ponders=False)


def _choose(
    players: PlayerCache, player: Player, game: GameState, role: Role, clock: Allowance, seed: int
) -> Thought:
    """Return the player's choice, or a random legal action if the player fails."""
    rules, state = game.rules, game.state
    seen, choices = rules.view(state, role), rules.choices(state, role)
    try:
        thought = player.choose(seen, role, choices, clock, seed)
        rules.check(state, role, thought.action)
    except Exception as error:
        # The error's text is left out: it may name the action, which may be secret.
        where = "".join(traceback.format_tb(error.__traceback__))
        kind = type(error).__name__
        log.error("game %s: %s in the player of %s\n%s", shorten_key(game.slug), kind, role, where)
        players.forget(game.id)
        return replace(RandomPlayer().choose(seen, role, choices, clock, seed), why=FAILED)
    return thought


def _to_ms(seconds: float) -> int:
    return round(seconds * 1000)
