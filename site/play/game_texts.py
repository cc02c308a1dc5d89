"""Texts about games in the reader's language: names, figures, sides, results."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import msgspec
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from games.core import Role
from play.domain.clocks import DAY_MS, HOUR_MS, MINUTE_MS
from play.models import Game

DAYS_FROM_MS = 2 * DAY_MS  # from then on, the time left is given in days
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
    "white": gettext_lazy("You move first"),
    "black": gettext_lazy("You move second"),
    "lot": gettext_lazy("You move first or second, at random"),
}
OWN_PLACES: Mapping[str, Text] = {
    "white": gettext_lazy("You play the light troops"),
    "black": gettext_lazy("You play the dark troops"),
    "lot": gettext_lazy("You play light or dark troops, at random"),
}
BY_TURN = gettext_lazy(
    "5 + 3: you start with five minutes and get three seconds for each turn. "
    "1 day: you have one day for each turn."
)
BY_ROUND = gettext_lazy("You both have this time for each round, and decide at once.")


@dataclass(frozen=True, slots=True)
class RulesTexts:
    """Texts for one game and its sides."""

    figure: str  # family of the drawn figures in templates/figures.svg
    sides: Mapping[str, Text]  # by role or "lot": text after a name
    own: Mapping[str, Text]  # the same, said to the reader
    first: Text  # label of the name of who plays white
    choice: Text  # label of the choice of sides while nobody is seated
    choices: Mapping[str, Text]  # by role or "lot": text of that choice
    clocks: Text  # how to read the clocks on offer


RANDOM_SIDE = pgettext_lazy("who plays white", "Random")


def _board(figure: str) -> RulesTexts:
    first, second = pgettext_lazy("who moves", "First"), pgettext_lazy("who moves", "Second")
    choices = {"white": first, "black": second, "lot": RANDOM_SIDE}
    says = gettext_lazy("Moves first")
    return RulesTexts(figure, MOVES, OWN_MOVES, says, gettext_lazy("You move"), choices, BY_TURN)


_TROOPS = {
    "white": pgettext_lazy("troops", "Light"),
    "black": pgettext_lazy("troops", "Dark"),
    "lot": RANDOM_SIDE,
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
AMAZONS_GOAL = gettext_lazy("Shut your opponent in: a player with no move on their turn loses.")
AMAZONS_TURN = gettext_lazy(
    "Move an amazon in a straight line, then shoot an arrow: it blocks a square for good."
)
# A turn and the goal of each game, a sentence each, for people who have never played it.
SHORT_RULES: Mapping[str, tuple[Text, Text]] = {
    "amazons-10x10": (AMAZONS_TURN, AMAZONS_GOAL),
    "amazons-8x8": (AMAZONS_TURN, AMAZONS_GOAL),
    "amazons": (
        gettext_lazy(
            "Move an amazon in a straight line, then shoot if you like: an arrow blocks a square "
            "for good."
        ),
        AMAZONS_GOAL,
    ),
    "blotto": (
        gettext_lazy("Place ten troops on three fields, in secret. More troops win a field."),
        gettext_lazy("Win more points than your opponent in five rounds."),
    ),
    "pincer": (
        gettext_lazy("Move two of your pieces on each turn, one square each."),
        gettext_lazy(
            "Take your opponent’s pieces: hold a line of them between two of yours, or one and the "
            "wall."
        ),
    ),
}
NAMES: Mapping[str, Text] = {
    "amazons-10x10": gettext_lazy("Amazons"),
    "amazons-8x8": gettext_lazy("Amazons 8×8"),
    "amazons": gettext_lazy("Amazons, free arrow"),
    "blotto": gettext_lazy("Colonel Blotto"),
    "pincer": gettext_lazy("Pincer"),
}
_AMAZONS: Mapping[Role, Text] = {"white": gettext_lazy("White"), "black": gettext_lazy("Black")}
# Names of the sides of a board where no people play.
SIDE_NAMES: Mapping[str, Mapping[Role, Text]] = {
    "amazons-10x10": _AMAZONS,
    "amazons-8x8": _AMAZONS,
    "amazons": _AMAZONS,
    "pincer": {"white": gettext_lazy("Triangles"), "black": gettext_lazy("Circles")},
}
_COMPUTER = gettext_lazy("computer")
SHORT: Mapping[str, Text] = {
    "amazons": gettext_lazy("Free arrow"),
    "blotto": gettext_lazy("Blotto"),
}


def name_of(key: str) -> str:
    """Return the name of a rule set for people."""
    return str(NAMES[key])


def short_name(key: str) -> str:
    """Return the short name of a rule set, for rows of several names."""
    return str(SHORT.get(key) or name_of(key))


def side_names(key: str) -> dict[Role, str]:
    """Return the names of a board's sides where no people play; Blotto has no board."""
    return {role: str(name) for role, name in SIDE_NAMES[key].items()}


def kind_of(is_bot: bool) -> str:
    """Return the label beside a name that marks a computer player; empty for a person."""
    return str(_COMPUTER) if is_bot else ""


def figure_of(key: str, role: str) -> str:
    """Return the id of the figure for a role; a random side has its own."""
    return "lot" if role == "lot" else f"{RULES_TEXTS[key].figure}-{role}"


DRAWN: Mapping[str, Text] = {
    "agreed": gettext_lazy("Draw by agreement"),
    "no_arrows": gettext_lazy("Draw: 50 moves without an arrow"),
    "too_long": gettext_lazy("Draw after 400 moves"),
    "counted": gettext_lazy("Draw: equally many squares"),
    "counted_quiet": gettext_lazy("Draw: equally many squares"),
    "counted_long": gettext_lazy("Draw: equally many squares"),
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
    """Return the result of a finished game; `names` is by role."""
    goals = msgspec.json.decode(game.goals, type=dict[str, int]) if game.goals else {}
    params: dict[str, object] = {"white": goals.get("white", 0), "black": goals.get("black", 0)}
    if game.winner:
        say: Callable[[dict[str, object]], str] = WON.get(game.reason, _plain_win)
        lost = "black" if game.winner == "white" else "white"
        more, less = params[game.winner], params[lost]
        return say({**params, "name": names[game.winner], "more": more, "less": less})
    if game.reason == "rounds":
        return _("Draw, %(white)s–%(black)s") % params
    return str(DRAWN.get(game.reason) or _("Draw"))


def time_left_text(left_ms: int) -> str:
    """Return the time left in whole days, hours or minutes, rounded down: “47 hours left”."""
    if left_ms < MINUTE_MS:
        return _("no time left")
    if left_ms < HOUR_MS:
        count = left_ms // MINUTE_MS
        text = ngettext("%(count)s minute left", "%(count)s minutes left", count)
    elif left_ms < DAYS_FROM_MS:
        count = left_ms // HOUR_MS
        text = ngettext("%(count)s hour left", "%(count)s hours left", count)
    else:
        count = left_ms // DAY_MS
        text = ngettext("%(count)s day left", "%(count)s days left", count)
    return text % {"count": count}
