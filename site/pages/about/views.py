"""View of the pages about the site, with the facts that they state.

Numbers come from the code that keeps to them, so that the texts cannot become false.
"""

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from accounts.account_service import UNPLAYED_GUEST_LIFE
from accounts.limits.networks import IPV6_PREFIX_BITS
from accounts.people.name_claims import KEPT_FOR
from accounts.restorable import restorable
from chat.chat_service import ROOM_KEPT_MS
from notices.records import KEPT_MS as NOTICE_KEPT_MS
from play.domain.abandonment import IDLE_LIMIT_MS, UNPLAYED_KEPT_MS
from play.domain.clocks import DAY_MS, FIRST_TURN_MS, SECOND_MS
from ratings.fair_play.sightings import KEPT_DAYS

PAGES: Final = ("about", "how-it-works", "fair-play", "privacy", "terms", "contact", "source")
FACTS: Final[dict[str, Any]] = {
    "guest_days": UNPLAYED_GUEST_LIFE.days,
    "name_days": KEPT_FOR.days,
    "chat_days": ROOM_KEPT_MS // DAY_MS,
    "notification_days": NOTICE_KEPT_MS // DAY_MS,
    "lobby_days": UNPLAYED_KEPT_MS // DAY_MS,
    "idle_days": IDLE_LIMIT_MS // DAY_MS,
    "first_turn_s": FIRST_TURN_MS // SECOND_MS,
    "sighting_days": KEPT_DAYS,
    "prefix_bits": IPV6_PREFIX_BITS,
}


@require_safe
@restorable
@gzip_page
def about_page(request: HttpRequest, name: str) -> HttpResponse:
    """Show one of `PAGES`."""
    template = f"pages/about/{name.replace('-', '_')}.html"
    return render(request, template, FACTS)
