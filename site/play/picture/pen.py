"""Drawing in the unit of a square around its centre, as the page's own figures are drawn."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import hypot

from PIL import Image, ImageDraw

Point = tuple[float, float]
SMOOTH = 10  # straight pieces of a curve


def flat(start: Point, *segments: Sequence[Point]) -> list[Point]:
    """The points of a way: a segment is one point (a line), two or three (a Bézier curve)."""
    points = [start]
    for segment in segments:
        if len(segment) == 1:
            points.append(segment[0])
        else:
            points.extend(_curve((points[-1], *segment)))
    return points


def _curve(controls: tuple[Point, ...]) -> Iterator[Point]:
    for step in range(1, SMOOTH + 1):
        share, points = step / SMOOTH, list(controls)
        while len(points) > 1:
            points = [
                (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)
                for a, b in pairwise(points)
            ]
        yield points[0]


@dataclass(frozen=True, slots=True)
class Pen:
    """Draws on an image; (0, 0) lies at (x, y) pixels, and 1 is `side` pixels long."""

    image: Image.Image
    x: float
    y: float
    side: float

    @property
    def _draw(self) -> ImageDraw.ImageDraw:
        return ImageDraw.Draw(self.image)

    def _at(self, points: Sequence[Point]) -> list[Point]:
        return [(self.x + x * self.side, self.y + y * self.side) for x, y in points]

    def fill(self, points: Sequence[Point], colour: str) -> None:
        """Fills the shape inside these points."""
        self._draw.polygon(self._at(points), fill=colour)

    def line(self, points: Sequence[Point], colour: str, width: float) -> None:
        """A line with round ends and joints."""
        at, thick = self._at(points), max(1, round(width * self.side))
        self._draw.line(at, fill=colour, width=thick, joint="curve")
        for x, y in (at[0], at[-1]):
            r = thick / 2
            self._draw.ellipse((x - r, y - r, x + r, y + r), fill=colour)

    def shape(self, points: Sequence[Point], colour: str, line: str, width: float) -> None:
        """A filled shape with an outline."""
        self.fill(points, colour)
        self.line([*points, points[0], points[1]], line, width)

    def disc(
        self, centre: Point, radius: float, colour: str, line: str = "", width: float = 0
    ) -> None:
        """A filled circle, with an outline if a colour for one is given."""
        [(x, y)] = self._at([centre])
        outer = (radius + width / 2) * self.side
        self._draw.ellipse((x - outer, y - outer, x + outer, y + outer), fill=line or colour)
        if line:
            inner = (radius - width / 2) * self.side
            self._draw.ellipse((x - inner, y - inner, x + inner, y + inner), fill=colour)

    def dashes(self, start: Point, end: Point, colour: str, width: float, dash: Point) -> None:
        """A broken line; `dash`: the lengths of a piece and of a gap."""
        length = hypot(end[0] - start[0], end[1] - start[1])
        if not length:
            return
        across, down = (end[0] - start[0]) / length, (end[1] - start[1]) / length
        gone = 0.0
        while gone < length:
            upto = min(gone + dash[0], length)
            ends = [(start[0] + across * at, start[1] + down * at) for at in (gone, upto)]
            self.line(ends, colour, width)
            gone = upto + dash[1]

    def within(self, shape: Sequence[Point], points: Sequence[Point], colour: str) -> None:
        """Fills the part of `points` that lies inside `shape`."""
        mask = Image.new("L", self.image.size)
        Pen(mask, self.x, self.y, self.side).fill(shape, "white")
        layer = self.image.copy()
        Pen(layer, self.x, self.y, self.side).fill(points, colour)
        self.image.paste(layer, mask=mask)
