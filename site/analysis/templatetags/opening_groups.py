"""Template tag of the groups of games that the panel on the analysis board filters by."""

from django import template
from django.utils.translation import gettext as _

from analysis.explorer.groups import BAND_STARTS, EVERYONE, LEVELS, UNRATED

register = template.Library()


@register.simple_tag
def opening_groups() -> list[tuple[str, str]]:
    """Return the groups with their names, in the order in which pages offer them."""
    return [
        (EVERYONE, _("All games")),
        *(_band(place) for place in range(len(BAND_STARTS))),
        (UNRATED, _("People without a rating")),
        *((f"level-{level}", _("Against level %(level)s") % {"level": level}) for level in LEVELS),
    ]


def _band(place: int) -> tuple[str, str]:
    start = BAND_STARTS[place]
    key = f"rated-{start}"
    if place == len(BAND_STARTS) - 1:
        return key, _("People rated %(rating)s and more") % {"rating": start}
    following = BAND_STARTS[place + 1]
    if start == 0:
        return key, _("People rated below %(rating)s") % {"rating": following}
    return key, _("People rated %(from)s to %(to)s") % {"from": start, "to": following - 1}
