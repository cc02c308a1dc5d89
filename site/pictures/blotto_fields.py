"""Blotto as SVG: the fields with the newest revealed round, and the points."""

from typing import Final

from games.core import Role
from pictures.boards import SIDE_PX
from pictures.card_data import Facts
from pictures.lettering import text_svg
from pictures.palette import palette
from pictures.shapes import shapes
from pictures.svg import figure_svg

NAMES: Final = ("Hill", "Ford", "Wood")
GAP_PX: Final = 14
PLOT_PX: Final = (SIDE_PX - 2 * GAP_PX) // 3
HEIGHT_PX: Final = 372
HEAD_PX: Final = 42
FOOT_PX: Final = 56
BLOCK_PX: Final = 36
RANK_PX: Final = 31  # from one rank to the next
FILES: Final = 3  # blocks in a rank
FRONT_PX: Final = (HEAD_PX + HEIGHT_PX - FOOT_PX) // 2
ROW_PX: Final = 46


def fields_svg(facts: Facts) -> str:
    """Return the picture, as large as a board's."""
    view, paint = facts.view, palette().__getitem__
    newest = view["splits"][-1] if view["splits"] else None
    roles: tuple[Role, ...] = ("white", "black")
    defs = "".join(
        f'<g id="block-{role}" stroke-linejoin="round" stroke-linecap="round" fill="none"'
        f' transform="scale({BLOCK_PX})">'
        f"{figure_svg(shapes().figure('blotto', role), BLOCK_PX, paint)}</g>"
        for role in roles
    )
    plots = []
    for field, name in enumerate(NAMES):
        pair = (newest["white"][field], newest["black"][field]) if newest else None
        left = field * (PLOT_PX + GAP_PX)
        plots.append(f'<g transform="translate({left} 0)">{_plot(name, pair)}</g>')
    return f"<defs>{defs}</defs>{''.join(plots)}{_table(facts)}"


def _plot(name: str, pair: tuple[int, int] | None) -> str:
    colours = palette()
    ground = HEIGHT_PX - FOOT_PX - HEAD_PX
    parts = [
        f'<rect y="8" width="{PLOT_PX}" height="{HEIGHT_PX - 2}" rx="4" fill="{colours["slab"]}"/>'
        f'<rect width="{PLOT_PX}" height="{HEIGHT_PX}" rx="4" fill="{colours["frame"]}"/>'
        f'<rect y="{HEAD_PX}" width="{PLOT_PX}" height="{ground}" fill="{colours["squareA"]}"/>',
        text_svg(name, 14, 29, 22, colour=colours["ink"]),
    ]
    if pair is None:
        parts.append(_hatching())
    parts.append(
        f'<path d="M0 {FRONT_PX}H{PLOT_PX}" stroke="{colours["ink"]}" stroke-width="2"'
        ' stroke-dasharray="7 5"/>'
    )
    if pair is not None:
        white, black = pair
        parts += [_ranks("white", white), _ranks("black", black)]
        sign = ">" if white > black else "<" if white < black else "="
        said = f"{white} {sign} {black}"
        place = PLOT_PX / 2, HEIGHT_PX - 18
        parts.append(text_svg(said, *place, 28, colour=colours["ink"], anchor="middle"))
    return "".join(parts)


def _hatching() -> str:
    """Return the far half of a plot before its first round: hatched."""
    high = FRONT_PX - HEAD_PX
    stripes = ""
    for x in range(0, PLOT_PX + high, 12):
        start, end = min(x, PLOT_PX), max(x - high, 0)
        stripes += f"M{start} {HEAD_PX + x - start}L{end} {HEAD_PX + x - end}"
    return f'<path d="{stripes}" stroke="{palette()["terrain"]}"/>'


def _ranks(role: Role, count: int) -> str:
    """Return the blocks of a role, from the front line backwards; the far ranks first."""
    step = BLOCK_PX + 11
    left = (PLOT_PX - (FILES - 1) * step) / 2
    blocks = []
    for index in range(count):
        rank, file = divmod(index, FILES)
        y = FRONT_PX + 22 + rank * RANK_PX if role == "white" else FRONT_PX - 22 - rank * RANK_PX
        blocks.append(f'<use href="#block-{role}" x="{left + file * step:g}" y="{y}"/>')
    return "".join(blocks if role == "white" else reversed(blocks))


def _table(facts: Facts) -> str:
    """Return a row of points for each side, with the sum."""
    view, ink, pale = facts.view, palette()["ink"], palette()["ink2"]
    top, first, step, last = HEIGHT_PX + 44, 236, 50, SIDE_PX - 24
    parts: list[str] = [text_svg("Round", 0, top, 20, colour=pale)]
    parts += [
        text_svg(str(number + 1), first + number * step, top, 20, colour=pale, anchor="middle")
        for number in range(view["rounds"])
    ]
    parts.append(text_svg("Sum", last, top, 20, colour=pale, anchor="middle"))
    sides: tuple[tuple[Role, str], ...] = (("white", facts.white), ("black", facts.black))
    for row, (role, name) in enumerate(sides):
        y = top + 16 + row * ROW_PX
        parts.append(f'<path d="M0 {y}H{SIDE_PX}" stroke="{palette()["rule"]}"/>')
        parts.append(text_svg(name, 0, y + 31, 22, colour=ink, room_px=first - 36))
        scores = view["scores"][role]
        for number in range(view["rounds"]):
            text = str(scores[number]) if number < len(scores) else "·"
            x = first + number * step
            parts.append(text_svg(text, x, y + 31, 22, colour=ink, anchor="middle"))
        total = str(view["totals"][role])
        parts.append(text_svg(total, last, y + 32, 26, colour=ink, anchor="middle", is_bold=True))
    return "".join(parts)
