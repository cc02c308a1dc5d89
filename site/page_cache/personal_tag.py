"""Template tag `{% personal %}`: the part of a page that depends on its reader.

    {% personal %}{% if user.is_authenticated %}{{ user.username }}{% endif %}{% endpersonal %}
    {% personal snapshot %}{{ snapshot|as_of:now|json_script:"snapshot" }}{% endpersonal %}

An ordinary page renders it in place. In a page of `page_cache.shared_page` it becomes a slot, which
is rendered for each request. Variables that a tag or the view has set for the shared part are
missing there, unless the tag names them.
"""

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django import template
from django.template.base import NodeList, Parser, Token
from django.template.context import Context

register = template.Library()
SLOTS: Final = "page_cache_slots"  # in the context of a shared part: the list of its slots
# No reader knows it, so that no name or text on a page can be mistaken for a slot.
SECRET: Final = secrets.token_hex(16)
CSRF_MARK: Final = f"{SECRET}token"
MARKS: Final = re.compile(rf"{SECRET}(token|\d+;)")


@dataclass(frozen=True, slots=True)
class Slot:
    """A personal part of a template, with the shared variables that it names."""

    nodelist: NodeList
    values: Mapping[str, Any]


class PersonalNode(template.Node):
    """Renders its contents, or leaves a mark for them."""

    def __init__(self, nodelist: NodeList, names: tuple[str, ...]) -> None:
        self.nodelist = nodelist
        self.names = names

    def render(self, context: Context) -> str:
        """Return the text, or the mark of a new slot."""
        slots: list[Slot] | None = context.get(SLOTS)
        if slots is None:
            return self.nodelist.render(context)
        slots.append(Slot(self.nodelist, {name: context[name] for name in self.names}))
        return f"{SECRET}{len(slots) - 1};"


@register.tag
def personal(parser: Parser, token: Token) -> PersonalNode:
    """Parse `{% personal [name …] %}…{% endpersonal %}`."""
    names = tuple(token.split_contents()[1:])
    nodelist = parser.parse(("endpersonal",))
    parser.delete_first_token()
    return PersonalNode(nodelist, names)
