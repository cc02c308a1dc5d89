"""The squares of a prompt as its wire form says them: the tests' own reading of that contract."""

from __future__ import annotations

from typing import Any

# Left, right, down, up, down left, up right, down right, up left.
DIRECTIONS = ((-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, 1), (1, -1), (-1, 1))


def unpacked(node: Any, square: str = "") -> Any:
    """A node of a prompt's tree with every square by name: strings are squares that end the go,
    objects map squares to what follows them (and "x" to what is captured)."""
    if not isinstance(node, str):
        return {key: below if key == "x" else unpacked(below, key) for key, below in node.items()}
    if node.startswith(":"):
        return star(square, node[1:])
    if ":" not in node:
        return node
    items = [item.split(":") for item in node.split(" ")]
    return {square: star(square, digits) for square, digits in items}


def star(square: str, digits: str) -> str:
    """The squares about a square, up to where the digits reach."""
    x, y = ord(square[0]), int(square[1:])
    return " ".join(
        f"{chr(x + far * right)}{y + far * up}"
        for digit, (right, up) in zip(digits, DIRECTIONS, strict=False)
        for far in range(1, int(digit, 16) + 1)
    )
