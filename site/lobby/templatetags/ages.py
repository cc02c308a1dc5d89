"""Ages in few letters; static/js/lists.js writes them alike."""

from django import template

register = template.Library()
UNITS = ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s"))


@register.filter
def age(seconds: int) -> str:
    """`20 s`, `4 min`, `2 h`, `3 d`: the largest whole unit."""
    size, unit = next((size, unit) for size, unit in UNITS if seconds >= size or size == 1)
    return f"{seconds // size} {unit}"
