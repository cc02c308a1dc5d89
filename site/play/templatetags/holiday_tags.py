"""Template tag for the holidays that a user has left."""

from django import template

from accounts.models import User
from play.domain import clocks
from play.domain.holidays import MAX_DAYS_A_YEAR
from play.storage.holiday_rows import days_left

register = template.Library()


@register.simple_tag
def holidays_left(user: User) -> dict[str, int]:
    """Return the days `left` and the days `most` of this calendar year."""
    return {"left": days_left(user.pk, clocks.now()), "most": MAX_DAYS_A_YEAR}
