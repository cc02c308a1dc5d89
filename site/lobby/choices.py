"""What the forms offer: one tuple of choices for each option of a lobby."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from lobby.options import PRESETS, SIDES, spelled, time_label
from lobby.words import WORDS, figure_of, name_of, short_name
from play.clocks import Clock

VISIBILITY = {"public": _("Public"), "link": _("By link")}
WATCH = {"yes": _("Allowed"), "no": _("Not allowed")}


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing to choose."""

    value: str
    say: str
    short: str = ""  # where many stand in a row
    figure: str = ""


def choices_of(
    key: str, clock: Clock | None = None, sides: Mapping[str, str] | None = None
) -> Mapping[str, tuple[Choice, ...]]:
    """The choices for a game. A clock that is no preset is offered as well; `sides` has the words
    for who plays white, where they are not those of the game."""
    clocks = PRESETS[key]
    if clock is not None and clock not in clocks:
        clocks = (clock, *clocks)
    return {
        "game": tuple(Choice(k, name_of(k), short_name(k), figure_of(k, "white")) for k in PRESETS),
        "clock": tuple(Choice(spelled(c), time_label(c)) for c in clocks),
        "side": tuple(Choice(side, str((sides or WORDS[key].choices)[side])) for side in SIDES),
        "visibility": tuple(Choice(value, str(say)) for value, say in VISIBILITY.items()),
        "watch": tuple(Choice(value, str(say)) for value, say in WATCH.items()),
    }
