"""What templates ask of talk."""

from django import template

from talk.permits import is_on

register = template.Library()


@register.simple_tag
def talk_is_on() -> bool:
    """Whether this site has talk at all."""
    return is_on()
