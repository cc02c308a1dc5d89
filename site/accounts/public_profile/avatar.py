"""Avatars made from names, drawn as inline SVG.

An avatar follows from the shown name alone, in any letter case: no number of a user goes into it,
and nothing is stored. Outline and figure tell people apart where colours are not seen; computer
players have a hexagon with their level, deleted users an empty ring.
"""

from functools import lru_cache
from hashlib import sha256
from typing import Final

from django.utils.safestring import SafeString, mark_safe

from accounts.people.names import GONE as GONE_NAMES
from accounts.public_profile.avatar_paths import (
    FIGURES,
    GONE,
    HEXAGON,
    MASK,
    OUTLINES,
)

# Names of colours in static/css/tokens.css; few, because each comes with every page.
TONES: Final = ("avatar-1", "avatar-2", "avatar-3", "ink")
MAX_AVATARS: Final = 2_000  # kept by a process, each about 400 bytes


def avatar_svg(name: str, *, is_bot: bool = False, level: int | None = None) -> SafeString:
    """Return the avatar of a user as an SVG element without a text alternative.

    The name always stands beside it, so it is hidden from screen readers. `level` is that of a
    computer player, if it has one.
    """
    return _draw(name.lower(), is_bot, level)


@lru_cache(maxsize=MAX_AVATARS)
def _draw(name: str, is_bot: bool, level: int | None) -> SafeString:
    if is_bot:
        return _svg(HEXAGON, "ink-2", _computer_figure(level))
    if name.startswith(GONE_NAMES):
        return _svg(GONE, "edge")
    digest = sha256(name.encode()).digest()
    outline, figure = OUTLINES[digest[0] % len(OUTLINES)], FIGURES[digest[1] % len(FIGURES)]
    return _svg(outline, TONES[digest[2] % len(TONES)], f'<path d="{figure}"/>')


def _computer_figure(level: int | None) -> str:
    if level is None:
        return f'<path d="{MASK}"/>'
    look = 'text-anchor="middle" font-size="18" font-weight="600"'
    return f'<text x="16" y="22" {look}>{int(level)}</text>'


def _svg(outline: str, token: str, figure: str = "") -> SafeString:
    """Return the element; the name only chooses its parts and does not occur in it.

    The colour of the outline is an attribute, which style sheets may change: rules for each colour
    would be loaded with every page.
    """
    return mark_safe(
        '<svg class="avatar" viewBox="0 0 32 32" aria-hidden="true">'
        f'<path fill="var(--{token})" d="{outline}"/>{figure}</svg>'
    )
