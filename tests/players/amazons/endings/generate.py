"""Make endings of Amazons 8x8 in which no empty cell is within reach of both sides.

    python -m tests.players.amazons.endings.generate > tests/players/amazons/endings/positions.txt
    python -m tests.players.amazons.endings.generate --check

A line holds the kind, the side to move, whether it wins by the exhaustive solver, and the board.
Of each kind there are 100, half of them won by the side to move: in `parted` ones burnt cells keep
the sides apart, in `guarded` ones only amazons do, somewhere.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

from tests.players.amazons.endings.exhaustive import Solver

SEED: Final = 19
EACH: Final = 50  # of a kind and result
SIZE: Final = 8
FILE: Final = Path(__file__).with_name("positions.txt")
Cell = tuple[int, int]


def near(cell: Cell) -> set[Cell]:
    x, y = cell
    return {
        (x + dx, y + dy)
        for dx in (-1, 0, 1)
        for dy in (-1, 0, 1)
        if (dx or dy) and 0 <= x + dx < SIZE and 0 <= y + dy < SIZE
    }


def blob(rng: Random, size: int, taken: set[Cell]) -> set[Cell]:
    """A connected set of free cells; smaller if there is no room."""
    free = [(x, y) for x in range(SIZE) for y in range(SIZE) if (x, y) not in taken]
    cells = {rng.choice(free)} if free else set()
    while 0 < len(cells) < size:
        edge = sorted({other for cell in cells for other in near(cell)} - cells - taken)
        if not edge:
            break
        cells.add(rng.choice(edge))
    return cells


def flood(seeds: set[Cell], open_: set[Cell]) -> set[Cell]:
    found, queue = set(seeds), list(seeds)
    while queue:
        for other in near(queue.pop()) & open_ - found:
            found.add(other)
            queue.append(other)
    return found


def text(white: set[Cell], black: set[Cell], free: set[Cell]) -> str:
    letters = {**dict.fromkeys(white, "W"), **dict.fromkeys(black, "B"), **dict.fromkeys(free, ".")}
    return "/".join(
        "".join(letters.get((x, y), "x") for x in range(SIZE)) for y in reversed(range(SIZE))
    )


def kind_of(white: set[Cell], black: set[Cell], free: set[Cell]) -> str:
    """The kind of a position, "" if an empty cell is within reach of both sides."""
    if flood(white, free) & flood(black, free):
        return ""
    return "guarded" if flood(white, free | white | black) & black else "parted"


def random_ending(rng: Random) -> tuple[set[Cell], set[Cell], set[Cell]]:
    """One to three areas with amazons of both sides, 8 to 14 empty cells in all."""
    taken: set[Cell] = set()
    areas: list[set[Cell]] = []
    for _ in range(rng.randint(1, 3)):
        area = blob(rng, rng.randint(4, 12), taken)
        areas.append(area)
        taken |= area | {other for cell in area for other in near(cell)}
    white: set[Cell] = set()
    black: set[Cell] = set()
    cells = sorted(cell for area in areas for cell in area)
    for side, count in ((white, rng.randint(1, 4)), (black, rng.randint(1, 4))):
        left = [cell for cell in cells if cell not in white | black]
        side |= set(rng.sample(left, min(count, len(left))))
    return white, black, set(cells) - white - black


def endings(seed: int) -> Iterator[str]:
    """The lines of the file."""
    rng = Random(seed)
    missing = {(kind, wins): EACH for kind in ("parted", "guarded") for wins in (True, False)}
    while any(missing.values()):
        white, black, free = random_ending(rng)
        kind, to_move = kind_of(white, black, free), rng.choice("WB")
        own, other = (white, black) if to_move == "W" else (black, white)
        reached = [len(flood(side, free)) - len(side) for side in (own, other)]
        if not kind or not 8 <= len(free) <= 14 or len(free | own | other) > 20:
            continue
        if abs(reached[0] - reached[1]) > 3 or min(reached) < 3:
            continue  # too easy
        if kind == "parted" and not any(missing["parted", wins] for wins in (True, False)):
            continue
        board = text(white, black, free)
        wins = Solver(board).wins(board, to_move)
        if missing[kind, wins]:
            missing[kind, wins] -= 1
            yield f"{kind} {to_move} {'won' if wins else 'lost'} {board}"


def main() -> None:
    if "--check" in sys.argv:
        assert FILE.read_text().splitlines() == list(endings(SEED))
        return
    for line in endings(SEED):
        print(line, flush=True)


if __name__ == "__main__":
    main()
