"""Template filter that sets the time of a snapshot."""

from collections.abc import Mapping
from typing import Any

from django import template

register = template.Library()


@register.filter
def as_of(snapshot: Mapping[str, Any], at: int) -> dict[str, Any]:
    """Return a snapshot with the time at which it is shown (epoch ms); pages set clocks by it."""
    return {**snapshot, "now": at}
