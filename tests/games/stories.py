"""Test stories in notation: positions as drawings, and the result of playing on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from games import notation
from games.catalogue import RULES, rules_of
from games.core import Action, IllegalAction, Joint, Role, advance, assemble_joint

TRACES = Path(__file__).parent / "traces"
KEYS = tuple(RULES)
BOARDS = tuple(key for key in KEYS if key != "blotto")
AMAZONS = tuple(key for key in KEYS if key.startswith("amazons"))


@dataclass(frozen=True)
class Story:
    """A game at one moment; every verb gives the next moment."""

    key: str
    state: Any

    @property
    def rules(self) -> Any:
        return rules_of(self.key)

    @property
    def mover(self) -> Role:
        (role,) = self.rules.control(self.state)
        return role

    def play(self, *texts: str) -> Story:
        """Each text is a canonical action or human notation, done by the role in control."""
        story = self
        for text in texts:
            for action in story.actions(text):
                state = advance(story.rules, story.state, story.joint(action))
                story = replace(story, state=state)
        return story

    def joint(self, action: Action) -> Joint:
        return assemble_joint(self.rules, self.state, {self.mover: action})

    def actions(self, text: str) -> tuple[Action, ...]:
        if text.split(" ")[0] in {"move", "fire", "play", "noop"}:
            return (self.rules.parse(text),)
        return notation.read(self.rules, self.state, self.mover, text)

    def refusal(self, text: str, role: Role | None = None) -> tuple[str, tuple[str, ...]]:
        """Code and squares with which this action is refused."""
        try:
            self.rules.check(self.state, role or self.mover, self.rules.parse(text))
        except IllegalAction as error:
            return error.code, error.squares
        raise AssertionError(f"{text} is allowed")

    def at(self, square: str) -> str | None:
        """The piece or block on a square ("e5"): W, B, x, or None."""
        return pieces(self.view["board"]).get(square)

    @property
    def view(self) -> dict[str, Any]:
        return self.rules.view(self.state, None)

    @property
    def picture(self) -> str:
        return "\n".join(self.view["board"].split("/"))

    @property
    def legal(self) -> set[str]:
        return set(map(str, self.rules.choices(self.state, self.mover)))

    @property
    def outcome(self) -> Any:
        return self.rules.outcome(self.state)


def rows(drawing: str) -> str:
    """An indented drawing as a board in one line."""
    return "/".join(line.strip() for line in drawing.strip().splitlines())


def after(key: str, *texts: str) -> Story:
    return Story(key, rules_of(key).start()).play(*texts)


def drawn(key: str, drawing: str, role: Role = "white", rest: str = "") -> Story:
    """The position of a drawing; `rest` follows the role in the line of text."""
    rest = rest or ("- 0 0" if key == "pincer" else "- 0")
    return Story(key, rules_of(key).read(f"{rows(drawing)} {role} {rest}"))


def pieces(board: str) -> dict[str, str]:
    """The pieces and blocks of a board by square: "e5" → "W"."""
    lines = board.split("/")
    return {
        f"{chr(97 + x)}{len(lines) - y}": letter
        for y, line in enumerate(lines)
        for x, letter in enumerate(line)
        if letter != "."
    }


def random_joint(rules: Any, state: Any, rng: Random) -> Joint:
    sealed = {role: rules.choices(state, role).sample(rng) for role in rules.control(state)}
    return assemble_joint(rules, state, sealed)


@cache
def playout(key: str, seed: int, most: int = 160) -> tuple[tuple[Any, Joint | None], ...]:
    """A random game as (state, joint action from there); None after the last state."""
    rules, rng = rules_of(key), Random(seed)
    state, steps = rules.start(), []
    while rules.control(state) and len(steps) < most:
        joint = random_joint(rules, state, rng)
        steps.append((state, joint))
        state = rules.play(state, joint)
    return (*steps, (state, None))


def moments(key: str, games: int = 4, every: int = 1) -> Iterator[tuple[Any, Joint | None]]:
    """The steps of some random games, every so many of them, and always the last."""
    for seed in range(games):
        steps = playout(key, seed)
        yield from steps[:-1:every]
        yield steps[-1]


@cache
def recorded(key: str) -> tuple[dict[str, Any], ...]:
    """The reference games of this rule set."""
    lines = (TRACES / f"{key}.jsonl").read_text().splitlines()
    return tuple(json.loads(line) for line in lines)


def joints(key: str, record: dict[str, Any]) -> Iterator[tuple[Any, Joint]]:
    """The steps of a recorded game as (state before, joint action)."""
    rules = rules_of(key)
    state = rules.start()
    for entry in record["actions"]:
        texts = [entry] if isinstance(entry, str) else entry
        roles = [role for role in rules.roles if role in rules.control(state)]
        sealed = {role: rules.parse(text) for role, text in zip(roles, texts, strict=True)}
        joint = assemble_joint(rules, state, sealed)
        yield state, joint
        state = advance(rules, state, joint)


def finished(key: str) -> Iterator[Any]:
    """The last states of the reference games that came to an end."""
    for record in recorded(key):
        if record["terminal"]:
            *_, (state, joint) = joints(key, record)
            yield rules_of(key).play(state, joint)
