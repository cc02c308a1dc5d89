"""A board with its squares, burnt squares, last go and pieces."""

from collections.abc import Callable
from functools import cache
from typing import Final

from PIL import Image

from games.core import Role
from play.picture import palette as p
from play.picture.facts import Facts
from play.picture.figures import family_of, figure
from play.picture.pen import Pen, Point

SIDE = 550  # pixels of the whole board
FINE = 2
_ROLES: Final[dict[str, Role]] = {"W": "white", "B": "black"}
_WAVES = ((0.02, -0.01), (-0.015, 0.02), (0.01, 0.015), (-0.02, -0.015))


def board(facts: Facts) -> Image.Image:
    """The position as a spectator sees it."""
    view = facts.view
    width, height = view["width"], view["height"]
    is_walled = family_of(facts.key) == "pincer"
    side = _side(width, is_walled)
    image = _ground(width, height, is_walled).copy()
    edge = (SIDE * FINE - side * width) / 2

    def centre(square: str) -> Point:
        x, y = ord(square[0]) - 97, int(square[1:]) - 1
        return edge + (x + 0.5) * side, edge + (height - y - 0.5) * side

    newest = facts.flights[-1][1] if facts.flights else None
    pieces: list[tuple[Point, Role]] = []
    for row, letters in enumerate(view["board"].split("/")):
        for column, letter in enumerate(letters):
            square = f"{chr(97 + column)}{height - row}"
            if letter == "x":
                tile = _tile(side, (3 * column + row) % 4, square == newest)
                image.paste(tile, _corner(centre(square), side))
            elif letter != ".":
                pieces.append((centre(square), _ROLES[letter]))
    _last_go(image, facts, centre, side)
    for at, role in pieces:
        sprite = figure(family_of(facts.key), role, side)
        image.paste(sprite, _corner(at, side), sprite)
    return image.reduce(FINE)


def _corner(centre: Point, side: int) -> tuple[int, int]:
    return round(centre[0] - side / 2), round(centre[1] - side / 2)


def _side(width: int, is_walled: bool) -> int:
    """Pixels of a square, before the picture is reduced."""
    margin = 0.108 if is_walled else 0.05
    return int(SIDE * FINE * (1 - margin) / width)


@cache
def _ground(width: int, height: int, is_walled: bool) -> Image.Image:
    """Frame or wall, and the squares. Not to be drawn on."""
    side = _side(width, is_walled)
    image = Image.new("RGB", (SIDE * FINE, SIDE * FINE), p.WALL if is_walled else p.FRAME)
    edge = (SIDE * FINE - side * width) / 2
    pen = Pen(image, edge, edge, side)
    if is_walled:
        _joints(pen, width, edge / side)
    lip = 0.045 if is_walled else 0.02
    far = width + lip
    pen.fill([(-lip, -lip), (far, -lip), (far, far), (-lip, far)], p.TOOTH if is_walled else p.EDGE)
    for row in range(height):
        for column in range(width):
            shade = p.SQUARE_A if (row + column) % 2 == 0 else p.SQUARE_B
            tile = (round(side), round(side))
            at = round(edge + column * side), round(edge + row * side)
            image.paste(shade, (*at, at[0] + tile[0], at[1] + tile[1]))
    if is_walled:
        _teeth(pen, width)
    return image


def _joints(pen: Pen, width: int, edge: float) -> None:
    for line in range(width + 1):
        pen.line([(line, -edge), (line, width + edge)], p.FRAME, 0.014)
        pen.line([(-edge, line), (width + edge, line)], p.FRAME, 0.014)


def _teeth(pen: Pen, width: int) -> None:
    half, high = 0.17, 0.105
    for line in range(width):
        at = line + 0.5
        for wall, way in ((0.0, high), (float(width), -high)):
            pen.fill([(at - half, wall), (at, wall + way), (at + half, wall)], p.TOOTH)
            pen.fill([(wall, at - half), (wall + way, at), (wall, at + half)], p.TOOTH)


@cache
def _tile(side: int, form: int, is_newest: bool) -> Image.Image:
    """A burnt square: an ash rim, char split by a seam; the newest one still glows."""
    image = Image.new("RGB", (side, side), p.ASH)
    pen = Pen(image, side / 2, side / 2, side)
    corners = ((-0.44, -0.44), (0.44, -0.44), (0.44, 0.44), (-0.44, 0.44))
    rim: list[Point] = []
    for number, (x, y) in enumerate(corners):
        dx, dy = _WAVES[(number + form) % 4]
        after = corners[(number + 1) % 4]
        rim += [(x + dx, y + dy), ((x + after[0]) / 2 + dy, (y + after[1]) / 2 + dx)]
    pen.fill(rim, p.CHAR)
    seam = [rim[form], (0.05 * (form - 1.5), 0.08), (-0.1, -0.06), rim[form + 4]]
    pen.fill([rim[form], *rim[form + 1 : form + 5], (-0.1, -0.06), (0.05, 0.08)], p.CHAR_2)
    pen.line(seam, p.EMBER if is_newest else p.CRACK, 0.035)
    if is_newest:
        pen.line([*rim, rim[0], rim[1]], p.EMBER, 0.06)
    return image


def _last_go(image: Image.Image, facts: Facts, centre: Callable[[str], Point], side: int) -> None:
    """Where pieces of the last go came from, and where its arrow flew."""
    pen = Pen(image, 0, 0, side)

    def at(square: str) -> Point:
        x, y = centre(square)
        return x / side, y / side

    for start, end in facts.slides:
        pen.dashes(at(start), at(end), p.TRAIL, 0.035, (0.11, 0.09))
        x, y = at(start)
        for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            tip = (x + 0.41 * dx, y + 0.41 * dy)
            pen.line([(tip[0] - 0.2 * dx, tip[1]), tip, (tip[0], tip[1] - 0.2 * dy)], p.TRAIL, 0.04)
    for start, end in facts.flights:
        pen.line([at(start), at(end)], p.EMBER, 0.05)
