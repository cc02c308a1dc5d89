"""Template filter for short ages; static/js formats them in the same way."""

from collections.abc import Callable

from django import template
from django.utils.translation import gettext as _

register = template.Library()
UNITS: tuple[tuple[int, Callable[[], str]], ...] = (
    (86_400, lambda: _("%(count)s d")),
    (3_600, lambda: _("%(count)s h")),
    (60, lambda: _("%(count)s min")),
    (1, lambda: _("%(count)s s")),
)


@register.filter
def age(seconds: int) -> str:
    """Returns an age in its largest whole unit: `20 s`, `4 min`, `2 h`, `3 d`."""
    size, say = next((size, say) for size, say in UNITS if seconds >= size or size == 1)
    return say() % {"count": seconds // size}
