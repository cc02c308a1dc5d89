"""Independent parser of a prompt's wire form."""

from __future__ import annotations

from typing import Any

# Left, right, down, up, down left, up right, down right, up left.
DIRECTIONS = ((-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, 1), (1, -1), (-1, 1))


def unpacked(node: Any, board: str = "", chosen: tuple[str, ...] = ()) -> Any:
    """A node of a prompt's tree with every square by name: strings are squares that end the turn,
    objects map squares to what follows them (and "x" to what is captured). `board` is the text of
    the position, which only rays need, `chosen` the squares that lead to the node."""

    def follow(square: str, below: Any) -> Any:
        return unpacked(below, board, (*chosen, square))

    square = chosen[-1] if chosen else ""
    if not isinstance(node, str):
        return {key: below if key == "x" else follow(key, below) for key, below in node.items()}
    if node == "*":
        return " ".join(rays(square, board, chosen))
    if node.startswith("*"):
        return {target: follow(target, node[1:]) for target in rays(square, board, chosen)}
    if node.startswith(":"):
        return star(square, node[1:])
    if ":" not in node:
        return node
    items = [item.split(":") for item in node.split(" ")]
    return {square: star(square, digits) for square, digits in items}


def rays(square: str, board: str, gone: tuple[str, ...]) -> list[str]:
    """The squares on the eight rays from a square, each up to a piece or a block. The squares in
    `gone` are empty."""
    rows = board.split("/")
    marks = {
        f"{chr(97 + across)}{len(rows) - down}": mark
        for down, row in enumerate(rows)
        for across, mark in enumerate(row)
    }
    x, y = ord(square[0]), int(square[1:])
    found = []
    for right, up in DIRECTIONS:
        for far in range(1, 26):
            target = f"{chr(x + far * right)}{y + far * up}"
            if target not in gone and marks.get(target, "wall") != ".":
                break
            found.append(target)
    return found


def star(square: str, digits: str) -> str:
    """The squares about a square, up to where the digits reach."""
    x, y = ord(square[0]), int(square[1:])
    return " ".join(
        f"{chr(x + far * right)}{y + far * up}"
        for digit, (right, up) in zip(digits, DIRECTIONS, strict=False)
        for far in range(1, int(digit, 16) + 1)
    )
