"""What the pages say and show of each game's two sides."""

from collections.abc import Mapping
from dataclasses import dataclass

from games.catalogue import RULES

MOVES = {
    "white": "moves first",
    "black": "moves second",
    "lot": "moves first or second, by lot",
}
PLACES = {
    "white": "plays the light troops",
    "black": "plays the dark troops",
    "lot": "light or dark troops, by lot",
}
BY_GO = (
    "5 + 3 means five minutes at the start, and three seconds more with each go. "
    "1 day is the time for each go."
)
BY_ROUND = "The time is for each round, and both decide at once."


@dataclass(frozen=True, slots=True)
class Words:
    """How one game speaks of its sides."""

    figure: str  # family of the drawn figures in templates/figures.svg
    sides: Mapping[str, str]  # role or "lot" to what follows a name
    first: str  # what white is, as the label of a name
    choice: str  # label of the choice of sides while nobody is seated
    choices: Mapping[str, str]  # role or "lot" to that choice
    clocks: str  # how to read the clocks on offer


def _board(figure: str) -> Words:
    choices = {"white": "First", "black": "Second", "lot": "By lot"}
    return Words(figure, MOVES, "First", "You move", choices, BY_GO)


_TROOPS = {"white": "Light", "black": "Dark", "lot": "By lot"}
WORDS: Mapping[str, Words] = {
    "amazons-10x10": _board("archer"),
    "amazons-8x8": _board("archer"),
    "amazons": _board("archer"),
    "blotto": Words("block", PLACES, "Light troops", "Your troops", _TROOPS, BY_ROUND),
    "pincer": _board("stone"),
}
SHORT = {"amazons": "Free arrow", "blotto": "Blotto"}


def name_of(key: str) -> str:
    """The name of a rule set for people."""
    return RULES[key].name


def short_name(key: str) -> str:
    """The name where five of them stand in a row."""
    return SHORT.get(key) or name_of(key)


def figure_of(key: str, role: str) -> str:
    """The id of the figure that plays a role; a seat by lot has its own."""
    return "lot" if role == "lot" else f"{WORDS[key].figure}-{role}"
