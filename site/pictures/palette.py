"""The light theme's colours, read from the pages' own style sheet (`static/css/tokens.css`)."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from django.conf import settings

SOURCE: Final = Path(settings.BASE_DIR) / "static" / "css" / "tokens.css"
_TOKEN = re.compile(r"--([a-z0-9-]+):\s*(?:light-dark\(\s*)?(#[0-9a-fA-F]{3,8}|rgb\([^)]*\))")
_RGB = re.compile(r"rgb\((\d+) (\d+) (\d+) / (\d+)%\)")


def light_colours(sheet: str) -> dict[str, str]:
    """Return the colours of a sheet by their names in camel case, as palette.js names them.

    The light value stands first, as the first definition of a token or as the first argument of
    `light-dark()`. Colours with an alpha get the old form with commas, the only one resvg reads.
    """
    colours: dict[str, str] = {}
    for token, value in _TOKEN.findall(sheet):
        name = re.sub(r"-(\w)", lambda match: match[1].upper(), token)
        colours.setdefault(name, _RGB.sub(_with_commas, value))
    return colours


def _with_commas(match: re.Match[str]) -> str:
    red, green, blue, percent = match.groups()
    return f"rgba({red},{green},{blue},{int(percent) / 100:g})"


@cache
def palette() -> Mapping[str, str]:
    """Return the site's light colours."""
    return light_colours(SOURCE.read_text(encoding="utf-8"))


def css_variable(name: str) -> str:
    """Return the CSS value that refers to a colour, in whichever theme the page has."""
    return f"var(--{re.sub(r'([A-Z]|[0-9]+$)', lambda match: '-' + match[1].lower(), name)})"
