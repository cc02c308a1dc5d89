"""`{% module 'js/game.js' %}`: a script with all that it imports, fetched at the same time."""

import re
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath

from django import template
from django.contrib.staticfiles import finders
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from config.storage import has_linked_files

register = template.Library()
IMPORT = re.compile(r"""^(?:import|export)\b[^'";()=]*?["'](\.[^"']+)["']""", re.MULTILINE)


@register.simple_tag
def module(name: str) -> SafeString:
    """The script; where its modules come one by one, also a preload for each of them, or the
    browser would find them one level of imports after the other. Raises FileNotFoundError for a
    module that isn't there.
    """
    script = format_html('<script type="module" src="{}"></script>', static(name))
    if has_linked_files():
        return script
    links = format_html_join(
        "\n", '<link rel="modulepreload" href="{}">', [[static(each)] for each in imports_of(name)]
    )
    return format_html("{}\n{}", links, script)


@cache
def imports_of(name: str) -> tuple[str, ...]:
    """All modules that a script imports, directly or not, without itself: nearest first."""
    found = [name]
    for each in found:
        path = finders.find(each)
        if path is None:
            raise FileNotFoundError(each)
        text = Path(path).read_text(encoding="utf-8")
        names = (normpath(join(dirname(each), other)) for other in IMPORT.findall(text))
        found += [other for other in dict.fromkeys(names) if other not in found]
    return tuple(found[1:])
