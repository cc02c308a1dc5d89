"""Geometry of the curve of a rating, for an SVG image. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from games.rating.standing import UNIT

WIDTH, HEIGHT = 640, 200  # units of the image
LEFT, TOP, BOTTOM = 56, 10, 10  # margins; figures stand at the left
RIGHT = 10
STEPS = (50, 100, 200, 500, 1000)  # points between two lines of the grid
MAX_LINES = 5
MIN_SPAN = 100  # points from the lowest line to the highest


@dataclass(frozen=True, slots=True)
class Curve:
    """Input of the template: SVG point lists, and the grid as pairs of y and rating."""

    line: str
    band: str  # rating ± two deviations, around the curve
    grid: tuple[tuple[float, int], ...]
    last: tuple[float, float]
    first_rating: int  # points
    last_rating: int
    games: int


def draw_curve(points: Sequence[tuple[int, int, int]]) -> Curve | None:
    """Return the curve of times, ratings and deviations (thousandths); None for fewer than two.

    Games stand at equal distances, so that an evening's games do not fall on one another. The band
    is cut off at the edges of the image.
    """
    if len(points) < 2:
        return None
    ratings = [rating / UNIT for _, rating, _ in points]
    low, high, step = _range(min(ratings), max(ratings))

    def at(number: int, rating: float) -> tuple[float, float]:
        x = LEFT + (WIDTH - LEFT - RIGHT) * number / (len(points) - 1)
        y = TOP + (HEIGHT - TOP - BOTTOM) * (high - rating) / (high - low)
        return round(x, 1), round(min(max(y, 0), HEIGHT), 1)

    margins = [2 * deviation / UNIT for _, _, deviation in points]
    upper = [at(n, ratings[n] + margins[n]) for n in range(len(points))]
    lower = [at(n, ratings[n] - margins[n]) for n in range(len(points))]
    line = [at(n, rating) for n, rating in enumerate(ratings)]
    grid = tuple((at(0, rating)[1], rating) for rating in range(low, high + 1, step))
    return Curve(
        line=_text(line),
        band=_text([*upper, *reversed(lower)]),
        grid=grid,
        last=line[-1],
        first_rating=round(ratings[0]),
        last_rating=round(ratings[-1]),
        games=len(points),
    )


def _range(lowest: float, highest: float) -> tuple[int, int, int]:
    """Return the lowest and the highest line of the grid, and the distance of two lines."""
    middle, span = (lowest + highest) / 2, max(highest - lowest, MIN_SPAN)
    lowest, highest = middle - span / 2, middle + span / 2
    for step in STEPS:
        low, high = int(lowest // step) * step, -int(-highest // step) * step
        if (high - low) // step < MAX_LINES:
            break
    return low, high, step


def _text(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in points)
