"""Template tags about the search for an opponent."""

from typing import Any

from django import template

from lobby.pairing.search_service import active_search
from play.time_controls import clock_value

register = template.Library()
register.filter(clock_value)


@register.simple_tag(takes_context=True)
def is_searching(context: dict[str, Any], game: Any, snapshot: dict[str, Any]) -> bool:
    """Returns whether the visitor searches while they play a computer in the game of the page.

    It queries the database only for such games.
    """
    if not (game.has_bot and snapshot["you"] and snapshot["status"] == "live"):
        return False
    return active_search(context["request"].user.pk) is not None
