"""What the pages say and show of each game and of its two sides, in the reader's language."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

Text = str | Promise

MOVES: Mapping[str, Text] = {
    "white": _("moves first"),
    "black": _("moves second"),
    "lot": _("moves first or second, by lot"),
}
PLACES: Mapping[str, Text] = {
    "white": _("plays the light troops"),
    "black": _("plays the dark troops"),
    "lot": _("light or dark troops, by lot"),
}
OWN_MOVES: Mapping[str, Text] = {
    "white": _("you · moves first"),
    "black": _("you · moves second"),
    "lot": _("you · moves first or second, by lot"),
}
OWN_PLACES: Mapping[str, Text] = {
    "white": _("you · plays the light troops"),
    "black": _("you · plays the dark troops"),
    "lot": _("you · light or dark troops, by lot"),
}
BY_GO = _(
    "5 + 3 means five minutes at the start, and three seconds more with each go. "
    "1 day is the time for each go."
)
BY_ROUND = _("The time is for each round, and both decide at once.")


@dataclass(frozen=True, slots=True)
class Words:
    """How one game speaks of its sides."""

    figure: str  # family of the drawn figures in templates/figures.svg
    sides: Mapping[str, Text]  # role or "lot" to what follows a name
    own: Mapping[str, Text]  # the same, after the reader's own name
    first: Text  # what white is, as the label of a name
    choice: Text  # label of the choice of sides while nobody is seated
    choices: Mapping[str, Text]  # role or "lot" to that choice
    clocks: Text  # how to read the clocks on offer


LOT = pgettext_lazy("who plays white", "By lot")


def _board(figure: str) -> Words:
    first, second = pgettext_lazy("who moves", "First"), pgettext_lazy("who moves", "Second")
    choices = {"white": first, "black": second, "lot": LOT}
    return Words(figure, MOVES, OWN_MOVES, first, _("You move"), choices, BY_GO)


_TROOPS = {
    "white": pgettext_lazy("troops", "Light"),
    "black": pgettext_lazy("troops", "Dark"),
    "lot": LOT,
}
WORDS: Mapping[str, Words] = {
    "amazons-10x10": _board("archer"),
    "amazons-8x8": _board("archer"),
    "amazons": _board("archer"),
    "blotto": Words(
        "block", PLACES, OWN_PLACES, _("Light troops"), _("Your troops"), _TROOPS, BY_ROUND
    ),
    "pincer": _board("stone"),
}
NAMES: Mapping[str, Text] = {
    "amazons-10x10": _("Amazons"),
    "amazons-8x8": _("Amazons 8×8"),
    "amazons": _("Amazons, free arrow"),
    "blotto": _("Colonel Blotto"),
    "pincer": _("Pincer"),
}
_COMPUTER = _("computer")
SHORT: Mapping[str, Text] = {"amazons": _("Free arrow"), "blotto": _("Blotto")}


def name_of(key: str) -> str:
    """The name of a rule set for people."""
    return str(NAMES[key])


def short_name(key: str) -> str:
    """The name where five of them stand in a row."""
    return str(SHORT.get(key) or name_of(key))


def kind_of(is_bot: bool) -> str:
    """What stands beside a name, so that nobody takes a computer player for a person."""
    return str(_COMPUTER) if is_bot else ""


def figure_of(key: str, role: str) -> str:
    """The id of the figure that plays a role; a seat by lot has its own."""
    return "lot" if role == "lot" else f"{WORDS[key].figure}-{role}"
