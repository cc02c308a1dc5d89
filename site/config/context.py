"""Settings that templates need."""

from django.conf import settings
from django.http import HttpRequest


def site(request: HttpRequest) -> dict[str, object]:
    """Context processor: `origin`, with which absolute links begin."""
    return {"origin": settings.ORIGIN}
