"""Blotto: the three fields with the newest round that was revealed, and the table of points."""

from PIL import Image, ImageDraw

from games.core import Role
from play.picture import palette as p
from play.picture.boards import SIDE
from play.picture.facts import Facts
from play.picture.figures import figure
from play.picture.lettering import put

NAMES = ("Hill", "Ford", "Wood")
GAP = 14
PLOT = (SIDE - 2 * GAP) // 3
HIGH = 372
STRIP = 42
FOOT = 56
BLOCK = 40
ROW = 46


def fields(facts: Facts) -> Image.Image:
    """The picture, as large as a board's."""
    view = facts.view
    image = Image.new("RGB", (SIDE, SIDE), p.PAPER)
    newest = view["splits"][-1] if view["splits"] else None
    for field, name in enumerate(NAMES):
        left = field * (PLOT + GAP)
        pair = (newest["white"][field], newest["black"][field]) if newest else None
        _plot(image, left, name, pair)
    _table(image, facts)
    return image


def _plot(image: Image.Image, left: int, name: str, pair: tuple[int, int] | None) -> None:
    draw = ImageDraw.Draw(image)
    right = left + PLOT - 1
    draw.rounded_rectangle((left, 8, right, HIGH + 5), 4, fill=p.SLAB)
    draw.rounded_rectangle((left, 0, right, HIGH - 1), 4, fill=p.FRAME)
    draw.rectangle((left, STRIP, right, HIGH - FOOT), fill=p.SQUARE_A)
    put(image, (left + 14, 8), name, 22)
    front = (STRIP + HIGH - FOOT) // 2
    for x in range(left, right, 12):
        draw.line((x, front, min(x + 7, right), front), fill=p.INK, width=2)
    if pair is None:
        for x in range(left, right + front - STRIP, 12):
            ends = [(x, STRIP), (x - (front - STRIP), front)]
            draw.line([(max(left, min(right, a)), b) for a, b in ends], fill=p.TERRAIN)
        return
    white, black = pair
    _ranks(image, left, front + 6, 1, "white", white)
    _ranks(image, left, front - 6, -1, "black", black)
    sign = ">" if white > black else "<" if white < black else "="
    put(image, (left + PLOT // 2, HIGH - FOOT + 12), f"{white} {sign} {black}", 28, anchor="ma")


def _ranks(image: Image.Image, left: int, front: int, way: int, role: Role, count: int) -> None:
    """Blocks three to a rank, from the front line backwards."""
    sprite = figure("blotto", role, BLOCK)
    start = left + (PLOT - 3 * (BLOCK + 8) + 8) // 2
    for number in range(count):
        rank, file = divmod(number, 3)
        y = front + rank * 31 - 5 if way > 0 else front - (rank + 1) * 31 - 4
        image.paste(sprite, (start + file * (BLOCK + 8), y), sprite)


def _table(image: Image.Image, facts: Facts) -> None:
    """A row of points for each side, with the sum."""
    view, draw = facts.view, ImageDraw.Draw(image)
    top, first, step = HIGH + 24, 236, 50
    for number in range(view["rounds"]):
        put(image, (first + number * step, top), str(number + 1), 20, colour=p.INK_2, anchor="ma")
    put(image, (0, top), "Round", 20, colour=p.INK_2)
    put(image, (SIDE - 24, top), "Sum", 20, colour=p.INK_2, anchor="ma")
    sides: tuple[tuple[Role, str], ...] = (("white", facts.white), ("black", facts.black))
    for row, (role, name) in enumerate(sides):
        y = top + 36 + row * ROW
        draw.line((0, y, SIDE, y), fill=p.RULE, width=1)
        put(image, (0, y + 11), name, 22, room=first - 36)
        for number in range(view["rounds"]):
            scores = view["scores"][role]
            text = str(scores[number]) if number < len(scores) else "·"
            put(image, (first + number * step, y + 11), text, 22, anchor="ma")
        put(image, (SIDE - 24, y + 9), str(view["totals"][role]), 26, anchor="ma", is_bold=True)
