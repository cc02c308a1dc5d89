"""Structure of a lesson: a small position with a task and its solution."""

from dataclasses import dataclass

from django.utils.functional import Promise

from games.core import Role
from pages.learn.lesson_goals import Goal

Text = str | Promise


@dataclass(frozen=True, slots=True)
class Lesson:
    """One position of one rule set, with one turn to find."""

    slug: str  # unique in its rule set; browsers remember it
    title: Text
    task: Text
    solved: Text  # explanation after the solution
    missed: Text  # hint after a legal turn that misses the goal
    position: str  # as `Rules.read` reads it
    aim: Goal
    solution: tuple[str, ...]  # the canonical actions of one turn that reaches the aim
    other: str = ""  # Blotto: the opponent's sealed action; not sent before the answer
    role: Role = "white"
