"""Figures as small pictures of their own, drawn once for each size."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

from PIL import Image

from games.core import Role
from play.picture.archers import dark, light
from play.picture.pen import Pen
from play.picture.stones import circle, dark_block, light_block, triangle

FINE = 3  # figures are drawn so many times larger, and then reduced
FIGURES: Final[Mapping[str, Mapping[Role, Callable[[Pen], None]]]] = {
    "amazons": {"white": light, "black": dark},
    "pincer": {"white": triangle, "black": circle},
    "blotto": {"white": light_block, "black": dark_block},
}


def family_of(key: str) -> str:
    """The games that share their figures: all Amazons are one."""
    return "amazons" if key.startswith("amazons") else key


@lru_cache(maxsize=64)
def figure(family: str, role: Role, side: int) -> Image.Image:
    """The figure of a role on nothing, `side` pixels wide and high. Not to be drawn on."""
    large = Image.new("RGBA", (side * FINE, side * FINE))
    FIGURES[family][role](Pen(large, side * FINE / 2, side * FINE / 2, side * FINE))
    return large.reduce(FINE)
