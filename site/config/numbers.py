"""Whole numbers from the environment."""

from collections.abc import Mapping

from django.core.exceptions import ImproperlyConfigured


def whole(environment: Mapping[str, str], name: str, default: int, least: int = 0) -> int:
    """The number that a variable holds. Raises ImproperlyConfigured."""
    text = environment.get(name) or str(default)
    is_whole = text.isascii() and text.isdigit() and len(text) <= 9
    if not is_whole or int(text) < least:
        raise ImproperlyConfigured(f"{name} is a whole number, at least {least}; it is {text!r}")
    return int(text)
