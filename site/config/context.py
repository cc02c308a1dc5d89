"""Settings that templates need."""

from django.conf import settings
from django.http import HttpRequest


def site(request: HttpRequest) -> dict[str, object]:
    """Context processor: `origin`, with which absolute links begin, and `sends_mail`, whether pages
    offer features that need e-mail."""
    return {"origin": settings.ORIGIN, "sends_mail": settings.SENDS_MAIL}
