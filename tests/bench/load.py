"""Load generator: a Node program on the CPU core that the server does not use."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.bench.processes import GENERATOR, ROOT
from tests.bench.scripts import board_after, scripts
from tests.bench.systems import Game, System

TIMEOUT_S = 240.0  # seconds for a plan
PROGRAM = ROOT / "tests" / "bench" / "load" / "main.mjs"


class Failed(RuntimeError):
    """A round that proves nothing: something was refused, lost, or different for its two seats."""


class Generator:
    """Runs plans; `packages` is the folder of npm."""

    def __init__(self, packages: Path) -> None:
        self.packages = packages

    def run(self, work: str, system: System, **plan: Any) -> dict[str, Any]:
        """Does what a plan says. Raises `Failed`."""
        whole = {"work": work, "system": system.adapter, "trees": system.trees, **plan}
        try:
            done = subprocess.run(
                ["node", "--max-old-space-size=8192", str(PROGRAM)],
                input=json.dumps(whole),
                capture_output=True,
                text=True,
                timeout=TIMEOUT_S,
                preexec_fn=lambda: os.sched_setaffinity(0, {GENERATOR}),
                env={**os.environ, "QUIVER_BENCH_PACKAGES": str(self.packages)},
            )
        except subprocess.TimeoutExpired:
            raise Failed(f"{system.name}: not done within {TIMEOUT_S:.0f} s") from None
        if done.returncode:
            raise Failed(f"{system.name}: {done.stderr[-2_000:]}")
        result: dict[str, Any] = json.loads(done.stdout)
        if result["faults"]:
            raise Failed(f"{system.name}: {'; '.join(result['faults'][:3])}")
        return result

    def play(self, system: System, games: Sequence[Game], **plan: Any) -> dict[str, Any]:
        """Plays a round, and checks the states of its games; advances `at` of each game.

        Raises `Failed`; the states of its games are unknown then, and they are not played again.
        """
        starts = [dict(game) for game in games]
        for game in games:
            game["at"] = len(scripts()[game["script"]])
        result = self.run("play", system, games=starts, scripts=scripts(), **plan)
        if not all(wave["actions"] for wave in result["waves"]):
            raise Failed(f"{system.name}: nothing was played in the time that was measured")
        for game, ended in zip(games, result["games"], strict=True):
            check(system.name, game, ended)
        for game, ended in zip(games, result["games"], strict=True):
            game["at"] = ended["at"]
        return result

    def watch(self, system: System, spectators: int, actions: int, every: int) -> dict[str, Any]:
        """Plays some actions, one each `every` ms, before so many spectators."""
        (game,) = system.take(1)
        first = game["at"]
        about = {"spectators": spectators, "actions": actions, "every": every}
        plan = {"games": [dict(game)], "scripts": scripts(), **about}
        game["at"] = len(scripts()[game["script"]])  # it is not played again
        result = self.run("watch", system, **plan)
        check(system.name, game, {**result, "at": first + actions})
        return result

    def hold(self, system: System, connections: int) -> dict[str, Any]:
        """Holds so many connections open at one game."""
        return self.run("hold", system, games=system.take(1), connections=connections)


def check(name: str, game: Game, ended: Mapping[str, Any]) -> None:
    """Both seats stand where the script leads to, and all was acknowledged. Raises `Failed`."""
    white, black, at = ended["white"], ended["black"], ended["at"]
    if white != black:
        raise Failed(f"{name}: the seats of a game see different things: {white} {black}")
    if white["step"] != at or white["board"] != board_after(game["script"], at):
        raise Failed(f"{name}: {white} is not where {at} actions lead")
    if "receipts" in ended and ended["receipts"] != ended["played"]:
        raise Failed(f"{name}: {ended['played']} actions, {ended['receipts']} receipts")
