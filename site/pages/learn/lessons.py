"""Small positions to try the rules on: what each shows, asks for and teaches."""

from dataclasses import dataclass

from django.utils.functional import Promise

from games.core import Role
from pages.learn.aims import Aim

Text = str | Promise


@dataclass(frozen=True, slots=True)
class Lesson:
    """One position of one rule set, in which one go is to be found."""

    slug: str  # names it among those of its rule set, in what a browser remembers
    title: Text
    task: Text
    solved: Text  # what it has taught
    missed: Text  # a hint after a go that is allowed but not the one asked for
    position: str  # as `Rules.read` reads it
    aim: Aim
    solution: tuple[str, ...]  # the canonical actions of one go that reaches the aim
    other: str = ""  # Blotto: what the other side has sealed; never sent before the answer
    role: Role = "white"
