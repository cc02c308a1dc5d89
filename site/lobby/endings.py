"""How a game ended, as a sentence in the reader's language."""

from collections.abc import Callable, Mapping

import msgspec
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from play.models import Game

Text = str | Promise

DRAWN: Mapping[str, Text] = {
    "agreed": gettext_lazy("Drawn by agreement"),
    "no_arrows": gettext_lazy("Drawn: 50 goes without an arrow"),
    "too_long": gettext_lazy("Drawn after 400 goes"),
    "both_flagged": gettext_lazy("Drawn: both ran out of time"),
    "abandoned": gettext_lazy("Drawn: the other had left"),
    "aborted": gettext_lazy("Broken off before it began"),
    "idle": gettext_lazy("Broken off: nobody moved for seven days"),
}
WON: Mapping[str, Callable[[dict[str, object]], str]] = {
    "resigned": lambda told: _("%(name)s won by resignation") % told,
    "time": lambda told: _("%(name)s won on time") % told,
    "abandoned": lambda told: _("%(name)s won: the other had left") % told,
    "rounds": lambda told: _("%(name)s won %(white)s to %(black)s") % told,
}


def result_of(game: Game, names: Mapping[str, str]) -> str:
    """The result of a finished game; `names` by role."""
    goals = msgspec.json.decode(game.goals, type=dict[str, int]) if game.goals else {}
    told: dict[str, object] = {"white": goals.get("white", 0), "black": goals.get("black", 0)}
    if game.winner:
        say = WON.get(game.reason, lambda told: _("%(name)s won") % told)
        return say({**told, "name": names[game.winner]})
    if game.reason == "rounds":
        return _("Drawn %(white)s to %(black)s") % told
    return str(DRAWN.get(game.reason) or _("Drawn"))
