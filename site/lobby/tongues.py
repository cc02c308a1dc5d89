"""The language of who looks. Frames have sentences, so a language is part of an audience.

A page says in its socket's address which language it was drawn in: `?lang=tr`.
"""

from typing import Any
from urllib.parse import parse_qs

from django.conf import settings


def language_of(scope: dict[str, Any]) -> str:
    """The language that a socket's page asks for; the site's own if that is not spoken here."""
    query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
    asked = query.get("lang", [""])[-1]
    return asked if asked in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE


def audience(user: int | None, language: str) -> str:
    """The audience of a user (None: a stranger) and a language."""
    return f"{user or ''}|{language}"


def parted(audience: str) -> tuple[int | None, str]:
    """User and language of an audience."""
    user, _, language = audience.partition("|")
    return int(user) if user else None, language
