"""Template tag of the ratings beside the names of a game's players."""

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.translation import gettext as _

from ratings.rules.reasons import pool_of_game
from ratings.shown_ratings import read_ratings_of_names

register = template.Library()


@register.simple_tag
def seat_ratings(snapshot: Mapping[str, Any], at: int) -> dict[str, dict[str, str]]:
    """Return the ratings of a game's players at a time (epoch ms), by role, rated game or not.

    `short` is for the strip, `title` a sentence with the margin. Computer players, guests, and
    people without a rated game in the pool have none. One query, none without accounts.
    """
    names = {
        role: seat["name"]
        for role, seat in snapshot["seats"].items()
        if not (seat["bot"] or seat["guest"])
    }
    pool = pool_of_game(snapshot["key"], snapshot["clock"]["kind"])
    found = read_ratings_of_names(set(names.values()), pool, at)
    return {
        role: {
            "short": found[name].short,
            "title": _("Rating: %(rating)s") % {"rating": found[name].full},
        }
        for role, name in names.items()
        if name in found
    }
