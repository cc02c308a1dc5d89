"""Shapes as SVG, for the symbols of pages and for shared pictures."""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Final

from django.utils.safestring import SafeString, mark_safe

from pictures.palette import css_variable
from pictures.shapes import Figure, Layer, Length, Shadow, shapes

Paint = Callable[[str], str]  # name of a colour → value of `fill` or `stroke`

# (id, family, mark, the viewBox that gives all symbols about the same size)
SYMBOLS: Final = (
    ("archer-white", "amazons", "W", "-.49 -.44 .98 .98"),
    ("archer-black", "amazons", "B", "-.49 -.44 .98 .98"),
    ("block-white", "blotto", "W", "-.62 -.59 1.24 1.24"),
    ("block-black", "blotto", "B", "-.62 -.59 1.24 1.24"),
    ("stone-white", "pincer", "W", "-.39 -.42 .78 .78"),
    ("stone-black", "pincer", "B", "-.39 -.39 .78 .78"),
)
SYMBOL_SIDE_PX: Final = 100  # all details, with the lines of a large board


def number(value: float) -> str:
    """Return a number as short as SVG allows, with four digits after the point."""
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text.replace("0.", ".", 1) if abs(value) < 1 else text


def layer_svg(layer: Layer, paths: dict[str, str], side_px: float, paint: Paint) -> str:
    """Return a layer as a `<path>`; the parent says `fill="none"` and has round joints and caps."""
    parts = [f'd="{paths[layer.path]}"']
    if layer.fill:
        parts.append(f'fill="{paint(layer.fill)}"')
    if layer.stroke:
        parts.append(f'stroke="{paint(layer.stroke)}"')
        parts.append(f'stroke-width="{number(_length(layer.width, side_px))}"')
        if layer.cap != "round":
            parts.append(f'stroke-linecap="{layer.cap}"')
        if layer.dash:
            parts.append(f'stroke-dasharray="{" ".join(map(number, layer.dash))}"')
    if layer.opacity != 1:
        opacity = number(layer.opacity)
        parts.append(f'fill-opacity="{opacity}" stroke-opacity="{opacity}"')
    if any(layer.down):
        parts.append(f'transform="translate(0 {number(_length(layer.down, side_px))})"')
    return f"<path {' '.join(parts)}/>"


def layers_svg(layers: Iterable[Layer], paths: dict[str, str], side_px: float, paint: Paint) -> str:
    """Return the layers for which a square of `side_px` CSS pixels has room."""
    fitting = (each for each in layers if each.from_px <= side_px < each.below_px)
    return "".join(layer_svg(each, paths, side_px, paint) for each in fitting)


def figure_svg(figure: Figure, side_px: float, paint: Paint) -> str:
    """Return a figure with its shadow, in the unit of a square around its centre."""
    shadow = _shadow(figure, figure.shadow, "#000") if figure.shadow else ""
    return shadow + layers_svg(figure.layers, figure.paths, side_px, paint)


def _shadow(figure: Figure, shadow: Shadow, colour: str) -> str:
    fill = f'fill="{colour}" fill-opacity="{number(shadow.opacity)}"'
    if shadow.ellipse is None:
        outline = "".join(figure.paths[name] for name in figure.outline)
        away = number(shadow.offset)
        return f'<path d="{outline}" {fill} transform="translate({away} {away})"/>'
    return _ellipse(shadow.ellipse, fill)


def _ellipse(ellipse: tuple[float, float, float, float], fill: str) -> str:
    x, y, rx, ry = map(number, ellipse)
    return f'<ellipse cx="{x}" cy="{y}" rx="{rx}" ry="{ry}" {fill}/>'


def _length(length: Length, side_px: float) -> float:
    base, share, pixels = length
    return base + max(share, pixels / side_px)


@cache
def piece_symbols() -> SafeString:
    """Return a `<symbol id="figure-…">` for every piece, in the colours of the page's theme."""
    drawn = []
    for name, family, mark, view_box in SYMBOLS:
        figure = shapes().figures[family][mark]
        shadow = ""
        if figure.shadow and figure.shadow.ellipse:
            shadow = _ellipse(figure.shadow.ellipse, f'fill="{css_variable("drop")}"')
        drawn.append(
            f'<symbol id="figure-{name}" viewBox="{view_box}" fill="none" stroke-linejoin="round"'
            f' stroke-linecap="round">{shadow}'
            f"{layers_svg(figure.layers, figure.paths, SYMBOL_SIDE_PX, css_variable)}</symbol>"
        )
    return mark_safe("\n  ".join(drawn))
