"""Text on pictures, in Source Sans Pro, rendered alike on all machines.

The font comes from a package and has Latin with its European extensions, Greek and Cyrillic. resvg
writes the text; its width is read from the font with fontTools, since resvg_py has no function for
that.
"""

import unicodedata
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from django.utils.html import format_html
from django.utils.safestring import SafeString
from font_source_sans_pro import font_files_ttf

FILES: Final = {  # is bold
    False: Path(font_files_ttf["SourceSansPro"]),
    True: Path(font_files_ttf["SourceSansProSemibold"]),
}
SMALLEST_PX: Final = 18
MAX_LETTERS: Final = 200
MAX_KERNING_FACTOR: Final = 1.03  # kerning makes a text wider by at most this factor: a row of W


@cache
def _advances(is_bold: bool) -> Mapping[str, float]:
    """Return the width of every letter that the font has, as a share of the font's size."""
    from fontTools.ttLib import TTFont  # here, as it would delay every start of the site

    with TTFont(FILES[is_bold], lazy=True) as font:
        units, widths = font["head"].unitsPerEm, font["hmtx"].metrics
        return {chr(code): widths[name][0] / units for code, name in font.getBestCmap().items()}


def width_px(text: str, size_px: int, *, is_bold: bool = False) -> float:
    """Return the width that a text of known letters has at most."""
    advances = _advances(is_bold)
    return size_px * MAX_KERNING_FACTOR * sum(advances[letter] for letter in text)


def plain(text: str) -> str:
    """Return the text with letters that the font lacks replaced by question marks."""
    known = _advances(False).keys() & _advances(True).keys()
    letters: list[str] = []
    for letter in unicodedata.normalize("NFC", text[:MAX_LETTERS]):
        if letter in known:
            letters.append(letter)
            continue
        parts = [each for each in unicodedata.normalize("NFKD", letter) if each in known]
        letters.extend(parts or "?")
    return "".join(letters)


def fit_text(text: str, size_px: int, room_px: int, *, is_bold: bool = False) -> tuple[str, int]:
    """Return the text and the size at which it fits: smaller, then cut. Known letters only."""
    while width_px(text, size_px, is_bold=is_bold) > room_px and size_px > SMALLEST_PX:
        size_px -= 1
    if width_px(text, size_px, is_bold=is_bold) <= room_px:
        return text, size_px
    while text and width_px(f"{text}…", size_px, is_bold=is_bold) > room_px:
        text = text[:-1]
    return f"{text}…", size_px


def lines(text: str, size_px: int, room_px: int, most: int) -> tuple[list[str], int]:
    """Return the text in at most so many lines that fit, and the size for it."""
    text = plain(text)
    while True:
        broken = _wrap(text, size_px, room_px)
        fits = max(width_px(line, size_px) for line in broken) <= room_px
        if (fits and len(broken) <= most) or size_px <= SMALLEST_PX:
            return [fit_text(line, size_px, room_px)[0] for line in broken[:most]], size_px
        size_px -= 1


def _wrap(text: str, size_px: int, room_px: int) -> list[str]:
    broken: list[str] = []
    for word in text.split(" "):
        longer = f"{broken[-1]} {word}" if broken else word
        if broken and width_px(longer, size_px) <= room_px:
            broken[-1] = longer
        else:
            broken.append(word)
    return broken


def text_svg(
    text: str,
    x: float,
    baseline: float,
    size_px: int,
    *,
    colour: str,
    room_px: int = 10_000,
    anchor: str = "start",
    is_bold: bool = False,
) -> SafeString:
    """Return one line as `<text>`, fitted and escaped. The parent names the font's family."""
    said, size = fit_text(plain(text), size_px, room_px, is_bold=is_bold)
    return format_html(
        '<text x="{}" y="{}" font-size="{}" fill="{}" text-anchor="{}" font-weight="{}">{}</text>',
        f"{x:g}",
        f"{baseline:g}",
        size,
        colour,
        anchor,
        600 if is_bold else 400,
        said,
    )
