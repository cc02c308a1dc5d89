"""Thinks one go through, from what the seat may see: plain and without a database, for a thread."""

import logging
import secrets
import shutil
import time
import traceback
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace

from accounts.redaction import shorten_key
from bots import budget
from games.core import Role, assemble
from games.players.chance import Chance
from games.players.core import Allowance, Level, Player, Thought
from games.players.levels import outdated, player_of, warm
from play import clocks
from play.live import Live, standing

SEED_BITS = 53
HELD = 8  # players kept between turns: a search tree may take some tens of megabytes
FAILED = "failed"  # `Thought.why` of an action by chance because the engine had failed
NODES_SHOWN = 4  # an exhibition has the level's nodes divided by that
SECONDS_SHOWN = 0.5
log = logging.getLogger("quiver.bots")


@dataclass(frozen=True, slots=True)
class Considered:
    """An action of a go, with what was thought about it."""

    number: int  # of the turn
    thought: Thought
    ms: int  # of the processor


class Players:
    """The players who sit at games now; those unused for longest are forgotten."""

    def __init__(self) -> None:
        self._players: OrderedDict[tuple[int, Role], Player] = OrderedDict()

    def sitting(self, live: Live, role: Role, level: Level) -> Player:
        """Who plays a role of a game; a new one if he is not known here."""
        seat = live.id, role
        if seat not in self._players:
            self._players[seat] = player_of(live.rules.key, level.number)
        self._players.move_to_end(seat)
        while len(self._players) > HELD:
            self._players.popitem(last=False)
        return self._players[seat]

    def forget(self, game: int) -> None:
        """Forgets who plays a game."""
        for seat in [seat for seat in self._players if seat[0] == game]:
            del self._players[seat]


def clear_out() -> None:
    """Deletes code that was compiled from sources which are no longer here."""
    for folder in outdated():
        shutil.rmtree(folder, ignore_errors=True)  # another process may be at it as well


def think(
    players: Players,
    live: Live,
    role: Role,
    level: Level,
    is_over: Callable[[], bool],
    is_plain: bool = False,
) -> list[Considered]:
    """A whole go of a role that is to decide, action by action, until `is_over` says that it is
    not wanted any more. `is_plain` takes any action at all: a way out where engines have failed."""
    if not is_plain:
        warm(live.rules.key)
    rules, state = live.rules, live.state
    go: list[Considered] = []
    while role in rules.control(state) and rules.goes(state) == rules.goes(live.state):
        spent, seed = time.thread_time(), secrets.randbits(SEED_BITS)
        clock = _allowance(level, live, role, is_over)
        player = Chance() if is_plain else players.sitting(live, role, level)
        thought = _chosen(players, player, standing(live, state), role, clock, seed)
        go.append(Considered(live.turn + len(go), thought, _ms(time.thread_time() - spent)))
        if len(rules.control(state)) > 1:
            break  # the other decides as well: nobody knows how it goes on
        state = rules.play(state, assemble(rules, state, {role: thought.action}))
    return go


def shown(level: Level) -> Level:
    """What is left of a level in an exhibition, which is to cost next to nothing."""
    seconds = min(level.seconds, SECONDS_SHOWN)
    return replace(level, nodes=max(1, level.nodes // NODES_SHOWN), seconds=seconds)


def _allowance(level: Level, live: Live, role: Role, is_over: Callable[[], bool]) -> Allowance:
    until = time.monotonic() + budget.seconds(level, live, role, clocks.now())
    return Allowance(level.nodes, lambda: time.monotonic() >= until or is_over())


def _chosen(
    players: Players, player: Player, live: Live, role: Role, clock: Allowance, seed: int
) -> Thought:
    """What a player chooses; if he fails, a legal action by chance, so that the game goes on."""
    rules, state = live.rules, live.state
    seen, choices = rules.view(state, role), rules.choices(state, role)
    try:
        thought = player.choose(seen, role, choices, clock, seed)
        rules.check(state, role, thought.action)
    except Exception as error:
        # Without the words of the error: they may tell the action, which may be a secret.
        where = "".join(traceback.format_tb(error.__traceback__))
        kind = type(error).__name__
        log.error("%s in %s for %s\n%s", kind, shorten_key(live.slug), role, where)
        players.forget(live.id)
        return replace(Chance().choose(seen, role, choices, clock, seed), why=FAILED)
    return thought


def _ms(seconds: float) -> int:
    return round(seconds * 1000)
