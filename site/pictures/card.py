"""The whole shared picture: the board at the left, names and result at the right."""

import re
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe
from django.utils.translation import ngettext, override

from games.catalogue import rules_of
from games.core import Role
from pictures.blotto_fields import fields_svg
from pictures.boards import SIDE_PX, board_svg
from pictures.card_data import Facts
from pictures.card_texts import sentence
from pictures.lettering import FILES, fit_text, lines, plain, text_svg, width_px
from pictures.palette import palette
from pictures.renderer import render_png
from pictures.shapes import family_of, shapes
from pictures.svg import figure_svg

SIZE_PX: Final = (1200, 630)
LEFT_PX: Final = 640  # of the text
ROOM_PX: Final = SIZE_PX[0] - LEFT_PX - 44
FIGURES_PX: Final = {"amazons": 72, "pincer": 72, "blotto": 62}  # beside the names
RATING_PX: Final = 30
RATING_GAP_PX: Final = 18  # between a name and the ratings
MAX_PICTURES: Final = 64  # kept by a process, each of 40 to 160 KB
MARK: Final = Path(settings.BASE_DIR) / "templates" / "mark.svg"
_VARIABLE = re.compile(r"var\(--([a-z0-9-]+)\)")


@lru_cache(maxsize=MAX_PICTURES)
def card_png(facts: Facts) -> bytes:
    """Return the picture as PNG, in the site's own language; the same facts are drawn once.

    Raises `RenderError`.
    """
    with override(settings.LANGUAGE_CODE):
        return render_png(card_svg(facts), list(FILES.values()))


def card_svg(facts: Facts) -> str:
    """Return the picture as SVG; all text in it is escaped and in letters that the font has."""
    family, colours = family_of(facts.key), palette()
    is_blotto = family == "blotto"
    drawn = fields_svg(facts) if is_blotto else board_svg(facts)
    slab = "" if is_blotto else colours["wallLow" if family == "pincer" else "slab"]
    return render_to_string(
        "pictures/picture.svg",
        {
            "colours": colours,
            "board": mark_safe(drawn),
            "side": SIDE_PX,
            "slab": slab,
            "mark": mark_safe(mark_svg()),
            "texts": mark_safe("".join(_texts(facts))),
            "figures": mark_safe(_figures(family)),
        },
    )


def _texts(facts: Facts) -> list[str]:
    ink, pale = palette()["ink"], palette()["ink2"]
    name = rules_of(facts.key).name
    said, size = lines(sentence(facts), 38, ROOM_PX, 3)
    word = "round" if family_of(facts.key) == "blotto" else "turn"
    last = f"{_count(facts.turns, word)} · {facts.clock}"
    return [
        text_svg("Quiver", LEFT_PX + 76, 89, 44, colour=ink),
        text_svg(name, LEFT_PX, 152, 30, colour=pale, room_px=ROOM_PX),
        *_names(facts),
        *(
            text_svg(line, LEFT_PX, 428 + index * (size + 10), size, colour=ink)
            for index, line in enumerate(said)
        ),
        text_svg(last, LEFT_PX, 582, 24, colour=pale, room_px=ROOM_PX),
    ]


def _count(number: int, word: str) -> str:
    if word == "round":
        return ngettext("%(number)d round", "%(number)d rounds", number) % {"number": number}
    return ngettext("%(number)d move", "%(number)d moves", number) % {"number": number}


def _names(facts: Facts) -> list[str]:
    """Return both names in one size, the winner's in bold, and the ratings at the right edge."""
    people: tuple[tuple[Role, str], ...] = (("white", facts.white), ("black", facts.black))
    widest = max(width_px(plain(rating), RATING_PX) for rating in facts.ratings)
    room = ROOM_PX - 92 - (round(widest) + RATING_GAP_PX if widest else 0)
    sizes = [
        fit_text(plain(name), 42, room, is_bold=facts.winner == role)[1] for role, name in people
    ]
    size = min(sizes)
    names = [
        text_svg(
            name,
            LEFT_PX + 84,
            214 + row * 86 + round(0.36 * size),
            size,
            colour=palette()["ink"],
            room_px=room,
            is_bold=facts.winner == role,
        )
        for row, (role, name) in enumerate(people)
    ]
    ratings = [
        text_svg(
            rating,
            LEFT_PX + ROOM_PX,
            214 + row * 86 + round(0.36 * size),
            RATING_PX,
            colour=palette()["ink2"],
            anchor="end",
        )
        for row, rating in enumerate(facts.ratings)
        if rating
    ]
    return [*names, *ratings]


@cache
def _figures(family: str) -> str:
    """Return both figures, before the names."""
    paint, size = palette().__getitem__, FIGURES_PX[family]
    roles: tuple[Role, ...] = ("white", "black")
    drawn = []
    for row, role in enumerate(roles):
        place = f"translate({LEFT_PX + 32} {214 + row * 86}) scale({size})"
        figure = figure_svg(shapes().figure(family, role), size, paint)
        drawn.append(f'<g transform="{place}">{figure}</g>')
    return "".join(drawn)


@cache
def mark_svg() -> str:
    """Return the elements of the site's mark (a grid of 22) in the light theme's colours."""
    source = MARK.read_text(encoding="utf-8")
    inner = source[source.index(">") + 1 : source.index("</svg>")]
    return _VARIABLE.sub(lambda match: palette()[match[1]], inner)
