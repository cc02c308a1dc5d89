"""Random positions of Amazons in which at most ten squares are empty."""

from __future__ import annotations

from random import Random

from games.amazons import Amazons, State
from games.grid import squares

MAX_FREE = 10


def small_position(rules: Amazons, random: Random) -> State:
    """Return a position: a few regions of random shape, with one to four amazons of each role.

    Mostly a region has amazons of one role, so that many positions are decided.
    """
    grid = rules.grid
    free = max(random.randint(1, MAX_FREE), random.randint(1, MAX_FREE))
    amazons = [random.randint(1, 4), random.randint(1, 4)]
    cells = free + sum(amazons)
    regions = _regions(rules, random, cells, random.randint(1, 4))
    white = black = 0
    order = [square for region in regions for square in squares(region)]
    if random.random() < 0.3:
        random.shuffle(order)  # amazons anywhere
        picked = order[: sum(amazons)]
        white = sum(1 << square for square in picked[: amazons[0]])
        black = sum(1 << square for square in picked[amazons[0] :])
    else:
        owners = [random.choice("WWWBBBX") for _ in regions]
        for role in "WB":
            room = [
                square
                for region, owner in zip(regions, owners, strict=True)
                if owner in (role, "X")
                for square in squares(region & ~(white | black))
            ] or [square for square in order if not (white | black) >> square & 1]
            random.shuffle(room)
            chosen = sum(1 << square for square in room[: amazons[role == "B"]])
            if role == "W":
                white = chosen
            else:
                black = chosen
    live = sum(regions)
    surplus = list(squares(live & ~(white | black)))
    random.shuffle(surplus)
    for square in surplus[MAX_FREE:]:
        live ^= 1 << square
    return State(white, black, grid.board & ~live, random.choice(("white", "black")), None, 20)


def _regions(rules: Amazons, random: Random, cells: int, number: int) -> list[int]:
    """Return up to `number` sets of connected squares, none next to another, `cells` in all."""
    grid = rules.grid
    regions: list[int] = []
    for index in range(number):
        near = grid.around(sum(regions)) if regions else 0
        open_ = list(squares(grid.board & ~near))
        if not open_:
            break
        region = 1 << random.choice(open_)
        size = max(1, cells // number + (index == 0) * (cells % number))
        while region.bit_count() < size:
            border = list(squares(grid.around(region) & grid.board & ~near & ~region))
            if not border:
                break
            region |= 1 << random.choice(border)
        regions.append(region)
    return regions
