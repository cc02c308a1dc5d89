"""Draw the icons of the installed app from the site's mark.

`manage.py icons --write` writes them to static/img/app; they are committed, so that collecting
static files needs no renderer.
"""

from dataclasses import dataclass
from typing import Final

PAPER: Final = "#f4eee2"
# The mark of templates/mark.svg, in the colours of the light theme, on a square of 22 units.
MARK: Final = """
<path d="M2 2 10.8 10.8" stroke="#c23a1c" stroke-width="1.7"/>
<path d="M1.5 5H5V1.5M4.4 7.9H7.9V4.4" stroke="#1c2530" stroke-width="1.7"/>
<path d="M11 11H20.5V20.5H11Z" fill="#2b2520" stroke="#c23a1c" stroke-width="1.7"/>
<path d="M10.5 10.5 16 16" stroke="#c23a1c" stroke-width="1.7"/>
"""
SILHOUETTE: Final = """
<g stroke="#fff"><path d="M2 2 10.8 10.8" stroke-width="2"/>
<path d="M1.5 5H5V1.5M4.4 7.9H7.9V4.4" stroke-width="1.9"/>
<path d="M11 11H20.5V20.5H11Z" fill="#fff" stroke-width="2"/></g>
"""
MARK_UNITS: Final = 22


@dataclass(frozen=True, slots=True)
class Icon:
    """One PNG file: its size, the share of its width that the mark takes, and its purpose."""

    name: str
    size_px: int
    mark_share: float
    purpose: str  # "any", "maskable", or "monochrome": white on nothing, read by its alpha
    corner_share: float = 0  # radius of the paper's corners, as a share of the width


# A mask leaves at least the circle of 80 % of the width: the mark's square fits into it at 50 %.
ICONS: Final = (
    Icon("icon-192.png", 192, 0.68, "any", 0.18),
    Icon("icon-512.png", 512, 0.68, "any", 0.18),
    Icon("maskable-192.png", 192, 0.5, "maskable"),
    Icon("maskable-512.png", 512, 0.5, "maskable"),
    Icon("badge-96.png", 96, 0.86, "monochrome"),
)


def draw_svg(icon: Icon) -> str:
    """Return an icon as SVG."""
    size = icon.size_px
    scale = size * icon.mark_share / MARK_UNITS
    offset = size * (1 - icon.mark_share) / 2
    is_silhouette = icon.purpose == "monochrome"
    radius = size * icon.corner_share
    paper = f'<rect width="{size}" height="{size}" rx="{radius:.2f}" fill="{PAPER}"/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}">'
        f"{'' if is_silhouette else paper}"
        f'<g transform="translate({offset:.2f} {offset:.2f}) scale({scale:.4f})" fill="none" '
        'stroke-linecap="round" stroke-linejoin="round">'
        f"{SILHOUETTE if is_silhouette else MARK}</g></svg>"
    )


def draw_png(icon: Icon) -> bytes:
    """Return an icon as PNG. It blocks for some milliseconds: for commands and tests."""
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(svg_string=draw_svg(icon), skip_system_fonts=True))
