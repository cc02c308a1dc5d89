"""Whole numbers and switches from the environment."""

from collections.abc import Mapping

from django.core.exceptions import ImproperlyConfigured


def whole(environment: Mapping[str, str], name: str, default: int, least: int = 0) -> int:
    """The number that a variable holds. Raises ImproperlyConfigured."""
    text = environment.get(name) or str(default)
    is_whole = text.isascii() and text.isdigit() and len(text) <= 9
    if not is_whole or int(text) < least:
        raise ImproperlyConfigured(f"{name} is a whole number, at least {least}; it is {text!r}")
    return int(text)


def switch(environment: Mapping[str, str], name: str, default: bool) -> bool:
    """What a variable switches on (1) or off (0). Raises ImproperlyConfigured for all else: a word
    that was meant to make the site safe must not leave it open without a sound."""
    text = environment.get(name) or str(int(default))
    if text not in ("0", "1"):
        raise ImproperlyConfigured(f"{name} is 1 or 0; it is {text!r}")
    return text == "1"
