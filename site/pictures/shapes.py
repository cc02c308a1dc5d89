"""The shapes of pieces and squares, read from the page scripts' own file.

`static/js/drawing/shapes.js` is the only place where they are written; it describes the format.
"""

import re
from functools import cache
from pathlib import Path
from typing import Final

import msgspec
from django.conf import settings

from games.core import Role

SOURCE: Final = Path(settings.BASE_DIR) / "static" / "js" / "drawing" / "shapes.js"
MARKS: Final[dict[Role, str]] = {"white": "W", "black": "B"}
_JSON = re.compile(r"JSON\.parse\(`(.*)`\)", re.DOTALL)

Length = tuple[float, float, float]  # base, share (both in squares) and pixels
Line = tuple[float, float, float, float]  # x1, y1, x2, y2


class Layer(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    rename={"from_px": "from", "below_px": "below"},
):
    """A path that is filled, stroked, or both."""

    path: str
    fill: str = ""  # name of a colour
    stroke: str = ""
    width: Length = (0, 0, 0)
    cap: str = "round"
    dash: tuple[float, ...] = ()
    opacity: float = 1
    down: Length = (0, 0, 0)
    from_px: float = 0
    below_px: float = float("inf")


class Shadow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An ellipse (x, y, rx, ry), or the outline moved by `offset` to the right and down."""

    opacity: float
    ellipse: tuple[float, float, float, float] | None = None
    offset: float = 0


class Figure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A piece, or a block of troops."""

    outline: tuple[str, ...]
    paths: dict[str, str]
    layers: tuple[Layer, ...]
    shadow: Shadow | None = None


class Tile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A burnt square: path data, and the seams as straight lines."""

    ash: str
    char: str
    plates: str
    seams: tuple[Line, ...]

    @property
    def paths(self) -> dict[str, str]:
        """All path data by name."""
        seams = "".join(f"M{x1} {y1}L{x2} {y2}" for x1, y1, x2, y2 in self.seams)
        return {"ash": self.ash, "char": self.char, "plates": self.plates, "seams": seams}


class Burnt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All looks of a burnt square."""

    tiles: tuple[Tile, ...]
    forms: tuple[tuple[int, int, int, int], ...]
    layers: tuple[Layer, ...]
    flat: tuple[Layer, ...]  # of all but the newest three
    glow: Layer
    rims: dict[str, Layer]

    def look(self, x: int, y: int) -> tuple[Tile, tuple[int, int, int, int]]:
        """Return the tile and the form of file `x` and rank `y`, from 1, as burnt.js does."""
        number = (5 * x + 7 * y) % 16
        return self.tiles[number >> 2], self.forms[number & 3]


class Shapes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file. `figures`: family of games → mark → figure."""

    figures: dict[str, dict[str, Figure]]
    burnt: Burnt
    tooth: str
    arrow_head: str = msgspec.field(name="arrowHead")

    def figure(self, family: str, role: Role) -> Figure:
        """Return the figure of a role."""
        return self.figures[family][MARKS[role]]


@cache
def shapes() -> Shapes:
    """Return the shapes. Raises `ValueError` if the file has another format."""
    found = _JSON.search(SOURCE.read_text(encoding="utf-8"))
    if found is None:
        raise ValueError(f"{SOURCE}: no JSON.parse(`…`) found")
    return msgspec.json.decode(found[1], type=Shapes)


def family_of(key: str) -> str:
    """Return the family of a game; its games share their figures (all Amazons are one)."""
    return "amazons" if key.startswith("amazons") else key
