"""Template tag `{% module 'js/game.js' %}`: a page's script and the modules it imports."""

import re
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath

from django import template
from django.contrib.staticfiles import finders
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

register = template.Library()
IMPORT = re.compile(r"""^(?:import|export)\b[^'";()=]*?["'](\.[^"']+)["']""", re.MULTILINE)


@register.simple_tag
def module(name: str) -> SafeString:
    """Return the script's tag; before it a preload for each imported module if the script is no
    bundle, or the browser would find them one level of imports after the other.

    Raises FileNotFoundError for a missing module.
    """
    address = static(name)
    script = format_html('<script type="module" src="{}"></script>', address)
    if not address.endswith(name):  # a bundle, under a name with a hash
        return script
    links = format_html_join(
        "\n", '<link rel="modulepreload" href="{}">', [[static(each)] for each in imports_of(name)]
    )
    return format_html("{}\n{}", links, script)


@cache
def imports_of(name: str) -> tuple[str, ...]:
    """Return all modules that a script imports, directly or not, without itself: nearest first."""
    found = [name]
    for each in found:
        path = finders.find(each)
        if path is None:
            raise FileNotFoundError(each)
        text = Path(path).read_text(encoding="utf-8")
        names = (normpath(join(dirname(each), other)) for other in IMPORT.findall(text))
        found += [other for other in dict.fromkeys(names) if other not in found]
    return tuple(found[1:])
