"""Texts about games in the reader's language: names, figures, sides, results."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import msgspec
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from lobby.models import OTHER
from play.models import Game

Text = str | Promise

MOVES: Mapping[str, Text] = {
    "white": gettext_lazy("moves first"),
    "black": gettext_lazy("moves second"),
    "lot": gettext_lazy("moves first or second, at random"),
}
PLACES: Mapping[str, Text] = {
    "white": gettext_lazy("plays the light troops"),
    "black": gettext_lazy("plays the dark troops"),
    "lot": gettext_lazy("light or dark troops, at random"),
}
OWN_MOVES: Mapping[str, Text] = {
    "white": gettext_lazy("you · moves first"),
    "black": gettext_lazy("you · moves second"),
    "lot": gettext_lazy("you · moves first or second, at random"),
}
OWN_PLACES: Mapping[str, Text] = {
    "white": gettext_lazy("you · plays the light troops"),
    "black": gettext_lazy("you · plays the dark troops"),
    "lot": gettext_lazy("you · light or dark troops, at random"),
}
BY_TURN = gettext_lazy(
    "5 + 3 means five minutes at the start, and three seconds more with each turn. "
    "1 day is the time for each turn."
)
BY_ROUND = gettext_lazy("The time is for each round, and both decide at once.")


@dataclass(frozen=True, slots=True)
class RulesTexts:
    """Texts for one game and its sides."""

    figure: str  # family of the drawn figures in templates/figures.svg
    sides: Mapping[str, Text]  # by role or "lot": text after a name
    own: Mapping[str, Text]  # the same, after the reader's own name
    first: Text  # label of the name of who plays white
    choice: Text  # label of the choice of sides while nobody is seated
    choices: Mapping[str, Text]  # by role or "lot": text of that choice
    clocks: Text  # how to read the clocks on offer


SIDE_BY_LOT = pgettext_lazy("who plays white", "Random")


def _board(figure: str) -> RulesTexts:
    first, second = pgettext_lazy("who moves", "First"), pgettext_lazy("who moves", "Second")
    choices = {"white": first, "black": second, "lot": SIDE_BY_LOT}
    return RulesTexts(figure, MOVES, OWN_MOVES, first, gettext_lazy("You move"), choices, BY_TURN)


_TROOPS = {
    "white": pgettext_lazy("troops", "Light"),
    "black": pgettext_lazy("troops", "Dark"),
    "lot": SIDE_BY_LOT,
}
RULES_TEXTS: Mapping[str, RulesTexts] = {
    "amazons-10x10": _board("archer"),
    "amazons-8x8": _board("archer"),
    "amazons": _board("archer"),
    "blotto": RulesTexts(
        "block",
        PLACES,
        OWN_PLACES,
        gettext_lazy("Light troops"),
        gettext_lazy("Your troops"),
        _TROOPS,
        BY_ROUND,
    ),
    "pincer": _board("stone"),
}
NAMES: Mapping[str, Text] = {
    "amazons-10x10": gettext_lazy("Amazons"),
    "amazons-8x8": gettext_lazy("Amazons 8×8"),
    "amazons": gettext_lazy("Amazons, free arrow"),
    "blotto": gettext_lazy("Colonel Blotto"),
    "pincer": gettext_lazy("Pincer"),
}
_COMPUTER = gettext_lazy("computer")
SHORT: Mapping[str, Text] = {
    "amazons": gettext_lazy("Free arrow"),
    "blotto": gettext_lazy("Blotto"),
}


def name_of(key: str) -> str:
    """Returns the name of a rule set for people."""
    return str(NAMES[key])


def short_name(key: str) -> str:
    """Returns the short name of a rule set, for rows of several names."""
    return str(SHORT.get(key) or name_of(key))


def kind_of(is_bot: bool) -> str:
    """Returns the label beside a name that marks a computer player; empty for a person."""
    return str(_COMPUTER) if is_bot else ""


def figure_of(key: str, role: str) -> str:
    """Returns the id of the figure for a role; a side by lot has its own."""
    return "lot" if role == "lot" else f"{RULES_TEXTS[key].figure}-{role}"


DRAWN: Mapping[str, Text] = {
    "agreed": gettext_lazy("Draw by agreement"),
    "no_arrows": gettext_lazy("Draw: 50 turns without an arrow"),
    "too_long": gettext_lazy("Draw after 400 turns"),
    "both_flagged": gettext_lazy("Draw: both ran out of time"),
    "abandoned": gettext_lazy("Draw (opponent left)"),
    "aborted": gettext_lazy("Aborted"),
    "no_show": gettext_lazy("Aborted: a first move was not made"),
    "idle": gettext_lazy("Aborted: nobody moved for seven days"),
}
WON: Mapping[str, Callable[[dict[str, object]], str]] = {
    "resigned": lambda params: _("%(name)s won by resignation") % params,
    "time": lambda params: _("%(name)s won on time") % params,
    "abandoned": lambda params: _("%(name)s won: the opponent left") % params,
    "rounds": lambda params: _("%(name)s won %(more)s to %(less)s") % params,
}


def _plain_win(params: dict[str, object]) -> str:
    return _("%(name)s won") % params


def result_text(game: Game, names: Mapping[str, str]) -> str:
    """Returns the result of a finished game; `names` is by role."""
    goals = msgspec.json.decode(game.goals, type=dict[str, int]) if game.goals else {}
    params: dict[str, object] = {"white": goals.get("white", 0), "black": goals.get("black", 0)}
    if game.winner:
        say: Callable[[dict[str, object]], str] = WON.get(game.reason, _plain_win)
        more, less = params[game.winner], params[OTHER[game.winner]]
        return say({**params, "name": names[game.winner], "more": more, "less": less})
    if game.reason == "rounds":
        return _("Draw, %(white)s–%(black)s") % params
    return str(DRAWN.get(game.reason) or _("Draw"))
