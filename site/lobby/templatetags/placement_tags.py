"""Template tags that offer a placement, and name the one to which a game belongs."""

from dataclasses import dataclass
from typing import Any

from django import template
from django.urls import reverse

from games.rating.pools import Pool
from play.game_texts import short_name
from play.time_controls import PRESETS
from ratings.placing.models import PlacementGame
from ratings.placing.search_state import offered_pools

register = template.Library()


@dataclass(frozen=True, slots=True)
class OfferedPlace:
    """A game in which a user may find a level."""

    name: str
    url: str


@register.inclusion_tag("bots/placement/offer.html")
def placement_offer(user: Any, rules: str = "") -> dict[str, Any]:
    """Offer a user the placements that are open to them, of one game or of all."""
    if not getattr(user, "is_account", False):
        return {"places": []}
    order = list(PRESETS)
    found = [pool for pool in offered_pools(user) if rules in ("", pool.rules)]
    pools = sorted(found, key=lambda pool: order.index(pool.rules))
    return {"places": [OfferedPlace(short_name(pool.rules), _url(pool)) for pool in pools]}


@register.simple_tag
def placement_url(game: Any, snapshot: dict[str, Any]) -> str:
    """Return the page of the placement that a game is part of, for its player; empty without one.

    It queries the database only for games against the computer.
    """
    if not (game.has_bot and snapshot["you"]):
        return ""
    found = PlacementGame.objects.filter(game__slug=game.slug).select_related("placement").first()
    return _url(found.placement.pool) if found else ""


def _url(pool: Pool) -> str:
    return reverse("placement", args=[pool.rules, pool.speed.value])
