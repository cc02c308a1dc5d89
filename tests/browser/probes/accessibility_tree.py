"""Accessibility tree of a page, as screen readers get it."""

from typing import Any

from games.catalogue import rules_of
from games.core import ROLES, advance, assemble_joint
from games.prompts import PathPrompt
from tests.browser.visitors.keyboard_user import Typist
from tests.support.prompt_unpacking import unpacked

FIGURES = {
    "amazons": {"W": "white amazon", "B": "black amazon", "x": "burnt", ".": "empty"},
    "pincer": {"W": "triangle", "B": "circle", ".": "empty"},
}
RECORD = "async () => (await fetch('record.json', { cache: 'no-store' })).json()"


def value(node: dict[str, Any], what: str) -> str:
    """The role or the name of a node."""
    return str(node.get(what, {}).get("value", ""))


class Tree:
    """One moment of the tree, as Chromium gives it to a screen reader."""

    def __init__(self, nodes: list[dict[str, Any]]) -> None:
        self.nodes = {node["nodeId"]: node for node in nodes}
        self.heard = [node for node in nodes if not node["ignored"]]

    def named(self, role: str) -> list[str]:
        """The names of everything with this role, in the order of the page."""
        return [value(node, "name") for node in self.heard if value(node, "role") == role]

    def text(self, role: str) -> list[str]:
        """The text of each element with this role."""
        return [self._said(node) for node in self.heard if value(node, "role") == role]

    def _said(self, node: dict[str, Any]) -> str:
        if value(node, "role") == "StaticText":
            return value(node, "name")
        below = [self.nodes[key] for key in node.get("childIds", []) if key in self.nodes]
        return "".join(self._said(child) for child in below)

    def squares(self) -> dict[str, str]:
        """The description of each square of the grid."""
        names = [name.partition(", ") for name in self.named("gridcell")]
        return {square: said for square, _, said in names}

    def spun(self) -> dict[str, int]:
        """The numbers that can be counted up and down, by their names."""
        found = [node for node in self.heard if value(node, "role") == "spinbutton"]
        return {value(node, "name"): int(node["value"]["value"]) for node in found}

    def within(self, role: str, name: str) -> "Tree":
        """The part of the tree below one element."""
        [top] = [n for n in self.heard if (value(n, "role"), value(n, "name")) == (role, name)]
        below, rest = [], [top["nodeId"]]
        while rest:
            node = self.nodes.get(rest.pop())
            if node:
                below.append(node)
                rest += node.get("childIds", [])
        wanted = {node["nodeId"] for node in below}
        return Tree([node for key, node in self.nodes.items() if key in wanted])


async def tree_of(person: Typist) -> Tree:
    """The tree of a person's page as it is now."""
    session = await person.page.context.new_cdp_session(person.page)
    answer = await session.send("Accessibility.getFullAXTree")
    await session.detach()
    return Tree(answer["nodes"])


async def state_of(person: Typist) -> tuple[Any, Any]:
    """The rules of the game, and its state by its own record."""
    record = await person.page.evaluate(RECORD)
    rules = rules_of(record["game"])
    state = rules.start()
    for entry in record["actions"]:
        roles = [role for role in ROLES if role in rules.control(state)]
        texts = entry if isinstance(entry, list) else [entry]
        sealed = {role: rules.parse(text) for role, text in zip(roles, texts, strict=True)}
        state = advance(rules, state, assemble_joint(rules, state, sealed))
    return rules, state


def expected(rules: Any, state: Any, role: str, *, plans: bool = False) -> dict[str, str]:
    """The expected description of each square for a person without a chosen piece; `plans`: the
    person waits with the focus on the board."""
    figures = FIGURES[rules.key.partition("-")[0]]
    prompt = rules.prompt(state, role) or (rules.plan(state, role) if plans else None)
    movable = set(unpacked(prompt.tree)) - {"x"} if isinstance(prompt, PathPrompt) else set()
    rows = rules.view(state, None)["board"].split("/")
    said = {}
    for down, row in enumerate(rows):
        for across, mark in enumerate(row):
            square = f"{chr(97 + across)}{len(rows) - down}"
            said[square] = figures[mark] + (", can move" if square in movable else "")
    return said
