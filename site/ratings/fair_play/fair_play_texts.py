"""Texts about incidents and pauses of rated play, in the reader's language."""

from collections.abc import Mapping
from datetime import UTC, datetime

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ratings.fair_play.incidents import Kind

KIND_TEXTS: Mapping[Kind | None, str | Promise] = {
    Kind.TIME_OUT: gettext_lazy("Lost on time"),
    Kind.RESIGNATION: gettext_lazy("Resigned early"),
    Kind.QUICK_RESIGNATION: gettext_lazy("Resigned after a few moves"),
    Kind.NO_SHOW: gettext_lazy("First turn missed"),
}


def moment_text(at: int) -> str:
    """Return a time (epoch ms) as `25 November 2026, 18:40`, in UTC."""
    return date_format(datetime.fromtimestamp(at / 1000, UTC), "j F Y, H:i")


def pause_text(until: int) -> str:
    """Return the sentence about a pause that ends at a time (epoch ms)."""
    return _("You can’t play rated games until %(time)s (UTC).") % {"time": moment_text(until)}
