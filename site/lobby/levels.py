"""The levels of the computer that a lobby's host may put on the other seat."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from accounts.computers import NAMES
from games.players.levels import COUNT, is_available, levels_of
from lobby.models import Lobby, Place

NUMBERS = {str(number): number for number in range(1, COUNT + 1)}  # levels by form value
FIRST_LEVEL = "3"  # chosen beforehand for who plays the computer in a lobby


def level_choice(
    lobby: Lobby, place: Place, mine: Place | None, eyes: int | None
) -> dict[str, Any] | None:
    """The levels that a seated host may put on the other seat, while no person sits there.

    `level` is the form value of the one that is chosen.
    """
    is_host = lobby.status == Lobby.Status.OPEN and lobby.host.pk == eyes
    if not is_host or mine is None or mine == place or (place.user and not place.user.is_bot):
        return None
    numbers = [each.number for each in levels_of(lobby.rules)]
    offers = [
        {"value": str(number), "say": f"{number} · {NAMES[number - 1]}"}
        for number in numbers
        if is_available(lobby.rules, number)
    ]
    if place.user:
        return {
            "label": pgettext("a level", "Change"),
            "level": str(place.user.level),
            "levels": offers,
        }
    return {"label": _("Seat the computer"), "level": FIRST_LEVEL, "levels": offers}
