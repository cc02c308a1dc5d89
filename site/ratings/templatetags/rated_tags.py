"""Template tag about rated play: whether it is paused."""

from typing import Any

from django import template

from play.domain.clocks import now
from ratings.fair_play.fair_play_texts import pause_text
from ratings.fair_play.rated_log import paused_until

register = template.Library()


@register.simple_tag
def rated_pause(user: Any) -> str:
    """Return the sentence about the pause of a user's rated play; empty without one."""
    if not getattr(user, "is_account", False):
        return ""
    until = paused_until(user.pk, now())
    return pause_text(until) if until else ""
