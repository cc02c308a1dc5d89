"""Template tags of avatars."""

from django import template
from django.utils.safestring import SafeString

from accounts.models import User
from accounts.public_profile.avatar import avatar_svg

register = template.Library()


@register.simple_tag
def avatar(user: User) -> SafeString:
    """Return the avatar of a user."""
    return avatar_svg(user.username, is_bot=user.is_bot, level=user.level)


@register.simple_tag
def avatar_of_name(name: str) -> SafeString:
    """Return the avatar of a person with a name; the caller knows that it is no computer player."""
    return avatar_svg(name)
