"""Template tags for the pieces as SVG symbols, for `<use href="#figure-archer-white">`."""

from django import template
from django.utils.safestring import SafeString

from pictures import svg

register = template.Library()


@register.simple_tag
def piece_symbols() -> SafeString:
    """Return all symbols of pieces; `templates/figures.svg` wraps them."""
    return svg.piece_symbols()
