"""Template tag that tells whether chat is enabled."""

from django import template

from chat.permissions import is_chat_on

register = template.Library()


@register.simple_tag
def chat_is_on() -> bool:
    """Returns whether chat is enabled on this site."""
    return is_chat_on()
