"""The whole picture: the board at the left; who plays what and how it stands at the right."""

from functools import lru_cache
from io import BytesIO

from django.conf import settings
from django.utils.translation import ngettext, override
from PIL import Image, ImageDraw

from games.catalogue import rules_of
from games.core import Role
from play.picture import palette as p
from play.picture.boards import SIDE, board
from play.picture.facts import Facts
from play.picture.fields import fields
from play.picture.figures import family_of, figure
from play.picture.lettering import fitted, lines, plain, put
from play.picture.pen import Pen
from play.picture.words import sentence

SIZE = (1200, 630)
LEFT = 640
ROOM = SIZE[0] - LEFT - 44
KEPT = 64  # pictures kept by a process, each of about 30 KB


@lru_cache(maxsize=KEPT)
def drawn(facts: Facts) -> bytes:
    """The picture as PNG, in the site's own language; the same facts are drawn once."""
    with override(settings.LANGUAGE_CODE):
        image = _card(facts)
    file = BytesIO()
    image.save(file, "PNG", compress_level=5)
    return file.getvalue()


def _card(facts: Facts) -> Image.Image:
    image = Image.new("RGB", SIZE, p.PAPER)
    at = (40, (SIZE[1] - SIDE - 6) // 2)
    if family_of(facts.key) == "blotto":
        image.paste(fields(facts), at)
    else:
        low = p.WALL_LOW if family_of(facts.key) == "pincer" else p.SLAB
        image.paste(low, (at[0], at[1] + 12, at[0] + SIDE, at[1] + SIDE + 6))
        image.paste(board(facts), at)
    _mark(image)
    put(image, (LEFT, 122), rules_of(facts.key).name, 30, colour=p.INK_2, room=ROOM)
    _people(image, facts)
    ImageDraw.Draw(image).line((LEFT, 366, LEFT + ROOM, 366), fill=p.EDGE, width=2)
    said, size = lines(sentence(facts), 38, ROOM, 3)
    for number, line in enumerate(said):
        put(image, (LEFT, 392 + number * (size + 10)), line, size)
    word = "round" if family_of(facts.key) == "blotto" else "go"
    count = _count(facts.goes, word)
    put(image, (LEFT, 558), f"{count} · {facts.clock}", 24, colour=p.INK_2, room=ROOM)
    return image


def _count(number: int, word: str) -> str:
    if word == "round":
        return ngettext("%(number)d round", "%(number)d rounds", number) % {"number": number}
    return ngettext("%(number)d go", "%(number)d goes", number) % {"number": number}


def _mark(image: Image.Image) -> None:
    """The site's mark and name (after `templates/mark.svg`, a grid of 22)."""
    large = Image.new("RGB", (60 * 3, 60 * 3), p.PAPER)
    pen = Pen(large, 0, 0, 60 * 3 / 22)
    pen.line([(2, 2), (10.8, 10.8)], p.FIRE, 1.7)
    pen.line([(1.5, 5), (5, 5), (5, 1.5)], p.INK, 1.7)
    pen.line([(4.4, 7.9), (7.9, 7.9), (7.9, 4.4)], p.INK, 1.7)
    pen.shape([(11, 11), (20.5, 11), (20.5, 20.5), (11, 20.5)], p.CHAR, p.FIRE, 1.7)
    pen.line([(10.5, 10.5), (16, 16)], p.FIRE, 1.7)
    image.paste(large.reduce(3), (LEFT, 38))
    put(image, (LEFT + 76, 46), "Quiver", 44)


def _people(image: Image.Image, facts: Facts) -> None:
    """Both names with their figures, the winner's in bold."""
    people: tuple[tuple[Role, str], ...] = (("white", facts.white), ("black", facts.black))
    room = ROOM - 92
    size = min(fitted(plain(name), 42, room)[1] for _, name in people)
    for row, (role, name) in enumerate(people):
        y = 186 + row * 86
        sprite = figure(family_of(facts.key), role, 72)
        image.paste(sprite, (LEFT - 4, y - 8), sprite)
        is_bold = facts.winner == role
        at = (LEFT + 84, y + 28)
        put(image, at, name, size, room=room, anchor="lm", is_bold=is_bold)
