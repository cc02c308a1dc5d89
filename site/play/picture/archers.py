"""The two archers of Amazons, after `static/js/board/archers.js`."""

from play.picture import palette as p
from play.picture.pen import Pen, Point, flat

LINE = 0.036
ARM = -0.043
_LIGHT = flat(
    (-0.155, -0.1),
    [(-0.075, -0.165), (0.012, -0.115)],
    [(0.075, 0.09)],
    [(0.188, 0.345)],
    [(-0.07, 0.47), (-0.335, 0.345)],
    [(-0.225, 0.09)],
)
_DARK = flat(
    (0.288, -0.455),
    [(0.11, -0.475), (0.02, -0.39)],
    [(-0.06, -0.31), (-0.07, -0.2)],
    [(-0.06, -0.12), (-0.085, -0.04)],
    [(-0.185, 0.35)],
    [(0.1, 0.455), (0.352, 0.37)],
    [(0.28, 0.02), (0.225, -0.22)],
    [(0.215, -0.35), (0.288, -0.455)],
)
_LIGHT_BOW = flat(
    (0.105, -0.385),
    [(0.27, -0.35), (0.4, -0.2), (0.4, ARM)],
    [(0.4, 0.1), (0.31, 0.24), (0.16, 0.285)],
)
_DARK_BOW = flat(
    (-0.19, -0.415),
    [(-0.12, -0.4), (-0.14, -0.32), (-0.2, -0.27)],
    [(-0.29, -0.2), (-0.36, -0.13), (-0.37, ARM)],
    [(-0.36, 0.06), (-0.31, 0.13), (-0.235, 0.24)],
    [(-0.21, 0.28), (-0.2, 0.31), (-0.2, 0.345)],
)
_LIGHT_SHADE: list[Point] = [(-0.035, -0.2), (-0.02, 0.1), (0.02, 0.5), (0.4, 0.5), (0.4, -0.2)]
_DARK_SHADE: list[Point] = [(0.16, -0.5), (0.14, -0.2), (0.2, 0.5), (0.5, 0.5), (0.5, -0.5)]
_FACE = flat(
    (-0.055, -0.27),
    [(0, -0.31), (0.055, -0.25), (0.045, -0.18)],
    [(0.035, -0.1), (-0.03, -0.1), (-0.055, -0.16)],
)
_HAIR = flat((-0.165, -0.2), [(-0.24, -0.36), (-0.09, -0.46), (0.02, -0.37)], [(-0.1, -0.32)])
_QUIVER: list[Point] = [(-0.33, -0.28), (-0.24, -0.31), (-0.12, 0.05), (-0.21, 0.08)]


def _limb(pen: Pen, way: list[Point], thick: float, fill: str, line: str) -> None:
    pen.line(way, line, thick + 2 * LINE)
    pen.line(way, fill, thick)


def light(pen: Pen) -> None:
    """White's archer, who faces right."""
    pen.shape(_QUIVER, p.LEATHER, p.LIGHT_LINE, LINE)
    _limb(pen, _LIGHT_BOW, 0.05, p.LIGHT_FILL, p.LIGHT_LINE)
    pen.line([(0.105, -0.37), (0.02, ARM - 0.05)], p.LIGHT_LINE, LINE * 0.45)
    pen.fill(_LIGHT, p.LIGHT_FILL)
    pen.within(_LIGHT, _LIGHT_SHADE, p.LIGHT_SHADE)
    pen.line([*_LIGHT, _LIGHT[0], _LIGHT[1]], p.LIGHT_LINE, LINE)
    pen.line([(-0.225, 0.09), (0.075, 0.09)], p.LIGHT_LINE, LINE)
    pen.disc((-0.075, -0.285), 0.115, p.LIGHT_FILL, p.LIGHT_LINE, LINE)
    pen.fill(_HAIR, p.LIGHT_LINE)
    pen.fill([(0.485, ARM), (0.4, ARM - 0.045), (0.4, ARM + 0.045)], p.LIGHT_LINE)
    _limb(pen, [(-0.03, ARM), (0.34, ARM)], 0.06, p.LIGHT_FILL, p.LIGHT_LINE)


def dark(pen: Pen) -> None:
    """Black's archer, who faces left."""
    _limb(pen, _DARK_BOW, 0.055, p.DARK_FILL, p.DARK_LINE)
    pen.line([(-0.15, -0.33), (-0.06, ARM - 0.03)], p.DARK_LINE, LINE * 0.45)
    pen.fill(_DARK, p.DARK_FILL)
    pen.within(_DARK, _DARK_SHADE, p.DARK_SHADE)
    for left, y, right in ((-0.13, 0.235, 0.29), (-0.15, 0.32, 0.31)):
        pen.line(flat((left, y), [(0.1, y + 0.085), (right, y)]), p.DARK_TRIM, 0.03)
    pen.fill(_FACE, p.DARK_TRIM)
    pen.line([*_DARK, _DARK[1]], p.DARK_LINE, LINE)
    pen.fill([(-0.485, ARM), (-0.4, ARM - 0.045), (-0.4, ARM + 0.045)], p.DARK_LINE)
    _limb(pen, [(0.03, ARM), (-0.33, ARM)], 0.06, p.DARK_FILL, p.DARK_LINE)
