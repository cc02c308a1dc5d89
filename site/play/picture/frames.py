"""Frames of the animation of an ended game: which turns are shown, and each as SVG.

The frames name nobody: the file travels, and a player may be renamed or deleted later.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from django.conf import settings
from django.utils.translation import gettext, override

from play.domain.game_state import GameState, ReplayedStep
from play.picture.blotto_fields import fields_svg
from play.picture.boards import SIDE_PX, ground_svg, pieces_svg
from play.picture.card_data import Facts, facts_after, turns_of
from play.picture.lettering import FILES
from play.picture.palette import palette
from play.picture.shapes import family_of

MAX_FRAMES: Final = 60
MIN_TURNS: Final = 2  # below that there is nothing to animate
FRAME_SIDE_PX: Final = 440
MARGIN: Final = 12  # around the board, in the unit of the board's picture


class Film(NamedTuple):
    """The frames of an animation as SVG: transparent, over a ground that they share."""

    ground: str
    frames: list[str]
    fonts: list[str]  # paths of font files; boards have no text


def spread(count: int, most: int) -> list[int]:
    """Return at most `most` (at least two) of the numbers 0 to `count` - 1, evenly spread.

    The first and the last number are among them.
    """
    if count <= most:
        return list(range(count))
    return [round(index * (count - 1) / (most - 1)) for index in range(most)]


def film_of(game: GameState, done: Sequence[ReplayedStep]) -> Film:
    """Return the start and the position after each turn, at most `MAX_FRAMES`."""
    turns = turns_of(done)
    shown = [facts_after(game, turns, turn) for turn in spread(len(turns) + 1, MAX_FRAMES)]
    side = SIDE_PX + 2 * MARGIN
    paper = (
        f'<rect x="{-MARGIN}" y="{-MARGIN}" width="{side}" height="{side}"'
        f' fill="{palette()["paper"]}"/>'
    )
    if family_of(game.rules.key) == "blotto":
        with override(settings.LANGUAGE_CODE):
            frames = [_svg(fields_svg(_without_names(facts))) for facts in shown]
        return Film(_svg(paper), frames, [str(path) for path in FILES.values()])
    return Film(_svg(paper + ground_svg(shown[0])), [_svg(pieces_svg(each)) for each in shown], [])


def _without_names(facts: Facts) -> Facts:
    return replace(facts, white=gettext("First player"), black=gettext("Second player"))


def _svg(drawn: str) -> str:
    side = SIDE_PX + 2 * MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{FRAME_SIDE_PX}" height="{FRAME_SIDE_PX}"'
        f' viewBox="{-MARGIN} {-MARGIN} {side} {side}" font-family="Source Sans Pro">{drawn}</svg>'
    )
