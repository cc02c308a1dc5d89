"""The figures of Pincer and the blocks of Blotto, after the page's own."""

from math import sqrt

from play.picture import palette as p
from play.picture.pen import Pen, Point

_HEIGHT = 0.72 * sqrt(3) / 2
_TOP: Point = (0, -0.56 * _HEIGHT)
_RIGHT: Point = (0.36, 0.44 * _HEIGHT)
_LEFT: Point = (-0.36, 0.44 * _HEIGHT)
_PEAK: Point = (0.03, 0.44 * _HEIGHT - 0.2)


def triangle(pen: Pen) -> None:
    """White's piece in Pincer: a pyramid from above."""
    pen.fill([_TOP, _RIGHT, _LEFT], p.LIGHT_FILL)
    pen.fill([_TOP, _RIGHT, _PEAK], p.LIGHT_SHADE)
    for corner in (_TOP, _RIGHT, _LEFT):
        pen.line([_PEAK, corner], p.LIGHT_LINE, 0.017)
    pen.line([_TOP, _RIGHT, _LEFT, _TOP, _RIGHT], p.LIGHT_LINE, 0.045)


def circle(pen: Pen) -> None:
    """Black's piece in Pincer: a disc with a ring and a point."""
    pen.disc((0, 0), 0.32, p.DARK_FILL, p.DARK_LINE, 0.045)
    pen.disc((0, 0), 0.19, p.DARK_FILL, p.DARK_TRIM, 0.05)
    pen.disc((0, 0), 0.06, p.DARK_TRIM)


def light_block(pen: Pen) -> None:
    """White's troops: a pale block with one rising stroke; two thirds as high as wide."""
    _block(pen, p.LIGHT_FILL, p.LIGHT_SHADE, p.LIGHT_LINE)
    pen.line([(-0.26, 0.16), (0.26, -0.16)], p.LIGHT_LINE, 0.05)


def dark_block(pen: Pen) -> None:
    """Black's troops: a dark block with a cross."""
    _block(pen, p.DARK_FILL, p.DARK_SHADE, p.DARK_LINE)
    pen.line([(-0.2, 0.17), (0.2, -0.17)], p.DARK_TRIM, 0.05)
    pen.line([(-0.2, -0.17), (0.2, 0.17)], p.DARK_TRIM, 0.05)


def _block(pen: Pen, fill: str, low: str, line: str) -> None:
    pen.shape([(-0.45, -0.3), (0.45, -0.3), (0.45, 0.37), (-0.45, 0.37)], low, line, 0.045)
    pen.shape([(-0.45, -0.3), (0.45, -0.3), (0.45, 0.3), (-0.45, 0.3)], fill, line, 0.045)
