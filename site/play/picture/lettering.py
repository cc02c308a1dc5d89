"""Text on pictures, in the face that comes with Pillow: the letters of ASCII and few more."""

import unicodedata
from functools import cache

from PIL import Image, ImageDraw, ImageFont

from play.picture import palette as p

SMALLEST = 18
_ELSE = str.maketrans({"×": "x", "ı": "i", "–": "-", "—": "-", "ł": "l", "ø": "o", "ß": "ss"})
_KNOWN = frozenset(map(chr, range(32, 127))) | set("·’“”…")


@cache
def face(size: int) -> ImageFont.FreeTypeFont:
    """The face at a size in pixels."""
    font = ImageFont.load_default(size)
    assert isinstance(font, ImageFont.FreeTypeFont)
    return font


def plain(text: str) -> str:
    """The text in letters that the face has; what it lacks becomes a question mark."""
    bare = unicodedata.normalize("NFKD", text.translate(_ELSE))
    letters = [letter for letter in bare if not unicodedata.combining(letter)]
    return "".join(letter if letter in _KNOWN else "?" for letter in letters)


def fitted(text: str, size: int, room: int) -> tuple[str, int]:
    """The text and the size at which it fits into `room` pixels: smaller, then cut short."""
    while face(size).getlength(text) > room and size > SMALLEST:
        size -= 1
    if face(size).getlength(text) <= room:
        return text, size
    while text and face(size).getlength(f"{text}…") > room:
        text = text[:-1]
    return f"{text}…", size


def lines(text: str, size: int, room: int, most: int) -> tuple[list[str], int]:
    """The text in lines that fit, and the size for it; at most so many lines."""
    text = plain(text)
    while True:
        broken = _broken(text, size, room)
        fits = max(face(size).getlength(line) for line in broken) <= room
        if (fits and len(broken) <= most) or size <= SMALLEST:
            return [fitted(line, size, room)[0] for line in broken[:most]], size
        size -= 1


def _broken(text: str, size: int, room: int) -> list[str]:
    broken: list[str] = []
    for word in text.split(" "):
        longer = f"{broken[-1]} {word}" if broken else word
        if broken and face(size).getlength(longer) <= room:
            broken[-1] = longer
        else:
            broken.append(word)
    return broken


def put(
    image: Image.Image,
    at: tuple[int, int],
    text: str,
    size: int,
    *,
    colour: str = p.INK,
    anchor: str = "la",
    room: int = 10_000,
    is_bold: bool = False,
) -> None:
    """Writes one line; `room`: the width that it may have."""
    text, size = fitted(plain(text[:200]), size, room)
    bold = 1 if is_bold else 0
    draw = ImageDraw.Draw(image)
    draw.text(at, text, fill=colour, font=face(size), anchor=anchor, stroke_width=bold)
