"""Context processor that adds the settings that templates need."""

from django.conf import settings
from django.http import HttpRequest


def site(request: HttpRequest) -> dict[str, object]:
    """Return `origin`, the beginning of absolute links, and `sends_mail`, whether pages offer
    features that need e-mail."""
    return {"origin": settings.ORIGIN, "sends_mail": settings.SENDS_MAIL}
