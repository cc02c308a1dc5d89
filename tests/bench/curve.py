"""Line plots as SVG: one picture with a few curves, which reads well in light and dark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

WIDTH, HEIGHT = 720, 320  # px
LEFT, RIGHT, TOP, BOTTOM = 64, 16, 40, 48  # px around the plot
COLOURS = ("#2f6fb5", "#c4552d", "#3f8f4f", "#8a5fb0")
TICKS = 5
Points = Sequence[tuple[float, float]]


def plot(title: str, across: str, up: str, curves: Mapping[str, Points]) -> str:
    """Return an SVG of curves by name; `across` and `up` name the axes with their units.

    Both axes begin at 0. Raise ValueError without a point.
    """
    points = [point for curve in curves.values() for point in curve]
    if not points:
        raise ValueError("there is no point to plot")
    width = nice(max(x for x, _ in points))
    height = nice(max(y for _, y in points))

    def place(x: float, y: float) -> tuple[float, float]:
        return (
            LEFT + x / width * (WIDTH - LEFT - RIGHT),
            HEIGHT - BOTTOM - y / height * (HEIGHT - TOP - BOTTOM),
        )

    parts = [text(WIDTH / 2, 20, title, "middle"), text(WIDTH / 2, HEIGHT - 8, across, "middle")]
    parts.append(text(LEFT, TOP - 8, up, "start"))
    for tick in range(TICKS + 1):
        x, y = width * tick / TICKS, height * tick / TICKS
        parts.append(text(place(x, 0)[0], HEIGHT - BOTTOM + 16, f"{x:,.6g}", "middle"))
        parts.append(text(LEFT - 6, place(0, y)[1] + 4, f"{y:,.6g}", "end"))
        ends = " ".join(f"{a:.1f},{b:.1f}" for a, b in (place(0, y), place(width, y)))
        parts.append(f'<polyline points="{ends}" stroke="#888" stroke-opacity="0.3"/>')
    for number, (name, curve) in enumerate(curves.items()):
        colour = COLOURS[number % len(COLOURS)]
        line = " ".join(f"{a:.1f},{b:.1f}" for a, b in (place(x, y) for x, y in sorted(curve)))
        parts.append(f'<polyline points="{line}" stroke="{colour}" stroke-width="2"/>')
        parts.append(text(WIDTH - RIGHT, TOP + 14 * number, name, "end", colour))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" fill="none" '
        f'font-family="sans-serif" font-size="12" role="img" aria-label="{escape(title)}">\n'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def nice(value: float) -> float:
    """Return a round number that is not below a value: 1, 2, 2.5 or 5 times a power of ten."""
    power = 1e-9
    while True:
        for factor in (1, 2, 2.5, 5):
            if factor * power >= value:
                return factor * power
        power *= 10


def text(x: float, y: float, words: str, anchor: str, colour: str = "#333") -> str:
    """Return an element with words at a place."""
    where = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text {where} fill="{colour}">{escape(words)}</text>'
