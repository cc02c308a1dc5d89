"""One level of another build of the rules: reads turns, answers with its own.

Run by `tests.bench.engine.builds` with the folder of the build first on the path, so it imports
only what builds have had since they exist: the rules and the interface of the players. Each line
of standard input is a JSON object: `{"opening": [[action, ...], ...]}` begins a game with the steps
of its opening, `{"turn": [action, ...]}` plays a turn of the opponent, and `{"seconds": S, "seed":
N}` asks for a turn in S seconds of processor time. It answers the last with `{"turn": [...],
"value": V, "seconds": S, "nodes": N, "end": WINNER}`; `end` is None while the game goes on.
"""

from __future__ import annotations

import json
import sys
from time import process_time
from typing import Any, Final

from games.catalogue import rules_of
from games.core import assemble_joint
from games.players.core import Allowance
from games.players.levels import player_of

UNLIMITED_NODES: Final = 1_000_000_000
# Share of a turn's time for its first action; the second has the rest.
FIRST_SHARE: Final = {"amazons-8x8": 0.7, "amazons-10x10": 0.7, "pincer": 0.5}
MIN_SHARE: Final = 0.1


class BuildPlayer:
    """A level of this build in one game after another."""

    def __init__(self, key: str, level: int) -> None:
        self.rules: Any = rules_of(key)
        self.key, self.level = key, level
        self.begin([])

    def begin(self, opening: list[list[str]]) -> None:
        """Begin a game."""
        self.player = player_of(self.key, self.level)
        if hasattr(self.player, "book"):
            self.player.book = None  # builds without one could not answer it
        self.state = self.rules.start()
        for step in opening:
            self.play(step)

    def play(self, turn: list[str]) -> None:
        """Play the actions of one role's turn."""
        for text in turn:
            (role,) = self.rules.control(self.state)
            sealed = {role: self.rules.parse(text)}
            self.state = self.rules.play(self.state, assemble_joint(self.rules, self.state, sealed))

    def think(self, seconds: float, seed: int) -> dict[str, Any]:
        """Choose and play a whole turn."""
        (role,) = self.rules.control(self.state)
        turn: list[str] = []
        begun, nodes, value = process_time(), 0, 0.0
        while self.rules.control(self.state) == {role}:
            share = FIRST_SHARE.get(self.key, 1.0)
            if turn:
                share = max(MIN_SHARE, 1.0 - (process_time() - begun) / seconds)
            end = process_time() + seconds * share
            thought = self.player.choose(
                self.rules.view(self.state, role),
                role,
                self.rules.choices(self.state, role),
                Allowance(UNLIMITED_NODES, lambda end=end: process_time() >= end),
                seed + len(turn),
            )
            nodes, value = nodes + thought.nodes, thought.value
            turn.append(str(thought.action))
            self.play(turn[-1:])
        outcome = self.rules.outcome(self.state)
        return {
            "turn": turn,
            "value": value,
            "seconds": process_time() - begun,
            "nodes": nodes,
            "end": outcome.winner if outcome else None,
        }


def main(key: str, level: int) -> None:
    """Answer until standard input ends."""
    player = BuildPlayer(key, level)
    player.think(0.2, 1)  # compile
    print("ready", flush=True)
    for line in sys.stdin:
        message = json.loads(line)
        if "opening" in message:
            player.begin(message["opening"])
        elif "turn" in message:
            player.play(message["turn"])
        else:
            print(json.dumps(player.think(**message)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
