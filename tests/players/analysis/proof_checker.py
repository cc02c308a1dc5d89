"""Checker of proofs in plain Python: knows the rules of Amazons and nothing of the engine."""

from __future__ import annotations

from typing import Any

Cell = tuple[int, int]
KINGS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]


class Unproved(AssertionError):
    """The proof does not hold."""


def check(board: str, to_move: str, proof: Any) -> None:
    """Raises Unproved unless the proof shows who wins; `board` has its rows from the top."""
    rows = board.split("/")[::-1]
    letters = {(x, y): letter for y, row in enumerate(rows) for x, letter in enumerate(row)}
    mine, theirs = ("W", "B") if proof.winner == "white" else ("B", "W")
    own = {cell for cell, letter in letters.items() if letter == mine}
    others = {cell for cell, letter in letters.items() if letter == theirs}
    empty = {cell for cell, letter in letters.items() if letter == "."}
    loser_room = _flood(others, empty)
    need(proof.to_move == to_move, "who is to move")
    listed = {_cell(name) for region in proof.loser_regions for name in region.squares}
    need(loser_room == listed, "the loser's squares")
    need(sum(region.most for region in proof.loser_regions) == proof.most, "the sum of the loser")
    for region in proof.loser_regions:
        cells = frozenset(map(_cell, region.squares))
        inside = frozenset(map(_cell, region.amazons))
        need(inside <= others, "the loser's amazons")
        bound = len(cells)
        if region.most < bound:
            bound = _most(inside, cells, {})
        need(region.most >= bound, "the loser has more turns")
    guards = {cell for cell in own if any(near in loser_room | others for near in _near(cell))}
    safe = _flood(own, empty) - loser_room
    turns = list(zip(proof.line[::2], proof.line[1::2], strict=True))
    need(len(turns) == proof.least, "the length of the line")
    for move, fire in turns:
        x, y, u, v = (int(word) - 1 for word in move.split()[1:])
        a, b = (int(word) - 1 for word in fire.split()[1:])
        need((x, y) in own, "it has no amazon there")
        need((u, v) in safe and _sees((x, y), (u, v), safe), "a move out of the safe squares")
        safe = safe - {(u, v)} | {(x, y)}
        own = own - {(x, y)} | {(u, v)}
        need((a, b) in safe and _sees((u, v), (a, b), safe), "a shot out of the safe squares")
        need((x, y) not in guards or (a, b) == (x, y), "a guard leaves its border open")
        guards.discard((x, y))
        safe = safe - {(a, b)}
    is_winner_to_move = (proof.winner == "white") == (to_move == "white")
    need(proof.least >= proof.most + is_winner_to_move, "too few turns")


def need(is_true: bool, what: str) -> None:
    if not is_true:
        raise Unproved(what)


def _cell(name: str) -> Cell:
    return ord(name[0]) - 97, int(name[1:]) - 1


def _near(cell: Cell) -> list[Cell]:
    return [(cell[0] + dx, cell[1] + dy) for dx, dy in KINGS]


def _flood(seeds: set[Cell], empty: set[Cell]) -> set[Cell]:
    found: set[Cell] = set()
    queue = list(seeds)
    while queue:
        for near in _near(queue.pop()):
            if near in empty and near not in found:
                found.add(near)
                queue.append(near)
    return found


def _queen(cell: Cell, empty: Any) -> list[Cell]:
    found = []
    for dx, dy in KINGS:
        x, y = cell[0] + dx, cell[1] + dy
        while (x, y) in empty:
            found.append((x, y))
            x, y = x + dx, y + dy
    return found


def _sees(origin: Cell, target: Cell, empty: Any) -> bool:
    return target in _queen(origin, empty)


def _most(amazons: frozenset, empty: frozenset, known: dict) -> int:
    """The most turns of a side alone, by trying all."""
    key = (amazons, empty)
    if key not in known:
        best = 0
        for origin in amazons:
            for target in _queen(origin, empty):
                rest = empty - {target} | {origin}
                moved = amazons - {origin} | {target}
                for arrow in _queen(target, rest):
                    best = max(best, 1 + _most(moved, frozenset(rest - {arrow}), known))
        known[key] = best
    return known[key]
