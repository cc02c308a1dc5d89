"""Turns chosen at random among what a state's prompt offers."""

from itertools import pairwise
from random import Random
from typing import Any

from tests.support.prompt_unpacking import unpacked


def random_turn(state: dict[str, Any], random: Random) -> list[str]:
    """The canonical actions of a turn, chosen at random among all that a state's prompt offers."""
    prompt = state["prompt"]
    if prompt["kind"] == "split":
        bars = sorted(random.randint(0, prompt["total"]) for _ in range(prompt["fields"] - 1))
        edges = [0, *bars, prompt["total"]]
        troops = [high - low for low, high in pairwise(edges)]
        return [" ".join([prompt["word"], *map(str, troops)])]
    path, node = [], unpacked(prompt["tree"], state["view"]["board"])
    while options := squares_of(node):
        keep = prompt["steps"][len(path)]["keep"]
        if keep is not None and len(options) > 1 and random.random() < 0.9:
            options.remove(path[keep])  # or a game without arrows would hardly end
        path.append(random.choice(options))
        node = "" if isinstance(node, str) else node[path[-1]]
    return [
        " ".join([word, *(coordinates(path[index]) for index in indices)])
        for word, *indices in prompt["actions"]
        if all(index < len(path) for index in indices)
    ]


def squares_of(node: str | dict[str, Any]) -> list[str]:
    """The squares that a node of a prompt's tree offers."""
    return node.split() if isinstance(node, str) else [key for key in node if key != "x"]


def coordinates(square: str) -> str:
    """ "d10" as actions spell it: "4 10"."""
    return f"{ord(square[0]) - ord('a') + 1} {square[1:]}"
