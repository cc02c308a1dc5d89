"""Ages in few letters; static/js/lists.js writes them alike."""

from django import template
from django.utils.translation import gettext as _

register = template.Library()
UNITS = (
    (86_400, lambda: _("%(count)s d")),
    (3_600, lambda: _("%(count)s h")),
    (60, lambda: _("%(count)s min")),
    (1, lambda: _("%(count)s s")),
)


@register.filter
def age(seconds: int) -> str:
    """`20 s`, `4 min`, `2 h`, `3 d`: the largest whole unit."""
    size, say = next((size, say) for size, say in UNITS if seconds >= size or size == 1)
    return say() % {"count": seconds // size}
