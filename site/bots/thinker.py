"""Think about a turn, from the view of its seat, and within its time.

Runs in a thread, without database. The level's nodes decide the strength; time only bounds them, so
that no player loses on time.
"""

import logging
import secrets
import shutil
import time
import traceback
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from games.core import Role, assemble_joint
from games.players.core import Allowance, Level, Player, Thought
from games.players.levels import outdated_code, player_of, warm
from games.players.random_player import RandomPlayer
from play.domain import clocks
from play.domain.game_state import GameState, with_position
from telemetry.redaction import shorten_key

MIN_REPLY_DELAY_MS = 600  # lets people see the last action before the reply
RESERVE_MS = 700  # of the clock, never spent on thinking
RESERVED_TURNS = 25  # turns that the remaining time has to last for
RESERVED_ROUNDS = 3  # divides the limit of each turn or round, so that delays fit in as well
ACTIONS_A_TURN: Mapping[str, int] = {"amazons-10x10": 2, "amazons-8x8": 2, "pincer": 2}  # else one
SEED_BITS = 53
MAX_HELD_PLAYERS = 8  # kept between steps; a search tree may take some tens of megabytes
FAILED = "failed"  # `Thought.why` of a random action after an engine has failed
EXHIBITION_NODES_DIVISOR = 4  # an exhibition has the level's nodes divided by that
MAX_EXHIBITION_THOUGHT_S = 0.5
log = logging.getLogger("quiver.bots")


def earliest(game: GameState, role: Role) -> int:
    """Return the earliest moment (epoch ms) at which a role answers the last action."""
    if game.clock.kind == "none":
        return game.times.since + MIN_REPLY_DELAY_MS
    spare = game.times.left[role] - RESERVE_MS
    return game.times.since + max(0, min(MIN_REPLY_DELAY_MS, spare // 4))


def seconds(level: Level, game: GameState, role: Role, at: int) -> float:
    """Return the most seconds for one action of a role that starts to think at `at` (epoch ms)."""
    clock = game.clock
    if clock.kind == "none":
        return level.seconds
    left = game.times.left_at(role, at)
    ahead = RESERVED_TURNS if clock.kind == "fischer" else RESERVED_ROUNDS
    share = (left / ahead + 0.8 * clock.increment) / ACTIONS_A_TURN.get(game.rules.key, 1)
    return max(0.0, min(level.seconds, share / 1000, (left - RESERVE_MS) / 1000))


def is_low_on_time(game: GameState, role: Role) -> float:
    """Return the latest moment (epoch ms) to start on a role's turn; infinity without a clock."""
    if game.clock.kind == "none":
        return float("inf")
    return game.times.since + game.times.left[role] - 2 * RESERVE_MS


@dataclass(frozen=True, slots=True)
class ActionThought:
    """An action of a turn, with the thought behind it."""

    number: int  # of the step
    thought: Thought
    ms: int  # of the processor


class PlayerCache:
    """Cache of players by game and role; the least recently used are dropped."""

    def __init__(self) -> None:
        self._players: OrderedDict[tuple[int, Role], Player] = OrderedDict()

    def player_at(self, game: GameState, role: Role, level: Level) -> Player:
        """Return the player of a role of a game, a new one if it is not cached."""
        seat = game.id, role
        if seat not in self._players:
            self._players[seat] = player_of(game.rules.key, level.number)
        self._players.move_to_end(seat)
        while len(self._players) > MAX_HELD_PLAYERS:
            self._players.popitem(last=False)
        return self._players[seat]

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
) -> list[ActionThought]:
    """Return a whole turn of a role in control, action by action.

    An engine stops early when `is_over` returns True. `is_plain` plays random legal actions
    instead, for positions in which engines have failed.
    """
    if not is_plain:
        warm(game.rules.key)
    rules, state = game.rules, game.state
    turn: list[ActionThought] = []
    while role in rules.control(state) and rules.turns(state) == rules.turns(game.state):
        spent, seed = time.thread_time(), secrets.randbits(SEED_BITS)
        clock = _allowance(level, game, role, is_over)
        player = RandomPlayer() if is_plain else players.player_at(game, role, level)
        thought = _choose(players, player, with_position(game, state), role, clock, seed)
        turn.append(
            ActionThought(game.step + len(turn), thought, _to_ms(time.thread_time() - spent))
        )
        if len(rules.control(state)) > 1:
            break  # the other role decides as well, so the next position is unknown
        state = rules.play(state, assemble_joint(rules, state, {role: thought.action}))
    return turn


def exhibition_level(level: Level) -> Level:
    """Return a level with less time and fewer nodes, so that exhibitions cost little."""
    seconds = min(level.seconds, MAX_EXHIBITION_THOUGHT_S)
    return replace(level, nodes=max(1, level.nodes // EXHIBITION_NODES_DIVISOR), seconds=seconds)


def _allowance(level: Level, game: GameState, role: Role, is_over: Callable[[], bool]) -> Allowance:
    until = time.monotonic() + seconds(level, game, role, clocks.now())
    return Allowance(level.nodes, lambda: time.monotonic() >= until or is_over())


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
