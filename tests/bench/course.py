"""Order of a benchmark run: the measurements for each system."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tests.bench.figures import (
    Growth,
    Measured,
    Play,
    a_connection,
    fanned,
    middle,
    played,
    resting,
)
from tests.bench.load import Generator
from tests.bench.processes import say
from tests.bench.rivals import Start, node, tutorial
from tests.bench.sites import SHAPES
from tests.bench.systems import Ours, System


@dataclass(frozen=True)
class Scale:
    """Extent of the measurements."""

    sizes: tuple[int, ...]  # games in play at once
    rounds: int
    seconds: float  # of a round, at most
    connections: int  # held open for their memory
    crowds: tuple[int, ...]  # spectators of one game
    actions: int  # before them
    growth: int  # games that are open; 0: it is not measured


FULL = Scale((200, 500, 50), 3, 2.0, 1000, (200, 1000), 30, 2000)
QUICK = Scale((200,), 1, 1.5, 300, (200,), 12, 300)
WARM = {"warm": 0.6}  # seconds before a window
CALM = 100  # ms between the actions that spectators see
FEW = 50  # games in play among many
IDLE = 3  # seconds in which nobody plays
CROWDED = ("daphne", "boardgame.io", "colyseus", "colyseus-at-once", "tutorial")
GROWING = "daphne"


def starts(packages: Path) -> dict[str, Start]:
    """Return the start of each system by name."""
    return {**SHAPES, "tutorial": tutorial, **node(packages)}


class Course:
    """A run over some systems; `found` fills as it goes."""

    def __init__(self, generator: Generator, scale: Scale, folder: Path) -> None:
        self.generator = generator
        self.scale = scale
        self.folder = folder
        self.found: dict[str, Measured] = defaultdict(Measured)
        self.failures: list[str] = []

    def run(self, chosen: Mapping[str, Start]) -> None:
        """Measures the chosen systems. Failures are noted, and the rest goes on."""
        with ExitStack() as stack:
            running = [
                system
                for name, start in chosen.items()
                if (system := self._started(stack, name, start))
            ]
            self._rounds(running)
            self._crowds(running)
            for system in running if self.scale.growth else ():
                if isinstance(system, Ours) and system.name == GROWING:
                    self._try(system.name, partial(self._growth, system))

    def _try(self, name: str, step: partial[None]) -> None:
        try:
            step()
        except Exception as error:
            say(f"FAILED: {name}: {type(error).__name__}: {error}")
            *_, last = str(error).strip().splitlines() or [""]
            self.failures.append(f"{name}: {type(error).__name__}: {last[:200]}")

    def _started(self, stack: ExitStack, name: str, start: Start) -> System | None:
        """Starts a system, and measures the memory of its connections while it is new."""
        say(f"starts {name}")
        running: list[System] = []

        def begin() -> None:
            system = start(stack, self.folder / name)
            running.append(system)
            if name in CROWDED:
                say(f"{name}: memory of {self.scale.connections} connections")
                held = self.generator.hold(system, self.scale.connections)
                self.found[name].memory = a_connection(held)

        self._try(name, partial(begin))
        return running[0] if running else None

    def _rounds(self, systems: Iterable[System]) -> None:
        """Rounds of play in turns, so that other load on the machine affects all systems alike."""
        found: dict[tuple[str, int], list[Play]] = defaultdict(list)
        orders = [(0, self.scale.sizes[0])] + [
            (number, size)
            for number in range(1, self.scale.rounds + 1)
            for size in self.scale.sizes
        ]

        def once(system: System, number: int, size: int) -> None:
            about = {**WARM, "seconds": self.scale.seconds}
            result = self.generator.play(system, system.take(size), **about)
            play = played(result["waves"][0])
            say(f"{number}/{self.scale.rounds} {system.name}: {size} games, {told(play)}")
            if number:  # those of round 0 only warm up
                found[system.name, size].append(play)

        for number, size in orders:
            for system in systems:
                self._try(system.name, partial(once, system, number, size))
        for (name, size), plays in found.items():
            self.found[name].play[size] = middle(plays)

    def _crowds(self, systems: Iterable[System]) -> None:
        """Games with many spectators."""

        def once(system: System, spectators: int) -> None:
            result = self.generator.watch(system, spectators, self.scale.actions, CALM)
            fan = fanned(result)
            self.found[system.name].fan[spectators] = fan
            cost = ", ".join(f"{name} {each:.0f}" for name, each in fan.cost.items())
            say(f"{system.name}: {spectators} spectators, µs {cost}; last {fan.last:.0f} ms")

        for system in systems:
            if system.name in CROWDED:
                for spectators in self.scale.crowds:
                    self._try(system.name, partial(once, system, spectators))

    def _growth(self, system: Ours) -> None:
        """Few games in play, alone and then among many whose people are all there."""
        waves = self.scale.rounds
        about = {**WARM, "seconds": self.scale.seconds, "waves": waves, "playing": FEW}
        result = self.generator.play(system, system.take_slow(FEW * waves), **about)
        alone = middle([played(each) for each in result["waves"]])
        say(f"{system.name}: {FEW} games alone, {told(alone)}")
        say(f"{system.name}: opens games, until there are {self.scale.growth}")
        games = system.take_slow(self.scale.growth)
        result = self.generator.play(system, games, idle=IDLE, **about)
        among = middle([played(each) for each in result["waves"]])
        say(f"{system.name}: {FEW} among {len(games)} games, {told(among)}")
        self.found[system.name].growth = Growth(alone, among, len(games), resting(result))


def told(play: Play | None) -> str:
    """A figure of play in a line."""
    if play is None:
        return "nothing"
    cost = ", ".join(f"{name} {each:.0f}" for name, each in play.cost.items())
    return (
        f"{play.rate:.0f} actions/s, p50 {play.p50:.1f} ms, p99 {play.p99:.1f} ms; "
        f"CPU µs an action: {cost}; the generator has {play.generator:.0%} of its core"
    )
