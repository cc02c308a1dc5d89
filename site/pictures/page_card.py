"""The shared picture of a page without a game: a board, with title and text beside it."""

from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Final

from django.template.loader import render_to_string
from django.utils.safestring import mark_safe

from pictures.blotto_fields import fields_svg
from pictures.boards import SIDE_PX, board_svg
from pictures.card import LEFT_PX, ROOM_PX, mark_svg
from pictures.card_data import CARD_VERSION, Facts
from pictures.lettering import FILES, lines, text_svg
from pictures.palette import palette
from pictures.renderer import render_png
from pictures.shapes import family_of

MAX_PICTURES: Final = 32  # kept by a process
TITLE_PX, TEXT_PX = 64, 34
TITLE_BASELINE_PX, TEXT_BASELINE_PX = 240, 428


@dataclass(frozen=True, slots=True)
class PageCard:
    """A title, a text and the position beside them; the same card makes the same picture."""

    title: str
    text: str
    facts: Facts

    @property
    def tag(self) -> str:
        """The ETag of the picture."""
        return f'"{sha256(f"{CARD_VERSION} {self!r}".encode()).hexdigest()[:24]}"'


@lru_cache(maxsize=MAX_PICTURES)
def page_png(card: PageCard) -> bytes:
    """Return the picture as PNG; the same card is drawn once. Raises `RenderError`."""
    return render_png(page_svg(card), list(FILES.values()))


def page_svg(card: PageCard) -> str:
    """Return the picture as SVG; all text in it is escaped and in letters that the font has."""
    family, colours = family_of(card.facts.key), palette()
    is_blotto = family == "blotto"
    return render_to_string(
        "pictures/picture.svg",
        {
            "colours": colours,
            "board": mark_safe(fields_svg(card.facts) if is_blotto else board_svg(card.facts)),
            "side": SIDE_PX,
            "slab": "" if is_blotto else colours["wallLow" if family == "pincer" else "slab"],
            "mark": mark_safe(mark_svg()),
            "texts": mark_safe("".join(_texts(card))),
            "figures": "",
        },
    )


def _texts(card: PageCard) -> list[str]:
    ink, pale = palette()["ink"], palette()["ink2"]
    parts: list[str] = [text_svg("Quiver", LEFT_PX + 76, 89, 44, colour=ink)]
    for text, size_px, baseline_px, most, colour in (
        (card.title, TITLE_PX, TITLE_BASELINE_PX, 2, ink),
        (card.text, TEXT_PX, TEXT_BASELINE_PX, 3, pale),
    ):
        broken, size = lines(text, size_px, ROOM_PX, most)
        parts += [
            text_svg(line, LEFT_PX, baseline_px + index * (size + 10), size, colour=colour)
            for index, line in enumerate(broken)
        ]
    return parts
