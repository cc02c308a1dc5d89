"""A board as SVG: squares, burnt squares, last turn and pieces, as on the canvas."""

from collections.abc import Iterator, Mapping
from functools import cache
from math import atan2, degrees
from typing import Final

from games.core import Role
from pictures.card_data import Facts
from pictures.palette import palette
from pictures.shapes import MARKS, family_of, shapes
from pictures.svg import Paint, figure_svg, layers_svg, number

SIDE_PX: Final = 550  # of the whole board with its frame or wall
FRAME, WALL = 0.05, 0.108  # both margins, as a share of the board
LIP_SQUARES: Final = 0.045  # of the wall, in squares
FIELD_SHADOW_PX = (10, 8)  # depth of the field's shadow from above and from the left
_ROLES: Final[Mapping[str, Role]] = {mark: role for role, mark in MARKS.items()}


def board_svg(facts: Facts) -> str:
    """Return the position as a spectator sees it, `SIDE_PX` pixels wide and high."""
    view, family, paint = facts.view, family_of(facts.key), palette().__getitem__
    columns, rows = view["width"], view["height"]
    side = _side_px(columns, family)
    edge = (SIDE_PX - side * columns) / 2
    newest = facts.flights[-1][1] if facts.flights else ""
    burnt, pieces = [], []
    for square, mark in _marks(view["board"], rows):
        x, y = _centre(square, rows)
        if mark == "x":
            burnt.append(_burnt_square(square, rows, side, square == newest, paint))
        else:
            pieces.append(f'<use href="#figure-{mark}" x="{number(x)}" y="{number(y)}"/>')
    figures = "".join(
        f'<g id="figure-{mark}">{figure_svg(shapes().figure(family, role), side, paint)}</g>'
        for mark, role in _ROLES.items()
    )
    return (
        f"{_ground(columns, rows, family)}<defs>{figures}</defs>"
        f'<g transform="translate({number(edge)} {number(edge)}) scale({side})" fill="none"'
        f' stroke-linejoin="round" stroke-linecap="round">'
        f"{''.join(burnt)}{_last_turn(facts, rows, paint)}{''.join(pieces)}</g>"
    )


def _side_px(columns: int, family: str) -> int:
    return int(SIDE_PX * (1 - (WALL if family == "pincer" else FRAME)) / columns)


def _marks(board: str, rows: int) -> Iterator[tuple[str, str]]:
    for row, letters in enumerate(board.split("/")):
        for column, letter in enumerate(letters):
            if letter != ".":
                yield f"{chr(97 + column)}{rows - row}", letter


def _place(square: str) -> tuple[int, int]:
    """Return file and rank of a square, from 1."""
    return ord(square[0]) - 96, int(square[1:])


def _centre(square: str, rows: int) -> tuple[float, float]:
    x, y = _place(square)
    return x - 0.5, rows - y + 0.5


@cache
def _ground(columns: int, rows: int, family: str) -> str:
    """Return frame or wall, the squares and the shadow that falls on them."""
    colours, side = palette(), _side_px(columns, family)
    edge, is_walled = (SIDE_PX - side * columns) / 2, family == "pincer"
    wide, high = side * columns, side * rows
    lip = LIP_SQUARES * side if is_walled else 1
    parts = [f'<rect width="{SIDE_PX}" height="{SIDE_PX}" fill="{_surround(is_walled)}"/>']
    if is_walled:
        joints = "".join(
            f"M{edge + line * side:g} 0v{SIDE_PX}M0 {edge + line * side:g}h{SIDE_PX}"
            for line in range(columns + 1)
        )
        parts.append(f'<path d="{joints}" stroke="{colours["lineLight"]}"/>')
    parts.append(
        f'<rect x="{edge - lip:g}" y="{edge - lip:g}" width="{wide + 2 * lip:g}"'
        f' height="{high + 2 * lip:g}" fill="{colours["tooth" if is_walled else "edge"]}"/>'
        f'<g transform="translate({edge:g} {edge:g})">'
        f'<rect width="{wide}" height="{high}" fill="{colours["squareA"]}"/>'
        f"{_squares(columns, rows, side)}{_field_shadow(wide, high)}"
    )
    if is_walled:
        parts.append(_teeth(columns, rows, side))
    return "".join([*parts, "</g>"])


def _surround(is_walled: bool) -> str:
    return palette()["wall" if is_walled else "frame"]


def _squares(columns: int, rows: int, side: int) -> str:
    """Return the darker squares, and a light and a dark edge on every square."""
    dark, lit, shaded = "", "", ""
    for row in range(rows):
        for column in range(columns):
            x, y = column * side, row * side
            if (row + column) % 2:
                dark += f"M{x} {y}h{side}v{side}h-{side}z"
            lit += f"M{x} {y}h{side}v1h-{side - 1}v{side - 1}h-1z"
            shaded += f"M{x + side} {y + side}h-{side}v-1h{side - 1}v-{side - 1}h1z"
    fills = (("squareB", dark), ("lineLight", lit), ("lineDark", shaded))
    return "".join(f'<path d="{path}" fill="{palette()[name]}"/>' for name, path in fills)


def _field_shadow(wide: int, high: int) -> str:
    colour = palette()["sink"]
    stops = f'<stop stop-color="{colour}"/><stop offset="1" stop-color="#000" stop-opacity="0"/>'
    down, right = FIELD_SHADOW_PX
    return (
        f'<linearGradient id="down" x2="0" y2="1">{stops}</linearGradient>'
        f'<linearGradient id="right">{stops}</linearGradient>'
        f'<rect width="{wide}" height="{down}" fill="url(#down)"/>'
        f'<rect width="{right}" height="{high}" fill="url(#right)" fill-opacity=".6"/>'
    )


def _teeth(columns: int, rows: int, side: int) -> str:
    """Return a tooth at both ends of every row and column."""
    places: list[tuple[float, float, int]] = [(0, row + 0.5, 0) for row in range(rows)]
    places += [(columns, row + 0.5, 180) for row in range(rows)]
    places += [(column + 0.5, 0, 90) for column in range(columns)]
    places += [(column + 0.5, rows, -90) for column in range(columns)]
    teeth = "".join(
        f'<path d="{shapes().tooth}" transform="translate({x:g} {y:g}) rotate({angle})"/>'
        for x, y, angle in places
    )
    return f'<g transform="scale({side})" fill="{palette()["tooth"]}">{teeth}</g>'


def _burnt_square(square: str, rows: int, side: int, is_newest: bool, paint: Paint) -> str:
    """Return a burnt square; the newest one still glows."""
    burnt = shapes().burnt
    tile, form = burnt.look(*_place(square))
    x, y = _centre(square, rows)
    layers = (*burnt.layers, burnt.glow, burnt.rims["ember"]) if is_newest else burnt.flat
    drawn = layers_svg(layers, tile.paths, side, paint)
    matrix = " ".join(map(str, form))
    return f'<g transform="matrix({matrix} {number(x)} {number(y)})">{drawn}</g>'


def _last_turn(facts: Facts, rows: int, paint: Paint) -> str:
    """Return the paths of the pieces moved in the last turn, and of its arrow."""
    parts = []
    for start, end in facts.slides:
        (x, y), (x2, y2) = _centre(start, rows), _centre(end, rows)
        ticks = "".join(
            f"M{number(x + 0.41 * dx)} {number(y + 0.19 * dy)}v{number(0.22 * dy)}"
            f"h{number(-0.22 * dx)}"
            for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        )
        parts.append(
            f'<path d="{ticks}" stroke="{paint("trail")}" stroke-width=".03"/>'
            f'<path d="M{number(x)} {number(y)}L{number(x2)} {number(y2)}" stroke-width=".03"'
            f' stroke="{paint("trail")}" stroke-dasharray=".11 .09" stroke-linecap="butt"/>'
        )
    for start, end in facts.flights:
        (x, y), (x2, y2) = _centre(start, rows), _centre(end, rows)
        line = f"M{number(x)} {number(y)}L{number(x2)} {number(y2)}"
        angle = degrees(atan2(y2 - y, x2 - x))
        parts.append(
            f'<path d="{line}" stroke="{paint("ember")}" stroke-width=".05"/>'
            f'<path d="{shapes().arrow_head}" fill="{paint("ember")}"'
            f' transform="translate({number(x2)} {number(y2)}) rotate({number(angle)})"/>'
        )
    return "".join(parts)
