"""Test doubles of computer players: random, slow, wrong or always resigning.

`sit_down("slow", monkeypatch)` puts one in the place of all engines. It is an engine package like
any other; there is no numba in it.
"""

import sys
import threading
from types import ModuleType

from games.catalogue import RULES
from games.choices import Choices
from games.core import NOOP, Action, Role, View
from games.players import levels
from games.players.core import Allowance, Level, Player, Thought
from games.players.random_player import RandomPlayer
from tests.support.waiting import wait_until_sync

SECONDS = 8.0  # a level's longest thought
MAX_WAIT_S = 120.0  # of a player that waits for its release or for the end of its allowance
GIVE_UP = "troops 9 1 0"  # the action of a player that fails


class Odd(Player):
    """Chooses by chance, and notes what it was given."""

    given: list[tuple[View, Role, int, int]] = []  # of all such players: view, role, nodes, seed
    value = 0.0

    def choose(
        self, view: View, role: Role, choices: Choices[Action], clock: Allowance, seed: int
    ) -> Thought:
        """Any action, changed or delayed by `odd`."""
        self.given.append((view, role, clock.nodes, seed))
        thought = RandomPlayer().choose(view, role, choices, clock, seed)
        return Thought(
            self.odd(thought.action, clock), self.value, thought.line, clock.nodes, 3, seed
        )

    def odd(self, action: Action, clock: Allowance) -> Action:
        """The action to play in the place of a chosen one."""
        return action


class Slow(Odd):
    """Thinks for as long as it may."""

    def odd(self, action: Action, clock: Allowance) -> Action:
        wait_until_sync(clock.is_over, "the thought may end", timeout_s=MAX_WAIT_S)
        return action


class Held(Odd):
    """Thinks until it is released, or its thought is dropped."""

    released = threading.Event()

    def odd(self, action: Action, clock: Allowance) -> Action:
        wait_until_sync(
            lambda: self.released.is_set() or clock.is_over(), "the release", timeout_s=MAX_WAIT_S
        )
        return action


class Stuck(Odd):
    """Thinks for the seconds of its level, without regard to the clock."""

    def __init__(self) -> None:
        super().__init__()
        self._seconds = SECONDS  # read before a test learns that it thinks, and changes that

    def odd(self, action: Action, clock: Allowance) -> Action:
        import time

        time.sleep(self._seconds)
        return action


class Pondering(Odd):
    """Thinks on the opponent's time for as long as it may, and counts one simulation."""

    pondered: list[Role] = []  # of all such players

    def ponder(self, view: View, role: Role, clock: Allowance) -> int:
        """Wait."""
        self.pondered.append(role)
        wait_until_sync(clock.is_over, "pondering may end", timeout_s=MAX_WAIT_S)
        return 1


class Deaf(Pondering):
    """Does not stop before it is released."""

    released = threading.Event()

    def ponder(self, view: View, role: Role, clock: Allowance) -> int:
        """Wait without regard to the clock."""
        self.released.wait(MAX_WAIT_S)
        return 1


class FailsPondering(Pondering):
    """Chooses, but cannot ponder."""

    def ponder(self, view: View, role: Role, clock: Allowance) -> int:
        """Stumble."""
        raise RuntimeError(GIVE_UP)


class Failing(Odd):
    """Stumbles, with a secret on its lips."""

    def odd(self, action: Action, clock: Allowance) -> Action:
        raise RuntimeError(GIVE_UP)


class Wrong(Odd):
    """Chooses an illegal action."""

    def odd(self, action: Action, clock: Allowance) -> Action:
        return NOOP


class Desperate(Odd):
    """Sees nothing but defeat."""

    value = -1.0


KINDS = {
    "quick": Odd,
    "slow": Slow,
    "held": Held,
    "stuck": Stuck,
    "failing": Failing,
    "wrong": Wrong,
    "desperate": Desperate,
    "pondering": Pondering,
    "deaf": Deaf,
    "fails_pondering": FailsPondering,
}


def packages(kind: str) -> dict[str, ModuleType]:
    """The modules of an engine of a kind, by name."""
    settings, player = (ModuleType(f"odd_{kind}.{name}") for name in ("settings", "player"))
    spread = tuple(
        Level(number, 10 * number, SECONDS, ponders=number == 8) for number in range(1, 9)
    )
    settings.LEVELS = dict.fromkeys(RULES, spread)  # type: ignore[attr-defined]
    player.player_of = lambda key, number: KINDS[kind]()  # type: ignore[attr-defined]
    player.warm = lambda: None  # type: ignore[attr-defined]
    return {f"odd_{kind}": ModuleType(f"odd_{kind}"), settings.__name__: settings} | {
        player.__name__: player
    }


def sit_down(kind: str, monkeypatch=None) -> None:
    """Has every game played by players of a kind: for a test, or for good in another process."""
    Odd.given.clear()
    Pondering.pondered.clear()
    for held in (Deaf, Held):
        held.released.clear()
    levels.levels_of.cache_clear()
    for name, module in packages(kind).items():
        sys.modules[name] = module
    for key in RULES:
        if monkeypatch:
            monkeypatch.setitem(levels.ENGINES, key, f"odd_{kind}")
        else:
            levels.ENGINES[key] = f"odd_{kind}"  # type: ignore[index]
