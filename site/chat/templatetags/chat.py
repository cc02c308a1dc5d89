"""Template tags of chat: whether it is enabled, and the open reports for moderators."""

from typing import Any

from django import template
from django.urls import NoReverseMatch, reverse

from chat.models import Report
from chat.permissions import is_chat_on

register = template.Library()


@register.simple_tag
def chat_is_on() -> bool:
    """Returns whether chat is enabled on this site."""
    return is_chat_on()


@register.simple_tag
def open_reports(user: Any) -> dict[str, Any] | None:
    """Returns the number of open reports and their list's address; None for all but moderators.

    None as well on a site without an admin.
    """
    if not (user.is_authenticated and user.is_staff and user.has_perm("chat.view_report")):
        return None
    try:
        url = reverse("admin:chat_report_changelist")
    except NoReverseMatch:  # QUIVER_ADMIN=off
        return None
    return {"count": Report.objects.filter(state=Report.State.OPEN).count(), "url": url}
