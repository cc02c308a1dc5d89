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


def audience(name: str, language: str) -> str:
    """The audience of a name (empty: a stranger) and a language; no name has a bar in it."""
    return f"{name}|{language}"


def parted(audience: str) -> tuple[str, str]:
    """Name and language of an audience."""
    name, _, language = audience.partition("|")
    return name, language or settings.LANGUAGE_CODE
